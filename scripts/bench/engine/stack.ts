import { spawn } from "node:child_process";
import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { isRecord, textOf } from "../../../shared/records";
import { makeProject, type Project, REPOSITORY } from "../../project";
import type { Kind } from "./kinds";

const CLI = join(REPOSITORY, "node_modules/.bin/pulumi");
const PROGRAM = require.resolve("./program");
const PLUGIN = join(REPOSITORY, "dist/plugin");
const QUIET = ["--non-interactive", "--color", "never"];

const Outputs = z.looseObject({ name: z.string().optional() });
const Exported = z.object({
  deployment: z.object({ resources: z.array(z.object({ outputs: Outputs.optional() })) }),
});

/** What a stack consists of. */
interface StackPlan {
  readonly kind: Kind;
  readonly resources: number;
  readonly config: Readonly<Record<string, string>>;
}

/** A stack of the bench's program on the real engine, in a project of its own that `remove` takes away. */
export class BenchStack {
  readonly #project: Project;
  readonly #signal: AbortSignal;

  private constructor(project: Project, signal: AbortSignal) {
    this.#project = project;
    this.#signal = signal;
  }

  static async create(plan: StackPlan, signal: AbortSignal): Promise<BenchStack> {
    const stack = new BenchStack(await makeProject("agentserver-bench-"), signal);
    try {
      await stack.#fill(plan);
      return stack;
    } catch (error) {
      await stack.remove();
      throw error;
    }
  }

  /** Creates everything, or updates what has changed; returns how many seconds that took. */
  up(): Promise<number> {
    return seconds(() => this.#pulumi("up", "--yes", "--skip-preview", ...QUIET));
  }

  /** Previews a program that has not changed; returns how many seconds that took, and fails when it shows a change. */
  preview(): Promise<number> {
    return seconds(() => this.#pulumi("preview", "--expect-no-changes", ...QUIET));
  }

  /** The size of the state as it lies on the disk. */
  async stateBytes(): Promise<number> {
    const file = join(this.#project.dir, "backend/.pulumi/stacks/bench/bench.json");
    return (await stat(file)).size;
  }

  /** The outputs of every deployment in clear, by its name, without what the provider keeps for itself. */
  async values(): Promise<Readonly<Record<string, object>>> {
    const text = await this.#pulumi("stack", "export", "--show-secrets");
    const { resources } = Exported.parse(JSON.parse(text)).deployment;
    return Object.fromEntries(
      resources.flatMap(({ outputs }) =>
        outputs?.name === undefined ? [] : [[outputs.name, inClear(withoutHidden(outputs))]],
      ),
    );
  }

  remove(): Promise<void> {
    return this.#project.remove();
  }

  async #fill({ kind, resources, config }: StackPlan): Promise<void> {
    const { dir } = this.#project;
    const runtime = "runtime: { name: nodejs, options: { typescript: false } }";
    const plugin = `{ name: agentserver, path: ${JSON.stringify(PLUGIN)} }`;
    const project = `name: bench\n${runtime}\nmain: index.js\nplugins: { providers: [${plugin}] }\n`;
    await writeFile(join(dir, "Pulumi.yaml"), project);
    await writeFile(join(dir, "package.json"), "{}\n");
    await writeFile(join(dir, "index.js"), `require(${JSON.stringify(PROGRAM)});\n`);
    await this.#pulumi("stack", "init", "bench");
    const settings = { ...config, "bench:kind": kind, "bench:count": String(resources) };
    const plain = Object.entries(settings).flatMap(([key, value]) => [
      "--plaintext",
      `${key}=${value}`,
    ]);
    await this.#pulumi("config", "set-all", ...plain);
  }

  /** Runs the CLI and returns what it prints; an abort cancels it, and is thrown when it has ended. */
  async #pulumi(...args: readonly string[]): Promise<string> {
    this.#signal.throwIfAborted();
    const { dir, environment } = this.#project;
    const child = spawn(CLI, args, {
      cwd: dir,
      env: { ...process.env, ...environment },
      stdio: ["ignore", "pipe", "pipe"],
      // A Ctrl-C in the terminal is for the bench: it cancels the command once.
      detached: true,
      signal: this.#signal,
    });
    const pieces: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece: Buffer) => pieces.push(piece));
    child.on("error", (error) => pieces.push(Buffer.from(error.message)));
    const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
    this.#signal.throwIfAborted();
    const text = Buffer.concat(pieces).toString();
    if (code !== 0) throw new Error(`pulumi ${args.join(" ")} ended with ${code}:\n${text}`);
    return text;
  }
}

/** What marks a secret of an exported state. */
const SECRET = "4dabf18193072939515e22adb298388d";

/** Values without the marks of secrets: a front end may mark a whole object, another one its members. */
function inClear(value: object): object {
  const revived: object = JSON.parse(JSON.stringify(value), (_key, member: unknown) =>
    isRecord(member) && SECRET in member ? textInClear(textOf(member["plaintext"])) : member,
  );
  return revived;
}

function textInClear(json = "null"): unknown {
  const value: unknown = JSON.parse(json);
  return isRecord(value) ? inClear(value) : value;
}

function withoutHidden(outputs: object): object {
  return Object.fromEntries(Object.entries(outputs).filter(([name]) => !name.startsWith("__")));
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return (performance.now() - startMs) / 1000;
}
