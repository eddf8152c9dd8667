import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { argumentsOf, type Finished, type Running } from "../../processes";
import { makeProject, REPOSITORY } from "../../project";
import { type Place, PulumiCommands } from "../../pulumi-commands";
import type { Canaries } from "./canaries";
import type { declarationOf } from "./program";

export type FrontEndName = "dynamic" | "native";

const PLUGIN = JSON.stringify(join(REPOSITORY, "dist/plugin"));
const SAMPLE_MS = 300;
const LIMIT_MS = 180_000;

const filesFor = (sdk: string) => ({
  "Pulumi.yaml": `name: shop
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
plugins: { providers: [{ name: agentserver, path: ${PLUGIN} }] }
`,
  "package.json": '{ "name": "shop", "private": true }\n',
  "index.js": `const sdk = require("${sdk}");
const { readFileSync } = require("node:fs");
const reviver = (_, value) => value?.fromEnvironment ? process.env[value.fromEnvironment] : value;
const declared = JSON.parse(readFileSync(__dirname + "/resources.json", "utf8"), reviver);
for (const [name, { kind, args, options }] of Object.entries(declared))
  new sdk[kind](name, args, options);
`,
});

const State = z.object({
  checkpoint: z.object({
    latest: z.object({
      resources: z
        .array(
          z.object({
            urn: z.string(),
            type: z.string(),
            id: z.string().optional(),
            delete: z.boolean().optional(),
            initErrors: z.array(z.string()).optional(),
            outputs: z.record(z.string(), z.unknown()).optional(),
          }),
        )
        .nullish(),
    }),
  }),
});

/** A resource of ours in the state. */
export interface Held {
  readonly kind: string;
  readonly name: string;
  readonly id: string;
  /** Wrong at rest: it is not ready, has initialisation errors, or waits for its deletion. */
  readonly unsettled: readonly string[];
}

/** A stack on the real engine, all of whose output, arguments and files are searched for secrets. */
export class RealStack extends PulumiCommands {
  static async create(
    frontEnd: FrontEndName,
    place: Place,
    secrets: NodeJS.ProcessEnv,
  ): Promise<RealStack> {
    const project = await makeProject("agentserver-real-");
    const temporary = join(project.dir, "tmp");
    await mkdir(temporary);
    const stack = new RealStack(project, place, {
      ...secrets,
      TMPDIR: temporary,
      // A kill may leave a file of metadata empty, and Pulumi reads no state beside it: `failed to load checkpoint: EOF`.
      PULUMI_BACKEND_URL: `${project.environment["PULUMI_BACKEND_URL"]}?metadata=skip`,
    });
    const sdk = frontEnd === "native" ? "pulumi-agentserver/native" : "pulumi-agentserver";
    for (const [name, text] of Object.entries(filesFor(sdk))) await stack.write(name, text);
    const { code, text } = await stack.run("stack", "init", "test");
    if (code !== 0) throw new Error(text);
    return stack;
  }

  declare(declarations: Readonly<Record<string, ReturnType<typeof declarationOf>>>): Promise<void> {
    return this.write("resources.json", JSON.stringify(declarations));
  }

  /** Waits for a command, and searches what it shows. Ends it where it hangs. */
  async watch(running: Running, canaries: Canaries): Promise<Finished> {
    const sampler = setInterval(() => void this.#sample(canaries), SAMPLE_MS);
    const limit = setTimeout(() => void this.endProcesses(), LIMIT_MS);
    const finished = await running.finished;
    clearInterval(sampler);
    clearTimeout(limit);
    canaries.search("the output", finished.text);
    return finished;
  }

  /** What the state has of our kinds. */
  async held(): Promise<Held[]> {
    const file = join(this.project.dir, "backend/.pulumi/stacks/shop/test.json");
    const { checkpoint } = State.parse(JSON.parse(await readFile(file, "utf8")));
    return (checkpoint.latest.resources ?? []).filter(isOurs).map((resource) => ({
      kind: resource.type.split(":").at(-1) ?? "",
      name: resource.urn.split("::").at(-1) ?? "",
      id: resource.id ?? "",
      unsettled: [
        ...(resource.delete ? ["waits for its deletion"] : []),
        ...(resource.initErrors ?? []),
        ...(resource.outputs?.["ready"] === false ? ["is not ready"] : []),
      ],
    }));
  }

  async #sample(canaries: Canaries): Promise<void> {
    for (const pid of await this.processes())
      canaries.search("the arguments of a process", await argumentsOf(pid));
  }
}

function isOurs({ type }: { readonly type: string }): boolean {
  return /^(pulumi-nodejs:dynamic\/agentserver|agentserver:index):/.test(type);
}
