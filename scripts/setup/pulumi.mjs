import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { companionsAreComplete, completeCompanions } from "./companions.mjs";
import { findOnPath, judgeVersion } from "./find-pulumi.mjs";
import { buildFromGoModule, download, oldestVersion, pulumiVersion } from "./install-pulumi.mjs";
import { leadsTo, pointTo } from "./link.mjs";
import { publish } from "./publish.mjs";
import { Interrupted } from "./run.mjs";

/**
 * The step that provides the Pulumi CLI as `node_modules/.bin/pulumi`, a link to the one that was found or installed.
 * npm scripts and `npx pulumi` take it from there, and the CLI follows the link to the programs that lie beside it.
 */
export function pulumiCli(root, env) {
  const bin = folderOf(pulumiVersion, env);
  const link = join(root, "node_modules/.bin/pulumi");
  const present = [
    ["pulumi on PATH", () => findOnPath(env.PATH)],
    [bin, () => judgeVersion(join(bin, "pulumi"))],
  ];
  const installed = [
    ["Pulumi's own installer", () => put(bin, (draft) => download(root, draft))],
    ["a build from Pulumi's Go module", () => build(modulesOf(root), pulumiVersion, bin)],
  ];
  return {
    title: `Providing the Pulumi CLI ${pulumiVersion}`,
    isDone: async () => {
      const cli = await firstOf(present).catch(() => undefined);
      const isComplete = () => dirname(cli) !== bin || companionsAreComplete(root, bin);
      return cli !== undefined && leadsTo(link, cli) && isComplete();
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

/**
 * The oldest CLI that we promise to work with and whose Go module is served, with what it starts beside it. It is built
 * where it is not there yet.
 */
export async function oldestPulumi(root, env) {
  const bin = folderOf(oldestVersion, env);
  const modules = join(modulesOf(root), "oldest");
  const cli = await firstOf([
    [bin, () => judgeVersion(join(bin, "pulumi"))],
    ["a build", () => build(modules, oldestVersion, bin)],
  ]);
  completeCompanions(root, bin);
  return cli;
}

const modulesOf = (root) => join(root, "scripts/pulumi-cli");

const folderOf = (version, env) =>
  join(env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions", version, "bin");

const put = (bin, fill) => publish(bin, "pulumi", fill, judgeVersion);

const build = (modules, version, bin) =>
  put(bin, (draft) => buildFromGoModule(modules, version, draft));
