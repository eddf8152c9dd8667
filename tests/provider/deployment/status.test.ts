import { expect } from "chai";
import { REVISION_STATUSES } from "pulumi-agentserver/sdk";
import { classify } from "../../../provider/deployment/service/status";

const stateOf = (status: string, more = {}) =>
  classify({ status, until: "active", isActive: false, deployedForMs: 0, ...more }).state;

describe("classifying a revision", () => {
  const states = {
    CREATING: "pending",
    QUEUED: "pending",
    AWAITING_BUILD: "pending",
    BUILDING: "pending",
    AWAITING_DEPLOY: "pending",
    DEPLOYING: "pending",
    DEPLOYED: "pending",
    CREATE_FAILED: "failed",
    BUILD_FAILED: "failed",
    DEPLOY_FAILED: "failed",
    SKIPPED: "pending",
    INTERRUPTED: "failed",
    UNKNOWN: "pending",
  } as const;
  for (const status of REVISION_STATUSES)
    it(`takes ${status} for ${states[status]} as long as it does not serve`, () =>
      expect(stateOf(status)).to.equal(states[status]));

  it("knows from which stages it is not done next", () => {
    const distant = REVISION_STATUSES.filter((status) => {
      const result = classify({ status, until: "active", isActive: false, deployedForMs: 0 });
      return result.state === "pending" && result.isDistant;
    });
    expect(distant.join(" ")).to.equal("CREATING QUEUED AWAITING_BUILD BUILDING AWAITING_DEPLOY");
  });

  it("takes a status that it does not know for still going, unless it speaks of failure", () => {
    expect(stateOf("WARMING_UP")).to.equal("pending");
    expect(stateOf("WARM_UP_FAILED")).to.equal("failed");
  });

  it("is done when the revision serves", () =>
    expect(stateOf("DEPLOYED", { isActive: true })).to.equal("done"));

  it("is done at DEPLOYED when no more was asked for", () =>
    expect(stateOf("DEPLOYED", { until: "deployed" })).to.equal("done"));

  it("is done with a warning when it is not shown as active for two minutes", () => {
    expect(stateOf("DEPLOYED", { deployedForMs: 119_999 })).to.equal("pending");
    const result = classify({
      status: "DEPLOYED",
      until: "active",
      isActive: false,
      deployedForMs: 120_000,
    });
    expect(result).to.include({ state: "done" }).and.have.property("warning");
  });
});
