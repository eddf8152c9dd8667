import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { withoutSecretForm } from "../../../provider/arguments/secrets";
import { recordOf } from "../../../shared/records";
import { argumentsOf, type Finished, type Running } from "../../../scripts/processes";
import { makeProject, REPOSITORY } from "../../../scripts/project";
import { type Place, PulumiCommands } from "../../../scripts/pulumi-commands";
import type { Stored } from "../checkpoint";
import { showsSecret } from "../leaks";
import type { Part } from "../part";
import { type FrontEndName, rowOf } from "../trial";

const PLUGIN = JSON.stringify(join(REPOSITORY, "dist/plugin"));
const SAMPLE_MS = 300;
const LIMIT_MS = 180_000;

/** A program that declares what is in a file, where secrets stand in hexadecimal. */
const filesFor = (sdk: string) => ({
  "Pulumi.yaml": `name: shop
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
plugins: { providers: [{ name: agentserver, path: ${PLUGIN} }] }
`,
  "package.json": '{ "name": "shop", "private": true }\n',
  "index.js": `const sdk = require("${sdk}");
const { secret } = require("@pulumi/pulumi");
const { readFileSync } = require("node:fs");
const reviver = (_, value) => value?.hex ? secret(Buffer.from(value.hex, "hex").toString()) : value;
const declared = JSON.parse(readFileSync(__dirname + "/resources.json", "utf8"), reviver);
for (const [name, { type, args, options }] of Object.entries(declared))
  new sdk[type](name, args, options);
`,
});

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

/** A stack on the real engine, all of whose output, arguments and files are searched for secrets. */
export class RealStack extends PulumiCommands {
  readonly leaks = new Set<string>();

  static async create(frontEnd: FrontEndName, place: Place): Promise<RealStack> {
    const project = await makeProject("agentserver-real-");
    const temporary = join(project.dir, "tmp");
    await mkdir(temporary);
    const stack = new RealStack(project, place, {
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

  declare(parts: readonly Part[]): Promise<void> {
    const declared = parts.map(({ kind, place, deleteBeforeReplace, ...part }) => {
      const inputs = recordOf(withoutSecretForm(part.subject.declared().inputs));
      const args = Object.entries(inputs).filter(([name]) => !name.startsWith("__"));
      const options = { deleteBeforeReplace };
      return [
        place.logicalName,
        { type: rowOf(kind)?.type, args: Object.fromEntries(args), options },
      ];
    });
    const hidden = (_: string, value: unknown): unknown =>
      typeof value === "string" && showsSecret(value)
        ? { hex: Buffer.from(value).toString("hex") }
        : value;
    return this.write("resources.json", JSON.stringify(Object.fromEntries(declared), hidden));
  }

  /** Waits for a command, and searches what it shows. Ends it where it hangs. */
  async watch(running: Running): Promise<Finished> {
    const sampler = setInterval(() => void this.#sample(), SAMPLE_MS);
    const limit = setTimeout(() => void this.endProcesses(), LIMIT_MS);
    const finished = await running.finished;
    clearInterval(sampler);
    clearTimeout(limit);
    this.search("the output", finished.text);
    return finished;
  }

  /** What the state has of our resource types. */
  async held(): Promise<(Stored & { readonly isOld: boolean })[]> {
    const file = join(this.project.dir, "backend/.pulumi/stacks/shop/test.json");
    const { checkpoint } = State.parse(JSON.parse(await readFile(file, "utf8")));
    return (checkpoint.latest.resources ?? []).filter(({ kind }) =>
      /^(pulumi-nodejs:dynamic\/agentserver|agentserver:index):/.test(kind),
    );
  }

  search(place: string, text: string): void {
    if (showsSecret(text)) this.leaks.add(`a secret in clear in ${place}`);
  }

  /** Searches each file of the project, and no links. */
  async searchFiles(): Promise<void> {
    const { dir } = this.project;
    const entries = await readdir(dir, { withFileTypes: true, recursive: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      // Also a crash dump is text where a secret is.
      this.search(path.slice(dir.length + 1), await readFile(path, "latin1").catch(() => ""));
    }
  }

  async #sample(): Promise<void> {
    for (const pid of await this.processes())
      this.search("the arguments of a process", await argumentsOf(pid));
  }
}

/** The lines of an output that say what is wrong or what was found. */
export function errorsIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  return [...new Set(lines.filter((line) => /^(error|warning):/.test(line)))];
}

/** What an output's diagnostics say about a resource. */
export function diagnosticsOf(text: string, logicalName: string): string {
  let isOwn = false;
  const own = text.split("\n").filter((line) => {
    const [, name] = /^ {2}\S+ \((.+)\):$/.exec(line) ?? [];
    if (name !== undefined) isOwn = name === logicalName;
    return isOwn;
  });
  return own.join("\n");
}
