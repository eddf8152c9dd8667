import { expect } from "chai";
import { loadRollOvers } from "../../../../scripts/bench/agents/roll-overs";
import { untilRolledOut } from "../../../support/agents";
import { anImageDeployment, startTestPlatform, type TestPlatform } from "../../../support/platform";

describe("roll-overs under load", () => {
  let test: TestPlatform;
  afterEach(() => test.close());

  it("of the built-in server fail no request of 200 a second, and lose no thread", async () => {
    test = await startTestPlatform({ driver: "process" });
    const { id, url } = await test.create(anImageDeployment());
    await untilRolledOut(test, id);
    const load = await loadRollOvers(
      url ?? "",
      { perSecond: 200, mostUnanswered: 50 },
      async () => {
        for (const tag of ["2", "3"]) {
          const image_uri = `registry.example.com/acme/agent:${tag}`;
          await test.request("PATCH", `/v2/deployments/${id}`, {
            source_revision_config: { image_uri },
          });
          expect(await untilRolledOut(test, id)).to.include({ status: "DEPLOYED" });
        }
      },
    );
    expect(load).to.deep.include({ failures: [], lost: [] });
    expect(load.threads).to.be.greaterThan(0);
  });
});
