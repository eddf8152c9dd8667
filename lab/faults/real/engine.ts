import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { withoutSecretForm } from "../../../provider/arguments/secrets";
import { argumentsOf, killProcess, type Running, until } from "../../processes";
import { makeProject, REPOSITORY } from "../../../scripts/project";
import { PulumiCommands } from "../../pulumi-commands";
import { recordOf } from "../../../shared/records";
import { Engine } from "../engine";
import { frontEndOf } from "../front-ends";
import type { PlatformProcess, Workspace } from "../environment";
import type { Interruption } from "../history";
import { showsSecret } from "../leaks";
import type { Declared, Result, UpOptions } from "../provider";
import { rowOf } from "../trial";

const PLUGIN = JSON.stringify(join(REPOSITORY, "dist/plugin"));
const SAMPLE_MS = 300;
const QUIET_MS = 1_000;
const LIMIT_MS = 180_000;
const PAUSE_LIMIT_SECONDS = 30;

/** A program that declares what is in a file, where secrets stand in hexadecimal. */
const FILES = {
  "Pulumi.yaml": `name: shop
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
plugins: { providers: [{ name: agentserver, path: ${PLUGIN} }] }
`,
  "package.json": '{ "name": "shop", "private": true }\n',
  "index.js": `const { secret } = require("@pulumi/pulumi");
const { readFileSync } = require("node:fs");
const reviver = (_, value) => value?.hex ? secret(Buffer.from(value.hex, "hex").toString()) : value;
const declared = JSON.parse(readFileSync(__dirname + "/resources.json", "utf8"), reviver);
for (const { sdk, type, name, args, options } of declared)
  new (require(sdk))[type](name, args, options);
`,
};

const Resource = z
  .looseObject({
    urn: z.string(),
    type: z.string(),
    id: z.string().default(""),
    delete: z.boolean().default(false),
    initErrors: z.array(z.string()).default([]),
    inputs: z.record(z.string(), z.unknown()).default({}),
    outputs: z.record(z.string(), z.unknown()).default({}),
  })
  .transform(({ type, delete: isOld, ...stored }) => ({ ...stored, kind: type, isOld }));
const State = z.object({
  checkpoint: z.object({ latest: z.object({ resources: z.array(Resource).nullish() }) }),
});

interface EngineParts {
  readonly workspace: Workspace;
  readonly platform: PlatformProcess;
  readonly note: (line: string) => void;
  /** Called with the output of each command. */
  readonly say: (text: string) => void;
  readonly onLeak: (what: string) => void;
  /** Number of requests until now. */
  readonly requests: () => number;
}

/**
 * Pulumi's own engine in place of the model: its command line in a folder, with real processes, and all resources at once.
 * All output, arguments and files are searched for secrets.
 */
export class RealEngine extends Engine {
  readonly #parts: EngineParts;
  #commands: PulumiCommands | undefined;
  #running: Running | undefined;
  /** What follows from an interruption. */
  #after: Promise<unknown> = Promise.resolve();

  constructor(parts: EngineParts) {
    super(() => Promise.reject(new Error("the real engine starts its processes itself")));
    this.#parts = parts;
  }

  override async up(
    program: readonly Declared[],
    { replace = [], continueOnError = false }: UpOptions = {},
  ) {
    const words = replace.flatMap((urn) => ["--replace", urn]);
    if (continueOnError) words.push("--continue-on-error");
    return this.#pulumi(["up", "--skip-preview", ...words], program);
  }

  override async preview(program: readonly Declared[]): Promise<Result> {
    return this.#pulumi(["preview", "--expect-no-changes"], program);
  }

  override async refresh(): Promise<Result> {
    return this.#pulumi(["refresh", "--skip-preview"]);
  }

  override async destroy(): Promise<Result> {
    return this.#pulumi(["destroy", "--skip-preview"]);
  }

