import { expect } from "chai";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { openPage } from "../local/page/open-page";
import { describeLong } from "../support/tiers";
import { reportsOf, startBrowser, type Browsing } from "./browser";
import type { Page } from "./playwright";
import { revise } from "./scene";

const STAGE_SECONDS = 3600;

describeLong("the page, while something happens", () => {
  let browsing: Browsing | undefined;
  let reports: string[] = [];
  before(async function () {
    browsing = await startBrowser(this);
  });
  after(() => browsing?.browser.close());

  async function open({ platform }: TestPlatform): Promise<Page> {
    const context = await browsing?.browser.newContext();
    if (!context) throw new Error("there is no browser");
    const page = await context.newPage();
    reports = reportsOf(page);
    await page.goto(platform.pageUrl ?? "");
    return page;
  }

  it("shows a deployment as it is created and rolled over, with its log", async () => {
    const test = await startTestPlatform({ stageSeconds: STAGE_SECONDS });
    const nextStage = () => test.platform.admin.advanceClock(STAGE_SECONDS);
    try {
      const page = await open(test);
      await page.getByText("No deployments yet.").waitFor();
      const { id } = await test.create({ name: "support-agent" });
      const row = page.getByRole("row", { name: /support-agent/ });
      await row.getByText("Creating").waitFor();
      await nextStage();
      await row.getByText("Building").waitFor();
      await row.getByText("First roll-out").waitFor();
      await nextStage();
      await row.getByText("Deploying").waitFor();
      await nextStage();
      await row.getByText("Deployed").waitFor();

      await page.getByRole("link", { name: "support-agent" }).click();
      const revisions = page.locator(".timeline > li");
      await revisions.first().getByText("serves", { exact: true }).waitFor();
      expect(await revisions.count()).to.equal(1);
      await revise(test, id);
      await revisions.first().getByText("Creating").waitFor();
      expect(await revisions.first().getByText("serves", { exact: true }).count()).to.equal(0);
      await page.locator("#lines .divider").waitFor();
      // The heading goes on with the lines.
      const newest = await page.locator("#lines .divider .id").innerText();
      await page.locator("#log-of").getByText(newest).waitFor();
      for (const status of ["Building", "Deploying", "Deployed"]) {
        await nextStage();
        await revisions.first().locator(".badge").getByText(status, { exact: true }).waitFor();
      }
      await revisions.first().getByText("serves", { exact: true }).waitFor();
      const stages = await revisions.first().locator(".stages").innerText();
      for (const stage of ["Create 1 h", "Build 1 h", "Deploy 1 h", "Total 3 h"])
        expect(stages.replaceAll("\n", " ")).to.contain(stage);
      const after = page.locator("#lines .divider ~ .line");
      await page.waitForFunction(
        `document.querySelectorAll("#lines .divider ~ .line").length >= 3`,
      );
      expect(await after.first().innerText()).to.contain("simulated: nothing runs");
      expect(reports).to.deep.equal([]);
    } finally {
      await test.close();
    }
  });

  it("connects again to a platform that has ended and is started again", async () => {
    const test = await startTestPlatform();
    try {
      const page = await open(test);
      await page.getByText("No deployments yet.").waitFor();
      await test.platform.close();
      await page.getByText("Not connected").waitFor();
      // What was seen last may have changed since.
      expect(await page.locator("body.stale").count()).to.equal(1);
      await test.restart();
      await page.getByText("Not connected").waitFor({ state: "hidden" });
      await test.create({ name: "after-the-end" });
      await page.getByRole("link", { name: "after-the-end" }).waitFor();
    } finally {
      await test.close();
    }
  });

  it("begins a live view again whose first request failed, or found too many open", async () => {
    const test = await startTestPlatform();
    const { origin, cookie } = await openPage(test);
    const others = new AbortController();
    try {
      const context = await browsing?.browser.newContext();
      const page = await context?.newPage();
      if (!page) throw new Error("there is no browser");
      let failures = 0;
      await page.route("**/live/**", (route) =>
        failures++ < 1 ? route.abort("connectionrefused") : route.continue(),
      );
      const headers = { cookie };
      const kept = await Promise.all(
        Array.from({ length: 100 }, () =>
          fetch(`${origin}/live/requests`, { headers, signal: others.signal }),
        ),
      );
      const refused = page.waitForResponse((response) => response.status() === 503);
      await page.goto(test.platform.pageUrl ?? "");
      await page.getByText("Not connected").waitFor();
      await refused;
      // What the server says of it is no content of the view.
      await page.getByText("No deployments yet.").waitFor();
      expect(kept).to.have.length(100);
      others.abort();
      await page.getByText("Not connected").waitFor({ state: "hidden" });
      await test.create({ name: "support-agent" });
      await page.getByRole("link", { name: "support-agent" }).waitFor();
    } finally {
      others.abort();
      await test.close();
    }
  });
});
