import { expect } from "chai";
import { REVISION_STATUSES } from "pulumi-agentserver/sdk";
import { classify } from "../../../provider/deployment/service/status";

const classified = (status: string, more = {}) =>
  classify({ status, until: "active", isActive: false, deployedForMs: 0, ...more });

describe("classifying a revision", () => {
  const FAILED = new Set(["CREATE_FAILED", "BUILD_FAILED", "DEPLOY_FAILED", "INTERRUPTED"]);
  for (const status of REVISION_STATUSES) {
    const state = FAILED.has(status) ? "failed" : "pending";
    it(`takes ${status} for ${state} as long as it does not serve`, () =>
      expect(classified(status).state).to.equal(state));
  }

  it("knows from which stages it is not done next", () => {
    const distant = REVISION_STATUSES.filter((status) => {
      const result = classified(status);
      return result.state === "pending" && result.isDistant;
    });
    expect(distant.join(" ")).to.equal("CREATING QUEUED AWAITING_BUILD BUILDING AWAITING_DEPLOY");
  });

  it("takes a status that it does not know for still going, unless it speaks of failure", () => {
    expect(classified("WARMING_UP").state).to.equal("pending");
    expect(classified("WARM_UP_FAILED").state).to.equal("failed");
  });

  it("is done when the revision serves", () =>
    expect(classified("DEPLOYED", { isActive: true }).state).to.equal("done"));

  it("is done at DEPLOYED when no more was asked for", () =>
    expect(classified("DEPLOYED", { until: "deployed" }).state).to.equal("done"));

  it("is done with a warning when it is not shown as active for two minutes", () => {
    const early = classified("DEPLOYED", { deployedForMs: 119_999 });
    expect(early).to.deep.equal({ state: "pending", stage: "DEPLOYED, not yet active" });
    const late = classified("DEPLOYED", { deployedForMs: 120_000 });
    expect(late).to.include({ state: "done" }).and.have.property("warning");
  });
});
