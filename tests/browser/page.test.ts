import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { z } from "zod";
import { writeOpener } from "../../cli/local/open";
import { REPOSITORY } from "../../scripts/project";
import { aFolder, removeFolder } from "../local/children";
import { startServer } from "../support/http";
import { aGitDeployment, anImageDeployment } from "../support/platform";
import { describeLong } from "../support/tiers";
import { reportsOf, useBrowser } from "./browser";
import type { Context, Page } from "./playwright";
import { MARKUP, setScene, type Scene } from "./scene";

/** Here the tests leave pictures of every view: look at them after a change. */
const PICTURES = join(REPOSITORY, "dist/pictures");

/** The largest size of the first page, all of its files together as they are sent. */
const MAX_FIRST_PAGE_BYTES = 60_000;

const Violations = z.array(z.object({ id: z.string(), nodes: z.array(z.string()) }));

describeLong("the page in a browser", () => {
  const browsing = useBrowser();
  let folder = "";
  let scene: Scene;
  let context: Context;
  let page: Page;
  let origin: string;
  let reports: string[];

  before(async () => {
    folder = await aFolder();
    scene = await setScene(folder);
    origin = new URL(linkOf(scene)).origin;
    await mkdir(PICTURES, { recursive: true });
  });
  after(async () => {
    await scene?.test.close();
    await removeFolder(folder);
  });
  beforeEach(() => visit());
  afterEach(() => context.close());

  async function visit(options: object = {}, url = linkOf(scene)) {
    context = await browsing.browser.newContext(options);
    page = await context.newPage();
    reports = reportsOf(page);
    await page.goto(url);
  }
  const views = () => ({
    deployments: "/",
    deployment: `/deployments/${scene.support}`,
    broken: `/deployments/${scene.broken}`,
    log: `/deployments/${scene.broken}?type=build&q=agent`,
    "all-threads": "/threads",
    threads: `/deployments/${scene.support}/threads`,
    refused: `/deployments/${scene.support}/threads?metadata=words`,
    image: `/deployments/${scene.image}`,
    thread: `/deployments/${scene.support}/threads/${scene.threadId}`,
    assistants: `/deployments/${scene.support}/assistants`,
    assistant: `/deployments/${scene.support}/assistants/${scene.assistantId}`,
    requests: "/requests",
    "not-found": "/deployments/none",
  });

  it("opens with a file that leads to its link", async () => {
    await context.close();
    const file = join(folder, "open.html");
    writeOpener(file, linkOf(scene));
    await visit({}, pathToFileURL(file).href);
    await page.getByRole("link", { name: "billing-agent" }).waitFor();
  });

  it("shows the log of a broken build, plain, and finds text in it", async () => {
    await page.getByRole("link", { name: "billing-agent" }).click();
    await page.locator(".timeline").getByText("Build failed").waitFor();
    const log = page.getByRole("log");
    const text = await log.innerText();
    expect(text).to.contain("> compiling agent.mjs").and.contain(MARKUP);
    expect(text).to.contain("ERROR build_command 'node build.mjs' exited with code 2");
    expect(text).not.to.match(/\p{Cc}(?<![\n\t])/u);
    await page.keyboard.press("/");
    await page.keyboard.type("TypeError");
    // The first search field of the page is that of the log.
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=TypeError/);
    expect(await log.locator(".line").count()).to.equal(2);
    expect(await log.locator("mark").first().innerText()).to.equal("TypeError");
  });

  it("can be used with the keyboard alone, and keeps the focus while it changes", async () => {
    await page.keyboard.press("Tab");
    expect(await focused()).to.equal("Skip to content");
    await page.keyboard.press("Enter");
    await page.keyboard.press("/");
    await page.keyboard.type("support");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=support/);
    expect(await page.locator("tbody tr").count()).to.equal(1);
    await tabTo("support-agent");
    // A further deployment changes the list under the focus.
    const { id } = await scene.test.create({ name: "support-twin", ...anImageDeployment() });
    await page.getByRole("link", { name: "support-twin" }).waitFor();
    expect(await focused()).to.equal("support-agent");
    await page.keyboard.press("Enter");
    await page.waitForURL(/deployments\//);
    await tabTo("log", "role");
    await scene.test.request("DELETE", `/v2/deployments/${id}`);
    await scene.test.untilGone(id);
  });
  const focused = (attribute?: string) =>
    page.evaluate(
      attribute === undefined
        ? "document.activeElement.innerText.trim()"
        : `document.activeElement.getAttribute("${attribute}")`,
    );
  async function tabTo(wanted: string, attribute?: string) {
    for (let presses = 0; (await focused(attribute)) !== wanted; presses += 1) {
      expect(presses).to.be.below(40);
      await page.keyboard.press("Tab");
    }
  }

  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [390, 1280])
      it(`pleases axe and fits, ${colorScheme}, ${width} pixels wide`, async () => {
        await context.close();
        await visit({ colorScheme, viewport: { width, height: width < 500 ? 740 : 860 } });
        for (const [name, path] of Object.entries(views())) {
          await page.goto(origin + path);
          const wide = await page.evaluate("document.documentElement.scrollWidth");
          expect(wide, `${name} is wider than the window`).to.equal(width);
          const picture = join(PICTURES, `${name}-${colorScheme}-${width}`);
          await page.screenshot({ path: `${picture}-top.png` });
          await page.screenshot({ path: `${picture}.png`, fullPage: true });
          expect(await violations(), name).to.deep.equal([]);
        }
      });

  async function violations() {
    await page.evaluate(`${browsing.axe}; undefined`);
    const found = await page.evaluate(
      `axe.run().then(({ violations, passes }) => {
        if (passes.length < 10) throw new Error("axe has hardly looked");
        return violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => html) }));
      })`,
    );
    return Violations.parse(found);
  }

  it("sends at most 60 kB for the first page", async () => {
    await page.reload();
    const bytes = await page.evaluate(
      `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .filter(({ name }) => !name.includes("/live/"))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`,
    );
    expect(bytes).to.be.above(10_000).and.below(MAX_FIRST_PAGE_BYTES);
  });

  it("runs nothing that repositories, agents and clients have written, and shows no variable's value", async () => {
    const headers = { "User-Agent": MARKUP };
    await scene.test.request("GET", `/v2/${encodeURIComponent(MARKUP)}`, undefined, headers);
    const repo_url = "https://git.invalid/a.git?<script>alert(1)</script>";
    const { source_config } = aGitDeployment(scene.test.integrationId);
    const { id } = await scene.test.create({
      name: "hostile",
      source_config: { ...source_config, repo_url },
      source_revision_config: { repo_ref: "x<svg/onload=alert(1)>", graph_config_path: MARKUP },
      secrets: [{ name: "NAME", value: MARKUP }],
    });
    const thread = `/deployments/${scene.support}/threads/${scene.hostileThreadId}`;
    const paths = [...Object.values(views()), `/deployments/${id}`, `/?q=${MARKUP}`, thread];
    for (const path of paths) {
      await page.goto(origin + path);
      expect(await page.locator("main img, main script, svg[onload]").count(), path).to.equal(0);
      expect(await page.title()).not.to.equal("hacked");
      expect(await page.content()).not.to.contain("the-value-of-a-secret");
    }
    // One view refuses a search.
    expect(reports.filter((report) => !/40[04]/.test(report))).to.deep.equal([]);
    await scene.test.request("DELETE", `/v2/deployments/${id}`);
  });

  it("shows nothing to pages of another origin of the same host", async () => {
    const evil = `<!doctype html><title>evil</title><iframe src="${origin}/"></iframe>`;
    const server = await startServer((_, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end(evil),
    );
    try {
      await page.goto(server.url);
      for (const attempt of [
        `fetch("${origin}/", { credentials: "include" }).then((r) => r.text())`,
        `fetch("${origin}/", { credentials: "include", mode: "no-cors" }).then((r) => r.type)`,
        `new Promise((resolve, reject) => {
          const source = new EventSource("${origin}/live/deployments", { withCredentials: true });
          source.onerror = reject;
          source.onmessage = () => resolve("read");
        })`,
        `(async () => frames[0].document.title || Promise.reject())()`,
      ])
        expect(await page.evaluate(`${attempt}.catch(() => "refused")`)).to.equal("refused");
    } finally {
      await server.close();
    }
  });
});

const linkOf = ({ test }: Scene): string => test.platform.pageUrl ?? "";
