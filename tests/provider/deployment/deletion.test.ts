import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { waitUntilGone } from "../../../provider/deployment/service/deletion";
import { aDeployment } from "../../support/builders";
import { useControlPlane } from "../../support/control-plane";
import { GIT_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { anOperation } from "../../support/operation";
import { reasonOf } from "../../support/rejection";

describe("waiting until a deployment is gone", () => {
  const plane = useControlPlane();

  /** The messages while the deployment answers so, poll by poll, before its 404. */
  async function shownOf(answers: (string | number)[], isAccepted = false) {
    const operation = anOperation(await plane.serve({ deployment: () => answers.shift() ?? 404 }));
    const shown: { text: string; atSeconds: number }[] = [];
    const { clock } = operation;
    const progress = (text: string) => void shown.push({ text, atSeconds: clock.now() / 1000 });
    const log = { ...operation.log, progress };
    await waitUntilGone({ ...operation, log }, 600, "delete deployment 'support'", isAccepted);
    return shown;
  }

  /** Deletes the deployment through its lifecycle; whether that has sent a DELETE. */
  async function removed(url: string) {
    const { id, tenant_id: tenantId } = aDeployment();
    const outs = { ...GIT_INPUTS, name: "support", baseUrl: url, tenantId };
    await lifecycle.delete(id, outs, contextOf({ url, apiKey: "key", workspaceId: tenantId }));
    return plane.received().some(({ method }) => method === "DELETE");
  }

  it("shows progress while the deployment stays in one stage", async () => {
    const shown = await shownOf(Array.from({ length: 20 }, () => "AWAITING_DELETE"));
    expect(new Set(shown.map(({ text }) => text))).to.deep.equal(new Set(["AWAITING_DELETE"]));
    const signs = shown.map(({ atSeconds }) => atSeconds);
    expect(signs).to.have.length.above(3);
    for (const [at, seconds] of signs.slice(1).entries())
      expect(seconds - (signs[at] ?? 0)).to.be.within(14, 26);
  });

  it("is not ended by passing errors, and says for how long there is no answer", async () => {
    const shown = await shownOf([...Array.from({ length: 12 }, () => 503), "AWAITING_DELETE"]);
    expect(shown[0]?.text).to.match(/^503 an error for \d+ s; still trying$/);
  });

  it("says nothing of a deployment that is gone at the first poll, in whatever way", async () => {
    for (const end of [404, 410, "DELETED"]) {
      expect(await shownOf([end])).to.be.empty;
      expect(plane.received(), String(end)).to.have.length(1);
    }
  });

  it("ends with a 403 only after a DELETE, which an earlier run may have sent", async () => {
    expect(await reasonOf(shownOf([403]))).to.contain("403 an error");
    expect(await shownOf([403], true)).to.be.empty;
    let isDeleted = false;
    const url = await plane.serve({
      deployment: () => (isDeleted ? 403 : {}),
      meddle({ method }, response) {
        if (method === "DELETE") response.writeHead(204).end();
        isDeleted ||= method === "DELETE";
        return method === "DELETE";
      },
    });
    expect(await removed(url)).to.equal(true);
    const answers = ["AWAITING_DELETE"];
    const leaving = await plane.serve({ deployment: () => answers.shift() ?? 403 });
    expect(await removed(leaving)).to.equal(false);
  });

  it("has nothing to do where it was gone before", async () =>
    expect(await removed(await plane.serve({ deployment: () => 404 }))).to.equal(true));
});