  /** Interrupts the command that runs. */
  async interrupt(what: Interruption): Promise<void> {
    const { platform } = this.#parts;
    if (what.startsWith("Ctrl-C")) this.#running?.interrupt();
    if (what === "Ctrl-C twice" && this.#running) this.#after = interruptAgain(this.#running);
    if (what === "kill platform") {
      platform.kill();
      this.#after = platform.restart();
    }
    const isOfProvider = what === "kill provider" || what === "kill both";
    const providers = isOfProvider ? ((await this.#commands?.providers()) ?? []) : [];
    if (what === "kill engine" || what === "kill both") this.#running?.kill();
    providers.forEach(killProcess);
    if (what === "kill engine") this.#after = this.#silence();
  }

  /** Searches each file of the project, and removes it. */
  override async close(): Promise<void> {
    if (!this.#commands) return;
    const { dir } = this.#commands.project;
    const entries = await readdir(dir, { withFileTypes: true, recursive: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      // Also a crash dump is text where a secret is.
      this.#search(path.slice(dir.length + 1), await readFile(path, "latin1").catch(() => ""));
    }
    this.#search("the output of the platform", this.#parts.platform.text());
    await this.#commands.remove();
  }

  async #pulumi(words: readonly string[], program: readonly Declared[] = []): Promise<Result> {
    const commands = (this.#commands ??= await this.#create());
    if (program.length > 0) await commands.write("resources.json", declarationsOf(program));
    const yes = words[0] === "preview" ? [] : ["--yes"];
    let { code, text } = await this.#finish(commands.start(...words, ...yes));
    if (text.includes("the stack is currently locked")) {
      // A killed command has left it locked.
      await this.#finish(commands.start("cancel", "--yes"));
      ({ code, text } = await this.#finish(commands.start(...words, ...yes)));
    }
    await this.#readState(commands);
    const all = [...program, ...this.state];
    const errors = code === 0 ? [] : errorsIn(text, all);
    const steps = { preview: code === 0 ? [] : ["a change"], destroy: ["delete all"] }[
      words[0] ?? ""
    ];
    return { isGreen: code === 0, errors, steps: steps ?? [], retained: [], retries: 0 };
  }

  async #create(): Promise<PulumiCommands> {
    const { baseUrl: url, ...access } = this.#parts.workspace.settings;
    const project = await makeProject("agentserver-real-");
    const commands = new PulumiCommands(
      project,
      { url, ...access },
      {
        // A kill may leave a file of metadata empty, and Pulumi reads no state beside it: `failed to load checkpoint: EOF`.
        PULUMI_BACKEND_URL: `${project.environment["PULUMI_BACKEND_URL"]}?metadata=skip`,
      },
    );
    for (const [name, text] of Object.entries(FILES)) await commands.write(name, text);
    const { code, text } = await commands.run("stack", "init", "test");
    if (code !== 0) throw new Error(text);
    return commands;
  }

  /** Waits for a command and what follows from its interruption, and searches what it shows. Ends it where it hangs. */
  async #finish(running: Running) {
    this.#running = running;
    const sampler = setInterval(() => void this.#sample(), SAMPLE_MS);
    const limit = setTimeout(() => void this.#commands?.endProcesses(), LIMIT_MS);
    const finished = await running.finished;
    clearInterval(sampler);
    clearTimeout(limit);
    this.#running = undefined;
    await this.#after;
    this.#parts.say(finished.text);
    for (const line of finished.text.split("\n").map((one) => one.trim()))
      if (/^(error|warning):/.test(line)) this.#parts.note(`  | ${line}`);
    return finished;
  }

  /** A dynamic provider that has lost its command line does its work to the end. */
  async #silence(): Promise<void> {
    for (let seen = -1; seen !== this.#parts.requests(); await sleep(QUIET_MS))
      seen = this.#parts.requests();
  }

  async #readState({ project }: PulumiCommands): Promise<void> {
    const file = join(project.dir, "backend/.pulumi/stacks/shop/test.json");
    const { checkpoint } = State.parse(JSON.parse(await readFile(file, "utf8")));
    const resources = (checkpoint.latest.resources ?? []).filter(({ kind }) =>
      /^(pulumi-nodejs:dynamic\/agentserver|agentserver:index):/.test(kind),
    );
    this.load({ resources, creating: [] });
  }

  async #sample(): Promise<void> {
    for (const pid of (await this.#commands?.processes()) ?? [])
      this.#search("the arguments of a process", await argumentsOf(pid));
  }

  #search(place: string, text: string): void {
    if (showsSecret(text)) this.#parts.onLeak(`a secret in clear in ${place}`);
  }
}

/** The second Ctrl-C comes when the command line has shown the first. */
async function interruptAgain(running: Running): Promise<void> {
  let hasEnded = false;
  void running.finished.then(() => (hasEnded = true));
  const isReady = () => hasEnded || running.text().includes("press ^C again");
  await until("the first Ctrl-C", isReady, PAUSE_LIMIT_SECONDS);
  if (!hasEnded) running.interrupt();
}

/** The content of `resources.json`. */
function declarationsOf(program: readonly Declared[]): string {
  const declared = program.map(({ urn, kind, inputs, ...options }) => {
    const args = Object.entries(recordOf(withoutSecretForm(inputs)));
    const { deleteBeforeReplace, aliases, ignoreChanges, retainOnDelete } = options;
    return {
      sdk: frontEndOf(urn) === "native" ? "pulumi-agentserver/native" : "pulumi-agentserver",
      type: rowOf(kind)?.type,
      name: urn.split("::").at(-1),
      args: Object.fromEntries(args.filter(([name]) => !name.startsWith("__"))),
      options: { deleteBeforeReplace, aliases, ignoreChanges, retainOnDelete },
    };
  });
  const hidden = (_: string, value: unknown): unknown =>
    typeof value === "string" && showsSecret(value)
      ? { hex: Buffer.from(value).toString("hex") }
      : value;
  return JSON.stringify(declared, hidden);
}

/** What the diagnostics of an output say about each resource, or the output where they say nothing. */
function errorsIn(text: string, resources: readonly Pick<Declared, "urn">[]) {
  const [, ...blocks] = text.split(/^ {2}(?=\S+ \(.+\):$)/m);
  const found = blocks.flatMap((block) => {
    const [, name] = /^\S+ \((.+)\):$/m.exec(block) ?? [];
    const urn = resources.find((one) => one.urn.endsWith(`::${name}`))?.urn;
    // The other way out is an import, which knows nothing of secrets.
    return urn ? [{ urn, message: block.replaceAll("run `pulumi import", "") }] : [];
  });
  return found.length > 0 ? found : [{ urn: "", message: text }];
}
