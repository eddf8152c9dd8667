import { lstatSync, mkdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { companionsAreComplete, completeCompanions } from "./companions.mjs";
import { buildFromGoModule, download, publish, pulumiVersion } from "./install-pulumi.mjs";
import { findOnPath, judgeVersion } from "./find-pulumi.mjs";
import { Interrupted } from "./run.mjs";

/**
 * The step that provides the Pulumi CLI as `node_modules/.bin/pulumi`, a link to the one that was found or installed.
 * npm scripts and `npx pulumi` take it from there, and the CLI follows the link to the programs that lie beside it.
 */
export function pulumiCli(root, env) {
  const home = env.PULUMI_HOME || join(homedir(), ".pulumi");
  const bin = join(home, "versions", pulumiVersion, "bin");
  const link = join(root, "node_modules/.bin/pulumi");
  const present = [
    ["pulumi on PATH", () => findOnPath(env.PATH)],
    [bin, () => judgeVersion(join(bin, "pulumi"))],
  ];
  const installed = [
    ["Pulumi's own installer", () => publish(bin, (draft) => download(root, draft))],
    [
      "a build from Pulumi's Go module",
      () => publish(bin, (draft) => buildFromGoModule(root, draft)),
    ],
  ];
  return {
    title: `Providing the Pulumi CLI ${pulumiVersion}`,
    isDone: async () => {
      const cli = await firstOf(present).catch(() => undefined);
      return (
        cli !== undefined &&
        leadsTo(link, cli) &&
        (dirname(cli) !== bin || companionsAreComplete(root, bin))
      );
    },
    work: async () => {
      const cli = await firstOf([...present, ...installed]);
      if (dirname(cli) === bin) completeCompanions(root, bin);
      pointTo(link, cli);
    },
  };
}

/** The first CLI that can be had: each way is a name and a function that returns a path, or throws why not. */
async function firstOf(ways) {
  const failures = [];
  for (const [name, attempt] of ways) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof Interrupted) throw error;
      failures.push(`  ${name}: ${error.message}`);
    }
  }
  const advice = "Install it as https://www.pulumi.com/docs/install/ says, then run this again.";
  throw new Error(["none could be found or installed:", ...failures, advice].join("\n"));
}

const leadsTo = (link, target) =>
  lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true &&
  readlinkSync(link) === target;

/** Replaces the link in one step: another process may be about to start what it leads to. */
function pointTo(link, target) {
  const draft = `${link}.${process.pid}`;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, draft);
  renameSync(draft, link);
}
