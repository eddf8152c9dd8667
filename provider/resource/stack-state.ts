import { execFile } from "node:child_process";
import { readlink, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { codeOf, messageOf } from "../../shared/errors";
import { encryptedAsUnknown } from "../arguments/secrets";
import { identityOf } from "../../shared/urn";

const Inputs = z.record(z.string(), z.unknown()).transform(encryptedAsUnknown);

const Recorded = z.object({
  urn: z.string(),
  id: z.string().nullish(),
  parent: z.string().nullish(),
  /** The reference of the provider that serves it. */
  provider: z.string().nullish(),
  /** Read with `get`, so that the stack does not manage it. */
  external: z.boolean().nullish(),
  /** It has been deleted, and its replacement is not there yet. */
  pendingReplacement: z.boolean().nullish(),
  /** It has been replaced, and is to be deleted. */
  delete: z.boolean().nullish(),
  /** When the resource was created; of a create that has not ended, when the one was that it replaces. */
  created: z.string().nullish(),
  inputs: Inputs.nullish(),
});

/** A resource as the state records it. Values that the state keeps encrypted are unknown. */
export type Recorded = z.infer<typeof Recorded>;

const Export = z.object({
  deployment: z.object({
    resources: z.array(Recorded).nullish(),
    pending_operations: z.array(z.object({ type: z.string(), resource: Recorded })).nullish(),
  }),
});

/** The state of the stack that runs, as far as a create has to know it. */
export interface StackState {
  readonly resources: readonly Recorded[];
  /** The creates that have not ended: those that run, and those that a killed run left. */
  readonly creating: readonly Recorded[];
}

/** Reads a state as `pulumi stack export` prints it. */
export function parseStackState(text: string): StackState {
  const { deployment } = Export.parse(JSON.parse(text));
  const pending = deployment.pending_operations ?? [];
  return {
    resources: deployment.resources ?? [],
    creating: pending.filter(({ type }) => type === "creating").map(({ resource }) => resource),
  };
}

/** The engine writes a create into the state before it begins, but for this option of its own. */
const UNSEEN = process.env["PULUMI_SKIP_CHECKPOINTS"]
  ? "PULUMI_SKIP_CHECKPOINTS keeps this create out of it; run `pulumi up` without it"
  : "it does not show this create";
const TIME_LIMIT_MS = 30_000;
const LARGEST_STATE_BYTES = 512 * 1024 * 1024;

/**
 * Exports the state of the stack in which the create of a URN runs, else of one that has the resource, by the command line
 * that runs this process. Nothing of it is decrypted, kept or logged. Throws where no stack that can be read shows either.
 * In a preview no create runs: the first state that has nothing of another stack is returned.
 */
export async function exportStackState(urn: string, isPreview = false): Promise<StackState> {
  const { project, stack } = identityOf(urn);
  // The folder may be one of another project, and the stack one of an organization that is not the default.
  const stacks = [["--stack", stack], ["--stack", `organization/${project}/${stack}`], []];
  const { command, folder } = await commandLine();
  const problems: string[] = [];
  const recording: StackState[] = [];
  for (const options of stacks) {
    try {
      const state = parseStackState(await output(command, folder, options));
      const prefix = `urn:pulumi:${stack}::${project}::`;
      if (isPreview && state.resources.every((other) => other.urn.startsWith(prefix))) return state;
      if (state.creating.some((create) => create.urn === urn)) return state;
      if (state.resources.some((resource) => resource.urn === urn)) recording.push(state);
      problems.push(UNSEEN);
    } catch (error) {
      problems.push(reasonOf(error));
    }
  }
  if (recording[0]) return recording[0];
  throw new Error(problems[0]);
}

async function output(command: string, cwd: string, options: readonly string[]): Promise<string> {
  const words = ["stack", "export", ...options, "--non-interactive"];
  const { stdout } = await promisify(execFile)(command, words, {
    cwd,
    env: { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" },
    timeout: TIME_LIMIT_MS,
    maxBuffer: LARGEST_STATE_BYTES,
  });
  return stdout;
}

/** The first line of what the command line says; never its output, which is the state. */
function reasonOf(error: unknown): string {
  if (error instanceof z.ZodError || error instanceof SyntaxError) return "it could not be parsed";
  if (codeOf(error) === "ENOENT") return "the command pulumi was not found";
  if (error instanceof Error && "killed" in error && error.killed)
    return `pulumi stack export took longer than ${TIME_LIMIT_MS / 1000} s`;
  const said = error instanceof Error && "stderr" in error ? String(error.stderr).trim() : "";
  return (said || messageOf(error)).split("\n")[0]?.replace(/^error: /, "") ?? "";
}

const MOST_ANCESTORS = 5;

/**
 * The command line among the ancestors of this process, and the folder that it runs in, where the system shows them. A
 * backend's URL may be relative to that folder.
 */
async function commandLine(): Promise<{ command: string; folder: string }> {
  let pid = process.ppid;
  try {
    for (let count = 0; count < MOST_ANCESTORS && pid > 1; count += 1) {
      const command = await readlink(`/proc/${pid}/exe`);
      if (basename(command) === "pulumi")
        return { command, folder: await readlink(`/proc/${pid}/cwd`) };
      const status = await readFile(`/proc/${pid}/status`, "utf8");
      pid = Number(/^PPid:\s*(\d+)$/m.exec(status)?.[1]);
    }
  } catch {
    // Another system than Linux, or another user's process.
  }
  return { command: "pulumi", folder: process.cwd() };
}
