import { expect } from "chai";
import {
  anImageDeployment,
  poll,
  startTestPlatform,
  type TestPlatform,
} from "../../support/platform";
import { processesWith } from "../children";
import { openPage, type OpenPage } from "./open-page";

describe("the page about an agent server", () => {
  let t: TestPlatform;
  let page: OpenPage;
  before(async () => {
    t = await startTestPlatform({ driver: "process" });
    page = await openPage(t);
  });
  after(() => t.close());

  it("shows its memory while it runs, and counts its restarts", async () => {
    const { id, url } = await t.create(anImageDeployment());
    await t.untilRevision(id, "DEPLOYED");
    const shown = async () => (await page.get(`/deployments/${id}`)).body;
    expect(await shown()).to.match(/>Running<\/span><small>[1-9]\d+ MB</);
    const settings = await processesWith(`"database":`);
    const servers = (await processesWith(t.dataDir)).filter((pid) => settings.includes(pid));
    for (const pid of servers) process.kill(pid, "SIGKILL");
    await poll("the restart", async () => {
      const seen = await shown();
      return { fits: />Running<\/span><small>\d+ MB, 1 restart</.test(seen), seen };
    });
    expect((await fetch(`${url}/ok`)).status).to.equal(200);
  });
});
