import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { messageOf } from "../../shared/errors";
import { REPOSITORY } from "../../scripts/project";
import { later } from "../support/later";
import { cached } from "../support/cached";
import type { Browser, Page, Playwright } from "./playwright";

const UNPACKED = "unpacked";
const UNPACK = `import chromium from "@sparticuz/chromium"; await chromium.executablePath();`;

/** Not the package's own arguments: among them is one that turns off the rules between origins, which are tested here. */
const ARGUMENTS = ["--no-sandbox", "--headless=shell"];

/** A browser for the `describe`, and axe's script, which looks for what people with disabilities cannot use. */
export function useBrowser(): { readonly browser: Browser; readonly axe: string } {
  let browsing: Awaited<ReturnType<typeof startBrowser>> | undefined;
  before(async function () {
    browsing = await startBrowser(this);
  });
  after(() => browsing?.browser.close());
  return later(() => browsing);
}

/** Skips the tests, loudly, where there is none. */
async function startBrowser(context: Mocha.Context) {
  try {
    if (process.platform !== "linux" || process.arch !== "x64")
      throw new Error(`its package has none for ${process.platform} ${process.arch}`);
    const folder = await install();
    const load = createRequire(join(folder, "package.json"));
    const { chromium }: Playwright = load("playwright-core");
    const executablePath = join(folder, UNPACKED, "chromium");
    const axe = await readFile(load.resolve("axe-core/axe.min.js"), "utf8");
    const browser = await chromium.launch({ executablePath, args: ARGUMENTS, headless: true });
    return { browser, axe };
  } catch (error) {
    process.stderr.write(`\nNOT TESTED: the page in a browser: ${messageOf(error)}\n\n`);
    return context.skip();
  }
}

/** Installs the packages once for each version of them; `npm ci` of the repository must not bring a browser. */
async function install(): Promise<string> {
  const manifest = join(REPOSITORY, "tests/browser/package.json");
  const versions = await readFile(manifest);
  const version = createHash("sha256").update(versions).digest("hex").slice(0, 12);
  return cached(`browser-${version}-unpacked`, async (draft) => {
    await cp(manifest, join(draft, "package.json"));
    const run = promisify(execFile);
    const options = ["--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund"];
    await run("npm", ["install", ...options], { cwd: draft });
    // It unpacks itself into the folder for temporary files, where another test may be about to start it.
    const TMPDIR = join(draft, UNPACKED);
    await mkdir(TMPDIR);
    const env = { ...process.env, TMPDIR };
    await run(process.execPath, ["--input-type=module", "--eval", UNPACK], { cwd: draft, env });
  });
}

/** Collects what a page reports: errors of scripts, and what its Content-Security-Policy has refused. */
export function reportsOf(page: Page): string[] {
  const reports: string[] = [];
  page.on("console", (message) => message.type() === "error" && reports.push(message.text()));
  page.on("pageerror", (error) => reports.push(error.message));
  return reports;
}
