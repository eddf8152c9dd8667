import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CustomResourceOptions } from "@pulumi/pulumi";
import type { DeploymentArgs } from "pulumi-agentserver";
import type { LocalPlatform } from "../../local";
import { makeProject, type Project, REPOSITORY } from "../../scripts/project";
import { processesWith, until } from "../local/children";
import { type Door, DYNAMIC, nativePlugin } from "./doors";
import { deploymentsIn, type StateResource, storedState } from "./state";

/** The result of a command. */
export interface Finished {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly text: string;
}

/** A command that runs. */
export interface Running {
  readonly finished: Promise<Finished>;
  /** Its output so far. */
  readonly text: () => string;
  /** As a terminal does it for Ctrl-C: the signal goes to the command's process group. */
  readonly interrupt: () => void;
  /** `kill -9` of the command alone. */
  readonly kill: () => void;
}

const filesFor = (sdk: string, plugins: object) => ({
  "Pulumi.yaml": `name: shop
runtime: { name: nodejs, options: { typescript: false } }
main: index.js
plugins: ${JSON.stringify(plugins)}
`,
  "package.json": '{ "name": "shop", "private": true }\n',
  "index.js": `const { Deployment } = require("${sdk}");
for (const [name, { options, ...args }] of Object.entries(require("./deployments.json")))
  new Deployment(name, args, options);
`,
});

/** The arguments of one deployment of a program. */
type Declared = DeploymentArgs & { readonly options?: CustomResourceOptions };

/**
 * A stack that is run by the command line, its engine, program and provider being processes of their own that can be
 * killed and interrupted.
 */
export class CliStack {
  readonly #project: Project;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(project: Project, platform: LocalPlatform) {
    this.#project = project;
    this.#environment = {
      ...process.env,
      ...project.environment,
      PATH: `${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`,
      AGENTSERVER_BASE_URL: platform.url,
      AGENTSERVER_API_KEY: platform.apiKey,
      AGENTSERVER_WORKSPACE_ID: platform.workspaceId,
    };
  }

  static async create(platform: LocalPlatform, door: Door = DYNAMIC): Promise<CliStack> {
    const project = await makeProject("agentserver-cli-");
    const stack = new CliStack(project, platform);
    const sdk = door.name === "native" ? "pulumi-agentserver/native" : "pulumi-agentserver";
    const files = filesFor(sdk, await nativePlugin(project));
    for (const [name, text] of Object.entries(files)) await stack.#write(name, text);
    const { code, text } = await stack.run("stack", "init", "test");
    if (code !== 0) throw new Error(text);
    return stack;
  }

  /** The declarations of the program from now on, by logical name. */
  declare(deployments: Readonly<Record<string, Declared>>): Promise<void> {
    return this.#write("deployments.json", JSON.stringify(deployments));
  }

  start(...words: string[]): Running {
    const args = [...words, "--non-interactive", "--color", "never"];
    return start("pulumi", args, { cwd: this.#project.dir, env: this.#environment });
  }

  run(...words: string[]): Promise<Finished> {
    return this.start(...words).finished;
  }

  /** The ids of the deployments that the state holds, by logical name. */
  async ids(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.deployments()).map(({ name, id }) => [name, id]));
  }

  /** The deployments that the state holds, their secrets encrypted. */
  async deployments(): Promise<StateResource[]> {
    return deploymentsIn(await storedState(this.#project, "shop", "test"));
  }

  /** The processes that commands of this stack have started and that live. */
  processes(): Promise<number[]> {
    return processesWith(this.#project.dir);
  }

  /** Those of them that run our provider. */
  async providers(): Promise<number[]> {
    const processes = await this.processes();
    const commands = await Promise.all(
      processes.map((pid) => readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")),
    );
    const isProvider = /node\0.*(cmd\/dynamic-provider|native\/main\.js)/;
    return processes.filter((_, at) => isProvider.test(commands[at] ?? ""));
  }

  /** Ends what a killed command has left. */
  async endProcesses(): Promise<void> {
    for (const pid of await this.processes()) killProcess(pid);
    await until("the end of all processes", async () => (await this.processes()).length === 0);
  }

  async remove(): Promise<void> {
    await this.endProcesses();
    await this.#project.remove();
  }

  #write(name: string, text: string): Promise<void> {
    return writeFile(join(this.#project.dir, name), text);
  }
}

/** Starts a command in a process group of its own. */
export function start(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Running {
  const child = spawn(command, args, {
    ...options,
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  return {
    finished: once(child, "close").then(([code]) => ({ code, text })),
    text: () => text,
    interrupt: () => void process.kill(-Number(child.pid), "SIGINT"),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** It may have ended a moment before. */
function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    return;
  }
}
