import { expect } from "chai";
import { waitUntilGone } from "../../../provider/deployment/service/deletion";
import { aDeployment } from "../../support/builders";
import { json, startServer, type TestServer } from "../../support/http";
import { anOperation } from "../../support/operation";

describe("waiting until a deployment is gone", () => {
  let server: TestServer;
  afterEach(() => server.close());

  /** The messages while the deployment answers so, poll by poll, before its 404. */
  async function shownOf(answers: (string | number)[]) {
    server = await startServer((_request, response) => {
      const now = answers.shift() ?? 404;
      if (typeof now === "string") json(response, 200, aDeployment({ status: now }));
      else json(response, now, { detail: "an error" });
    });
    const shown: string[] = [];
    await waitUntilGone(anOperation(server.url, shown), 600_000, "delete deployment 'support'");
    return shown;
  }
  const secondsOf = (text: string) => Number(/\((\d+) s\)/.exec(text)?.[1]);

  it("shows progress while the deployment stays in one stage", async () => {
    const shown = await shownOf(Array.from({ length: 20 }, () => "AWAITING_DELETE"));
    expect(shown[0]).to.match(/^AWAITING_DELETE/);
    const signs = shown.map(secondsOf);
    expect(signs).to.have.length.above(3);
    for (const [at, seconds] of signs.slice(1).entries())
      expect(seconds - (signs[at] ?? 0)).to.be.within(14, 26);
  });

  it("is not ended by passing errors, more of them than the client takes in its stride", async () => {
    const shown = await shownOf([...Array.from({ length: 12 }, () => 503), "AWAITING_DELETE"]);
    expect(shown[0]).to.match(/^waiting for the control plane \(\d+ s\)$/);
  });

  it("says nothing of a deployment that is gone at the first poll", async () => {
    expect(await shownOf([])).to.be.empty;
  });
});
