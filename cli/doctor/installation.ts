import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { packageVersion } from "../../local/agentserver/version";
import { isAtLeast } from "../../shared/version";
import { bad, type Check, good, unknown } from "./checks";
import { projectFile, pulumiOutput } from "../stack";
import { codeCheck, configurationCheck } from "./state";

const run = promisify(execFile);

/** The oldest versions that the package works with, as `package.json` has them. */
const OLDEST = { node: "22.21", pulumi: "3.217" } as const;

/** What is installed: on this machine, and in the Pulumi project of a folder. */
export async function installationChecks(folder: string): Promise<Check[]> {
  const expected = packageVersion();
  const node = process.version.slice(1);
  return [
    good("command", `pulumi-agentserver ${expected}`),
    versionCheck("Node", node, OLDEST.node, `install Node ${OLDEST.node} or newer`),
    await pulumiCheck(),
    packageCheck(folder, expected),
    sdkCheck(folder),
    await pluginCheck(folder, expected),
    ...(await stackChecks(folder)),
  ];
}

async function pulumiCheck(): Promise<Check> {
  const subject = "Pulumi CLI";
  const update = `install Pulumi ${OLDEST.pulumi} or newer: https://www.pulumi.com/docs/install`;
  try {
    const { stdout } = await run("pulumi", ["version"]);
    return versionCheck(subject, stdout.trim().replace(/^v/, ""), OLDEST.pulumi, update);
  } catch {
    return bad(subject, "`pulumi version` does not run here", update);
  }
}

function packageCheck(folder: string, expected: string): Check {
  const subject = "package of the project";
  const version = versionIn(folder, "pulumi-agentserver");
  if (version === expected) return good(subject, `pulumi-agentserver ${version}`);
  return version === undefined
    ? unknown(
        subject,
        "pulumi-agentserver is not installed here",
        "run `npm install` in the folder of the Pulumi project; programs in other languages do not need it",
      )
    : bad(
        subject,
        `pulumi-agentserver ${version}, and this command is ${expected}`,
        "run the command of the project: `npx pulumi-agentserver`",
      );
}

function sdkCheck(folder: string): Check {
  const subject = "Pulumi's SDK";
  const version = versionIn(folder, "@pulumi/pulumi");
  if (version === undefined)
    return unknown(
      subject,
      "@pulumi/pulumi is not installed here",
      "run `npm install @pulumi/pulumi` in the folder of the Pulumi project",
    );
  return isAtLeast(version, OLDEST.pulumi) && version.startsWith("3.")
    ? good(subject, `@pulumi/pulumi ${version}`)
    : bad(
        subject,
        `@pulumi/pulumi ${version}`,
        `install @pulumi/pulumi ${OLDEST.pulumi} or newer, below 4`,
      );
}

const Plugins = z.array(z.object({ name: z.string(), version: z.string().nullish() }));

/** Only the native provider is a plugin. */
async function pluginCheck(folder: string, expected: string): Promise<Check> {
  const subject = "plugin";
  const manifest = manifestIn(folder, "pulumi-agentserver");
  const path = manifest && join(dirname(manifest), "dist/plugin");
  if (path && existsSync(path))
    return good(subject, `in the project's package: ${path}${isNamed(folder) ? "" : NOT_NAMED}`);
  try {
    const { stdout } = await run("pulumi", ["plugin", "ls", "--json"]);
    const versions = Plugins.parse(JSON.parse(stdout))
      .filter(({ name }) => name === "agentserver")
      .map(({ version }) => version ?? "of unknown version");
    if (versions.includes(expected)) return good(subject, `agentserver ${expected}`);
    if (versions.length > 0)
      return bad(
        subject,
        `agentserver ${versions.join(", ")}, and this command is ${expected}`,
        `install the plugin ${expected}`,
      );
  } catch {
    // Without a CLI there are no plugins; its own check reports that.
  }
  return unknown(
    subject,
    "agentserver is not installed",
    "only the native provider is a plugin: name its path in Pulumi.yaml, or run `pulumi plugin install`",
  );
}

const NOT_NAMED =
  "; Pulumi.yaml does not name it under plugins.providers, which a program of the native provider needs";

function isNamed(folder: string): boolean {
  const file = projectFile(resolve(folder));
  return (
    file !== undefined && readFileSync(file, "utf8").includes("pulumi-agentserver/dist/plugin")
  );
}

/** None where the folder has no Pulumi project, or its project no stack that is selected. */
async function stackChecks(folder: string): Promise<Check[]> {
  const [configuration, state] = await Promise.all([
    pulumiOutput(folder, "config", "--json"),
    pulumiOutput(folder, "stack", "export"),
  ]);
  const problems = new Set([configuration, state].flatMap(({ problem }) => problem ?? []));
  return [
    ...(configuration.output === undefined ? [] : [configurationCheck(configuration.output)]),
    ...(state.output === undefined ? [] : [codeCheck(state.output)]),
    ...[...problems].map((problem) =>
      unknown("stack", problem, "run `pulumi stack export`, and resolve what it reports"),
    ),
  ];
}

function versionIn(folder: string, name: string): string | undefined {
  const manifest = manifestIn(folder, name);
  if (manifest === undefined) return undefined;
  const { version }: { readonly version: string } = createRequire(manifest)(manifest);
  return version;
}

function manifestIn(folder: string, name: string): string | undefined {
  try {
    return createRequire(join(folder, "/")).resolve(`${name}/package.json`);
  } catch {
    return undefined;
  }
}

function versionCheck(subject: string, version: string, oldest: string, advice: string): Check {
  return isAtLeast(version, oldest) ? good(subject, version) : bad(subject, version, advice);
}
