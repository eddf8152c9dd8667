import { appendFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeProject, type Project, REPOSITORY } from "../../../scripts/project";
import { PulumiCommands } from "../../pulumi-commands";
import { cpuMsOfEnded } from "../proc";
import type { Kind } from "./inputs";

const PROJECT = {
  name: "bench",
  runtime: { name: "nodejs", options: { typescript: false } },
  main: "index.js",
  plugins: { providers: [{ name: "agentserver", path: join(REPOSITORY, "dist/plugin") }] },
};
const PROGRAM = `require(${JSON.stringify(require.resolve("./program"))});\n`;

/** The configuration of a stack. */
type Settings = Readonly<Record<string, string>>;

/** What a command took. */
interface Cost {
  readonly seconds: number;
  /** Of the CLI and of all that it started. */
  readonly cpuSeconds: number;
}

type BenchStack = ReturnType<typeof benchStack>;

/** Works with a stack of the bench's program in a new project, of which nothing is left afterwards. */
export async function withStack<Result>(
  signal: AbortSignal,
  work: (stack: BenchStack) => Promise<Result>,
): Promise<Result> {
  const project = await makeProject("agentserver-bench-");
  return work(benchStack(project, signal)).finally(project.remove);
}

/** A stack of the bench's program on the real engine, in a project's folder. Each command returns what it took. */
function benchStack(project: Project, signal: AbortSignal) {
  const commands = new PulumiCommands(project);

  /** Runs the CLI; an abort cancels it, and is thrown when it has ended. */
  async function pulumi(...words: readonly string[]): Promise<Cost> {
    signal.throwIfAborted();
    const startMs = performance.now();
    const startCpuMs = await cpuMsOfEnded(process.pid);
    const { finished, interrupt } = commands.start(...words);
    signal.addEventListener("abort", interrupt, { once: true });
    const { code, text } = await finished;
    signal.removeEventListener("abort", interrupt);
    signal.throwIfAborted();
    if (code !== 0) throw new Error(`pulumi ${words.join(" ")} ended with ${code}:\n${text}`);
    return {
      seconds: (performance.now() - startMs) / 1000,
      cpuSeconds: ((await cpuMsOfEnded(process.pid)) - startCpuMs) / 1000,
    };
  }

  return {
    /** Makes the stack, of so many deployments of one kind on the control plane of these settings. */
    async init(kind: Kind, count: number, settings: Settings): Promise<void> {
      // JSON is YAML too.
      await commands.write("Pulumi.yaml", JSON.stringify(PROJECT));
      await commands.write("package.json", "{}\n");
      await commands.write("index.js", PROGRAM);
      await pulumi("stack", "init", "bench");
      const bench = { "bench:kind": kind, "bench:count": String(count) };
      const { "agentserver:apiKey": key = "", ...plain } = settings;
      const config = JSON.stringify({ ...plain, ...bench });
      await appendFile(join(project.dir, "Pulumi.bench.yaml"), `config: ${config}\n`);
      // The dynamic provider refuses a key in plain text.
      await pulumi("config", "set", "--secret", "agentserver:apiKey", key);
    },
    /** Changes a variable of one deployment in the program. */
    change: () => pulumi("config", "set", "bench:logLevel", "debug"),
    /** Creates everything, or updates what has changed. */
    up: (...options: readonly string[]) => pulumi("up", "--yes", "--skip-preview", ...options),
    destroy: (...options: readonly string[]) =>
      pulumi("destroy", "--yes", "--skip-preview", ...options),
    /** Previews a program that has not changed; fails when it shows a change. */
    preview: () => pulumi("preview", "--expect-no-changes"),
    /** The size of the state as it lies on the disk. */
    async stateBytes(): Promise<number> {
      return (await stat(join(project.dir, "backend/.pulumi/stacks/bench/bench.json"))).size;
    },
  };
}
