import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { codeOf, messageOf } from "../../shared/errors";
import { recordOf } from "../../shared/records";
import { quoted } from "../../shared/shell";
import { keyOfAgents } from "../agent-server";
import type { ConnectionOptions } from "../connection";
import { type Context, withControlPlane } from "../control-plane";
import { type Inventory, managedElsewhere, readExisting } from "./existing";
import { CommandFailure } from "../failure";
import { type FrontEnd, importedProject } from "./program";
import { readmeText, summaryOf } from "./readme";
import { installedFrom } from "./installed-from";
import { configure, createStack, insecureText, setValue } from "../pulumi";
import { note, printJson, printLine, type Terminal } from "../terminal/terminal";

/** Options of the command `import`. */
export interface ImportOptions extends ConnectionOptions {
  /** The folder that is written. It must be empty or not exist. */
  readonly folder: string;
  readonly frontEnd: FrontEnd;
  /** @default all deployments, and what else the workspace has */
  readonly nameContains?: string | undefined;
  /** Names of variables that are not secret. @default none */
  readonly env?: readonly string[] | undefined;
  /** The stack that is created there and gets the settings and values. @default none */
  readonly pulumi?: string | undefined;
  readonly json: boolean;
}

/** Writes a project that adopts or imports what exists in a workspace. On the service nothing changes. */
export async function importExisting(options: ImportOptions, terminal: Terminal): Promise<void> {
  const { folder, frontEnd, nameContains, pulumi: stackName, env, json } = options;
  await requireEmpty(folder);
  await withControlPlane(options, terminal, async (context) => {
    const { settings } = context;
    const { found, notes } = importable(await readExisting(context, nameContains), frontEnd);
    for (const text of notes) note(terminal, `left out: ${text}`);
    const managed = managedElsewhere(found);
    for (const text of managed) note(terminal, `another stack's: ${text}`);
    const nothing = {
      folder: resolve(folder),
      files: [],
      resources: [],
      settings: [],
      problems: [],
      managedElsewhere: managed,
      leftOut: notes,
    };
    if (found.length === 0) {
      note(terminal, "nothing to import: no file was written");
      if (json) printJson(terminal, nothing);
      return;
    }
    const project = importedProject(found, {
      name: projectName(folder),
      frontEnd,
      dependency: installedFrom(resolve(folder)),
      agentKey: keyOfAgents(),
      env,
    });
    for (const name of env?.filter((one) => !hasVariable(found, one)) ?? [])
      note(terminal, `--env ${name}: no imported deployment has this variable`);
    const isConfigured = stackName !== undefined;
    const place = placeOf(context, resolve(folder));
    const about = { frontEnd, found, notes, managed, project, settings, place, isConfigured };
    const files = { ...project.files, "README.md": readmeText(about) };
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files))
      await writeFile(join(folder, name), text, { flag: "wx" });
    if (stackName !== undefined)
      try {
        const stack = { name: stackName, folder };
        await createStack(stack);
        await configure(settings, stack);
        for (const [at, { key, value }] of project.settings.entries()) {
          terminal.progress(`set ${at + 1} of ${project.settings.length} values`);
          await setValue(stack, "secret", key, value);
        }
      } catch (error) {
        throw new CommandFailure(
          `${messageOf(error)}; stack ${stackName} is not configured: empty ${folder} and run the command again`,
          { cause: error },
        );
      } finally {
        terminal.progress("");
      }
    if (json)
      return printJson(terminal, {
        ...nothing,
        files: Object.keys(files),
        resources: project.resources,
        settings: project.settings.map(({ key, variables }) => ({ key, variables })),
        problems: found.flatMap(({ kind, name, problems }) =>
          problems.map((problem) => ({ kind, name, problem })),
        ),
      });
    printLine(
      terminal,
      `wrote ${summaryOf(found)} to ${folder}; ${join(folder, "README.md")} says how to go on`,
    );
  });
}

function hasVariable(found: Inventory["found"], name: string): boolean {
  return found.some(({ inputs }) => Object.hasOwn(recordOf(inputs["secrets"]), name));
}

/** The options by which a command in a folder finds the control plane that was read. */
function placeOf({ settings, dataDir }: Context, folder: string): string {
  if (dataDir !== undefined) return `--data-dir ${quoted(relative(folder, resolve(dataDir)))}`;
  const { baseUrl, workspaceId, dialect } = settings;
  return [
    `--base-url ${quoted(baseUrl)} --workspace-id ${quoted(workspaceId)}`,
    ...(dialect === "agentserver" ? [] : [`--dialect ${dialect}`]),
    ...(insecureText(settings) === undefined ? [] : ["--allow-insecure-http"]),
  ].join(" ");
}

/** A dynamic resource is not imported, and a program has no argument by which it adopts a cron that it has not made. */
function importable({ found, notes }: Inventory, frontEnd: FrontEnd): Inventory {
  const left = frontEnd === "native" ? [] : found.filter(({ kind }) => kind === "Cron");
  const why = left.map(
    ({ id, deployment }) =>
      `cron ${id} of deployment '${deployment?.name}': use \`--front-end native\` to import it`,
  );
  return { found: found.filter((one) => !left.includes(one)), notes: [...notes, ...why] };
}

/** Nothing is ever written over a file. */
async function requireEmpty(folder: string): Promise<void> {
  try {
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw new CommandFailure(`cannot write to ${folder}: ${codeOf(error)}`, { cause: error });
  }
  throw new CommandFailure(
    `${folder} has files in it, which an import never overwrites: name another folder, \`npx pulumi-agentserver import <folder>\``,
  );
}

/** A project's name in the characters that Pulumi takes. */
function projectName(folder: string): string {
  return basename(resolve(folder)).replaceAll(/[^\w.-]+/g, "-") || "agentserver";
}
