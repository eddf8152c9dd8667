import { expect } from "chai";
import { join } from "node:path";
import { LogPage } from "../../../sdk/schema";
import { describeLong } from "../../support/tiers";
import { poll, startTestPlatform, type TestPlatform } from "../../support/platform";
import { aFolder, removeFolder } from "../children";
import { makeRepository } from "../repository";

/** Writes as fast as it can, and does not end by itself. */
const FLOOD = `
  const lines = ("x".repeat(100) + "\\n").repeat(1000);
  const write = () => process.stdout.write(lines, write);
  write();`;

describeLong("a local platform beside a child that writes without end", () => {
  let folder: string;
  let t: TestPlatform;
  before(async () => {
    folder = await aFolder();
    t = await startTestPlatform({ driver: "process", dataDir: join(folder, "data") });
  });
  after(async () => {
    await t.close();
    await removeFolder(folder);
  });

  it("answers, keeps the newest lines, says how many older ones it removed, and ends the child when it is asked to", async () => {
    const repository = await makeRepository(join(folder, "repository"));
    await repository.commit({ "flood.cjs": FLOOD });
    const { id, latest_revision_id } = await t.create({
      source_config: {
        integration_id: t.integrationId,
        repo_url: repository.url,
        deployment_type: "dev",
        build_command: "node flood.cjs",
      },
    });
    const revision = `/v2/deployments/${id}/revisions/${latest_revision_id}`;
    const read = async (query: string) =>
      LogPage.parse((await t.request("GET", `${revision}/logs?type=build&${query}`)).body).logs;
    // Each answer comes while the child writes on.
    await poll("the log to be full", async () => {
      const [oldest] = await read("limit=1");
      return { fits: /older lines removed/.test(oldest?.message ?? ""), seen: oldest };
    });
    const newest = await read("order=desc&limit=1000");
    expect(newest).to.have.lengthOf(1000);
    const answer = await t.request("POST", `${revision}/interrupt`);
    expect(answer.body).to.have.property("status", "INTERRUPTED");
    const [last] = await read("order=desc&limit=1");
    expect(last).to.include({ level: "WARNING", message: "interrupted" });
  });
});
