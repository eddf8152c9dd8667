import { spawn } from "node:child_process";
import { appendFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Project, REPOSITORY } from "../../../scripts/project";
import { cpuMsOfEnded } from "../proc";
import type { Kind } from "./inputs";

const CLI = join(REPOSITORY, "node_modules/.bin/pulumi");
const PLUGIN = { name: "agentserver", path: join(REPOSITORY, "dist/plugin") };
const PROJECT = {
  name: "bench",
  runtime: { name: "nodejs", options: { typescript: false } },
  main: "index.js",
};
const PROGRAM = `require(${JSON.stringify(require.resolve("./program"))});\n`;
const QUIET = ["--non-interactive", "--color", "never"];

/** The configuration of a stack. */
type Settings = Readonly<Record<string, string>>;

/** What a command took. */
interface Cost {
  readonly seconds: number;
  /** Of the CLI and of all that it started. */
  readonly cpuSeconds: number;
}

/** A stack of the bench's program on the real engine, in a project's folder. Each command returns what it took. */
export function benchStack({ dir, environment }: Project, signal: AbortSignal) {
  /** Runs the CLI; an abort cancels it, and is thrown when it has ended. */
  async function pulumi(...args: readonly string[]): Promise<Cost> {
    signal.throwIfAborted();
    const startMs = performance.now();
    const startCpuMs = await cpuMsOfEnded(process.pid);
    const env = { ...process.env, ...environment };
    // A Ctrl-C in the terminal is for the bench: it cancels the command once.
    const child = spawn(CLI, args, { cwd: dir, env, detached: true, signal });
    const pieces: unknown[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece) => pieces.push(piece));
    child.stdin.end();
    child.on("error", (error) => pieces.push(error));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    signal.throwIfAborted();
    const text = pieces.join("");
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${text}`);
    return {
      seconds: (performance.now() - startMs) / 1000,
      cpuSeconds: ((await cpuMsOfEnded(process.pid)) - startCpuMs) / 1000,
    };
  }

  return {
    /** Makes the stack, of so many deployments of one kind on the control plane of these settings. */
    async init(kind: Kind, count: number, settings: Settings): Promise<void> {
      const providers = [PLUGIN];
      // JSON is YAML too.
      const project = JSON.stringify({ ...PROJECT, plugins: { providers } });
      await writeFile(join(dir, "Pulumi.yaml"), project);
      await writeFile(join(dir, "package.json"), "{}\n");
      await writeFile(join(dir, "index.js"), PROGRAM);
      await pulumi("stack", "init", "bench");
      const bench = { "bench:kind": kind, "bench:count": String(count) };
      const { "agentserver:apiKey": key = "", ...plain } = settings;
      const config = JSON.stringify({ ...plain, ...bench });
      await appendFile(join(dir, "Pulumi.bench.yaml"), `config: ${config}\n`);
      // The dynamic provider refuses a key in plain text.
      await pulumi("config", "set", "--secret", "agentserver:apiKey", key);
    },
    /** Creates everything, or updates what has changed. */
    up: (...options: readonly string[]) =>
      pulumi("up", "--yes", "--skip-preview", ...QUIET, ...options),
    destroy: (...options: readonly string[]) =>
      pulumi("destroy", "--yes", "--skip-preview", ...QUIET, ...options),
    /** Previews a program that has not changed; fails when it shows a change. */
    preview: () => pulumi("preview", "--expect-no-changes", ...QUIET),
    /** The size of the state as it lies on the disk. */
    async stateBytes(): Promise<number> {
      return (await stat(join(dir, "backend/.pulumi/stacks/bench/bench.json"))).size;
    },
  };
}
