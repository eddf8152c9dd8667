import { rmSync, writeFileSync } from "node:fs";
import { singleUseLink } from "../../local/page/keys";
import { DEFAULT_DATA_DIR, pathsIn } from "../../local/platform/identity-file";
import { identityIn } from "../connection";
import { withControlPlane } from "../control-plane";
import { findDeployment } from "../deployments/find";
import { CommandFailure } from "../failure";
import { note, printLine, type Terminal } from "../terminal/terminal";
import { until } from "./until";

/** Options of the command `open`. */
export interface OpenOptions {
  /** @default ".agentserver" */
  readonly dataDir?: string | undefined;
  /** The name of a deployment, the beginning of it, or its id: the page opens at it. */
  readonly deployment?: string | undefined;
  /** Whether to start a browser, in place of printing the link. */
  readonly browser: boolean;
}

/** What starts a browser fails within it. What runs on is the browser itself. */
const STARTING_MS = 2000;

/** Opens the page of a local platform that runs. Throws `CommandFailure`. */
export async function openPage(options: OpenOptions, terminal: Terminal): Promise<void> {
  const { dataDir = DEFAULT_DATA_DIR, deployment, browser } = options;
  await withControlPlane({ dataDir }, terminal, async (context) => {
    const { pageUrl, adminKey = "" } = identityIn(dataDir) ?? {};
    if (pageUrl === undefined)
      throw new CommandFailure("this local platform was started without a page");
    // A browser could only say that nothing answers.
    if (deployment === undefined) await Array.fromAsync(context.client.integrations.list());
    const found =
      deployment && (await findDeployment(context, deployment, "beginning of the name"));
    const path = found ? `/deployments/${found.id}` : "";
    if (!browser) return printLine(terminal, `${pageUrl}${path}`);
    const { default: open } = await import("open");
    const { opener } = pathsIn(dataDir);
    writeOpener(opener, singleUseLink(pageUrl, adminKey, path));
    const starter = await open(opener);
    await until(STARTING_MS, () => starter.exitCode !== null);
    if (starter.exitCode)
      throw new CommandFailure(
        "no browser opens here; --no-browser prints the link for another one",
      );
    note(terminal, "opened the page in a browser; --no-browser prints its link");
  });
}

/** Every user of the machine sees with which arguments a browser is started; what this file leads to, only its owner. */
export function writeOpener(file: string, link: string): void {
  rmSync(file, { force: true });
  const html = `<!doctype html><meta http-equiv="refresh" content="0; url=${link}">\n`;
  writeFileSync(file, html, { mode: 0o600, flag: "wx" });
}
