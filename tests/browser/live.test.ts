import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { z } from "zod";
import { ControlPlane } from "pulumi-agentserver/sdk";
import { REPOSITORY } from "../../scripts/project";
import { aFolder, removeFolder } from "../local/children";
import { startTestPlatform } from "../support/platform";
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

  async function open(pageUrl = ""): Promise<Page> {
    const context = await browsing?.browser.newContext();
    if (!context) throw new Error("there is no browser");
    const page = await context.newPage();
    reports = reportsOf(page);
    await page.goto(pageUrl);
    return page;
  }

  it("shows a deployment as it is created and rolled over, with its log", async () => {
    const test = await startTestPlatform({ stageSeconds: STAGE_SECONDS });
    const nextStage = () => test.platform.admin.advanceClock(STAGE_SECONDS);
    try {
      const page = await open(test.platform.pageUrl);
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

  it("shows requests, and what the admin API has armed, as they come and go", async () => {
    const test = await startTestPlatform();
    try {
      const page = await open(test.platform.pageUrl);
      await page.getByRole("link", { name: "Requests" }).click();
      const rows = page.locator("tbody tr");
      await page.getByRole("heading", { name: "Requests" }).waitFor();
      test.platform.admin.addFault({ match: { method: "DELETE" }, action: "status", status: 503 });
      await page.getByText("status 503").waitFor();
      const headers = { "User-Agent": "pulumi-agentserver (Pulumi)" };
      const path = "/v2/deployments/00000000-0000-4000-8000-000000000000";
      await test.request("DELETE", path, undefined, headers);
      await rows.filter({ hasText: "503" }).getByText("Pulumi").waitFor();
      await page.getByText("status 503").waitFor({ state: "hidden" });
      await test.request("GET", path, undefined, headers);
      await rows.filter({ hasText: "404" }).waitFor();
      await page.getByRole("combobox", { name: "Method" }).focus();
      await page.keyboard.press("D");
      await page.getByRole("button", { name: "Search" }).click();
      await page.waitForURL(/method=DELETE/);
      expect(await rows.count()).to.equal(1);
      expect(reports).to.deep.equal([]);
    } finally {
      await test.close();
    }
  });

  it("connects again to a platform that was killed and started again", async () => {
    const folder = await aFolder();
    const dataDir = join(folder, "data");
    let platform = await startProcess(dataDir);
    try {
      const { pageUrl, ...settings } = await identityIn(dataDir);
      const page = await open(pageUrl);
      await page.getByText("No deployments yet.").waitFor();
      await end(platform, "SIGKILL");
      await page.getByText("Not connected").waitFor();
      // What was seen last may have changed since.
      expect(await page.locator("body.stale").count()).to.equal(1);
      platform = await startProcess(dataDir);
      await page.getByText("Not connected").waitFor({ state: "hidden" });
      const client = new ControlPlane({ ...settings, baseUrl: settings.url });
      const [integration] = await Array.fromAsync(client.integrations.list());
      await client.deployments.create({
        name: "after-the-kill",
        source: "git_host",
        source_config: {
          integration_id: integration?.id ?? "",
          repo_url: "https://git.example.com/acme/support.git",
          deployment_type: "dev",
        },
        source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
        secrets: [],
      });
      await page.getByRole("link", { name: "after-the-kill" }).waitFor();
    } finally {
      await end(platform, "SIGTERM");
      await removeFolder(folder);
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

async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, "exit");
}

async function startProcess(dataDir: string): Promise<ChildProcess> {
  const cli = join(REPOSITORY, "dist/cli/main.js");
  const args = [cli, "local", "--json", "--port", "0", "--data-dir", dataDir];
  const driver = ["--driver", "simulated"];
  const child = spawn(process.execPath, [...args, ...driver], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the platform ended with ${code} before it was ready`);
  });
  await Promise.race([once(createInterface(child.stdout), "line"), ended]);
  ended.catch(() => {});
  return child;
}

const Identity = z.object({
  url: z.string(),
  apiKey: z.string(),
  workspaceId: z.string(),
  pageUrl: z.string(),
});

async function identityIn(dataDir: string) {
  return Identity.parse(JSON.parse(await readFile(join(dataDir, "platform.json"), "utf8")));
}
