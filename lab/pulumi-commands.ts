import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LocalPlatform } from "../local";
import {
  argumentsOf,
  type Finished,
  killProcess,
  processesWith,
  type Running,
  start,
  until,
} from "./processes";
import { type Project, REPOSITORY } from "../scripts/project";

/** The control plane that a program's stack is on. */
export type Place = Pick<LocalPlatform, "url" | "apiKey" | "workspaceId">;

const PROVIDER = /node\0.*(cmd\/dynamic-provider|native\/main\.js|plugin\/provider\.cjs)/;

/**
 * The command line in a project's folder. Engine, program and provider are processes of their own, which can be killed and
 * interrupted.
 */
export class PulumiCommands {
  readonly project: Project;
  readonly #environment: NodeJS.ProcessEnv;

  /** Without a place, the stack's configuration has its settings. */
  constructor(project: Project, place?: Place, environment: NodeJS.ProcessEnv = {}) {
    this.project = project;
    this.#environment = {
      ...process.env,
      ...project.environment,
      PATH: `${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`,
      ...(place && {
        AGENTSERVER_BASE_URL: place.url,
        AGENTSERVER_API_KEY: place.apiKey,
        AGENTSERVER_WORKSPACE_ID: place.workspaceId,
      }),
      ...environment,
    };
  }

  start(...words: string[]): Running {
    const args = [...words, "--non-interactive", "--color", "never"];
    return start("pulumi", args, { cwd: this.project.dir, env: this.#environment });
  }

  run(...words: string[]): Promise<Finished> {
    return this.start(...words).finished;
  }

  /** The processes that commands of this stack have started and that live. */
  processes(): Promise<number[]> {
    return processesWith(this.project.dir);
  }

  /** Those of them that run our provider. */
  async providers(): Promise<number[]> {
    const processes = await this.processes();
    const commands = await Promise.all(processes.map(argumentsOf));
    return processes.filter((_, at) => PROVIDER.test(commands[at] ?? ""));
  }

  /** Ends what a killed command has left. */
  async endProcesses(): Promise<void> {
    for (const pid of await this.processes()) killProcess(pid);
    await until("the end of all processes", async () => (await this.processes()).length === 0);
  }

  async remove(): Promise<void> {
    await this.endProcesses();
    await this.project.remove();
  }

  /** Writes a file of the project. */
  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.project.dir, name), text);
  }
}
