import { expect } from "chai";
import { useFreshPlatform } from "../support/platform";
import { describeLong } from "../support/tiers";
import { reportsOf, useBrowser } from "./browser";
import type { Page } from "./playwright";
import { revise } from "./scene";

const STAGE_SECONDS = 3600;

describeLong("the page, while something happens", () => {
  const browsing = useBrowser();
  const test = useFreshPlatform({ stageSeconds: STAGE_SECONDS });
  let page: Page;
  let reports: string[];
  beforeEach(async () => {
    page = await (await browsing.browser.newContext()).newPage();
    reports = reportsOf(page);
  });
  const open = () => page.goto(test.platform.pageUrl ?? "");

  it("shows a deployment as it is created and rolled over, with its log", async () => {
    const nextStage = () => test.platform.admin.advanceClock(STAGE_SECONDS);
    await open();
    await page.getByText("No deployments yet.").waitFor();
    const { id } = await test.create({ name: "support-agent" });
    const row = page.getByRole("row", { name: /support-agent/ });
    await row.getByText("Creating").waitFor();
    await nextStage();
    await row.getByText("First roll-out").waitFor();
    for (const status of ["Building", "Deploying", "Deployed"]) {
      await row.getByText(status).waitFor();
      if (status !== "Deployed") await nextStage();
    }

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
    const after = page.locator("#lines .divider ~ .line");
    await page.waitForFunction(`document.querySelectorAll("#lines .divider ~ .line").length >= 3`);
    expect(await after.first().innerText()).to.contain("simulated: nothing runs");
    expect(reports).to.deep.equal([]);
  });

  it("connects again to a platform that has ended and is started again", async () => {
    await open();
    await page.getByText("No deployments yet.").waitFor();
    await test.platform.close();
    await page.getByText("Not connected").waitFor();
    // What was seen last may have changed since.
    expect(await page.locator("body.stale").count()).to.equal(1);
    await test.restart();
    await page.getByText("Not connected").waitFor({ state: "hidden" });
    await test.create({ name: "after-the-end" });
    await page.getByRole("link", { name: "after-the-end" }).waitFor();
  });

  it("begins a live view again whose first request failed, or found too many open", async () => {
    let requests = 0;
    let goOn = (): void => undefined;
    const seen = new Promise<void>((resolve) => (goOn = resolve));
    await page.route("**/live/**", async (route) => {
      requests += 1;
      if (requests === 1) return route.abort("connectionrefused");
      if (requests === 2) return route.fulfill({ status: 503, body: "too many" });
      await seen;
      return route.continue();
    });
    const refused = page.waitForResponse((response) => response.status() === 503);
    await open();
    await refused;
    await page.getByText("Not connected").waitFor();
    goOn();
    // What the server says of it is no content of the view.
    await page.getByText("No deployments yet.").waitFor();
    await page.getByText("Not connected").waitFor({ state: "hidden" });
    await test.create({ name: "support-agent" });
    await page.getByRole("link", { name: "support-agent" }).waitFor();
  });
});
