import { readGraphConfig } from "../../checkout";
import type { Git } from "../../git";
import type { Environment, Keeper } from "../../keeper";
import { describeEnding } from "../../servers/server";
import { StageFailure, type Work } from "../driver";
import { graphConfigPath, originOf } from "./source";

/** What a build works with. */
export interface BuildParts {
  readonly keeper: Keeper;
  readonly git: Git;
  /** Without the deployment's secrets. */
  readonly environment: Environment;
  /** For `install_command` and `build_command` each. */
  readonly limitSeconds: number;
}

interface Step {
  readonly name: "install_command" | "build_command";
  readonly text: string | null | undefined;
  readonly cwd: string;
}

/** Puts the revision's commit into a folder, checks its graph configuration, installs and builds. */
export async function buildRevision(
  parts: BuildParts,
  work: Work,
  checkout: string,
): Promise<void> {
  const { revision, signal, log } = work;
  const { install_command: install, build_command: build } = revision.sourceConfig;
  checkCommand("install_command", install);
  checkCommand("build_command", build);
  const origin = originOf(revision);
  log(`getting commit ${origin.commit} of ${origin.repoUrl}`);
  await parts.git.checkout(origin, checkout, signal);
  const path = graphConfigPath(revision);
  const { graphs, folder } = await readGraphConfig(checkout, path);
  log(`graphs of ${path}: ${graphs.join(", ")}`);
  await runStep(parts, work, { name: "install_command", text: install, cwd: checkout });
  await runStep(parts, work, { name: "build_command", text: build, cwd: folder });
}

/** What the public service's client refuses in a command (a single `&` too; `&&` is fine). */
const REFUSED = /["\\`\n\r\0\t|;$><]|(?<!&)&(?:&&)*(?!&)/;

function checkCommand(name: Step["name"], command: string | null | undefined): void {
  const refused = REFUSED.exec(command ?? "")?.[0];
  if (refused === undefined) return;
  throw new StageFailure(
    `${name} holds ${JSON.stringify(refused)}, which is not allowed: join commands with &&, or put them into a script of the repository`,
  );
}

async function runStep(parts: BuildParts, { signal, log }: Work, step: Step): Promise<void> {
  const { name, text, cwd } = step;
  if (!text) return;
  const { keeper, environment, limitSeconds } = parts;
  log(`$ ${text}`);
  const limit = AbortSignal.timeout(limitSeconds * 1000);
  const command = { file: "/bin/sh", args: ["-c", text], cwd, environment, onLine: log };
  try {
    const ending = await keeper.run(command, AbortSignal.any([signal, limit]));
    if (ending.exitCode !== 0) throw new StageFailure(describeEnding(`${name} '${text}'`, ending));
  } catch (error) {
    if (signal.aborted || !limit.aborted) throw error;
    throw new StageFailure(`${name} '${text}' took longer than ${limitSeconds} s`);
  }
}
