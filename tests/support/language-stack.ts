import { readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { LocalPlatform } from "../../local";
import { makeProject, type Project, REPOSITORY } from "../../scripts/project";
import { type Finished, start } from "../../scripts/processes";

/** The folder of the plugin that `npm run build` bundles. */
export const PLUGIN = join(REPOSITORY, "dist/plugin");

interface LanguageProject {
  /** The files of the project by name; Pulumi.yaml is one of them. */
  readonly files: Readonly<Record<string, string>>;
  readonly platform: Pick<LocalPlatform, "url" | "apiKey" | "workspaceId">;
  /** Folders that come first on PATH. */
  readonly path?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** A stack of a project in another language than TypeScript, run by commands as its user types them. */
export class LanguageStack {
  readonly project: Project;
  readonly #environment: NodeJS.ProcessEnv;

  private constructor(project: Project, environment: NodeJS.ProcessEnv) {
    this.project = project;
    this.#environment = environment;
  }

  static async create({ files, platform, path = [], environment }: LanguageProject) {
    const project = await makeProject("agentserver-language-");
    const folders = [...path, join(REPOSITORY, "node_modules/.bin"), process.env["PATH"]];
    const stack = new LanguageStack(project, {
      ...process.env,
      ...project.environment,
      PULUMI_SKIP_CONFIRMATIONS: "true",
      PATH: folders.join(delimiter),
      AGENTSERVER_BASE_URL: platform.url,
      AGENTSERVER_API_KEY: platform.apiKey,
      AGENTSERVER_WORKSPACE_ID: platform.workspaceId,
      ...environment,
    });
    for (const [name, text] of Object.entries(files)) await stack.write(name, text);
    await stack.done("pulumi", "stack", "init", "test");
    return stack;
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.project.dir, name), text);
  }

  /** Runs a command to its end. */
  run(command: string, ...args: string[]): Promise<Finished> {
    return start(command, args, { cwd: this.project.dir, env: this.#environment }).finished;
  }

  /** Runs a command that must succeed; what it prints. */
  async done(command: string, ...args: string[]): Promise<string> {
    const { code, text } = await this.run(command, ...args);
    if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${text}`);
    return text;
  }

  /** The outputs of the stack as they are stored. */
  async outputs(): Promise<Record<string, unknown>> {
    const { code, text } = await this.run("pulumi", "stack", "output", "--json");
    if (code !== 0) throw new Error(text);
    return JSON.parse(text);
  }

  /** All files of the backend: the state and its history. */
  async stored(): Promise<string> {
    const backend = join(this.project.dir, "backend");
    const entries = await readdir(backend, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), "utf8"));
    return (await Promise.all(texts)).join("\n");
  }

  remove(): Promise<void> {
    return this.project.remove();
  }
}
