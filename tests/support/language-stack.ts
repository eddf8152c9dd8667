import { readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { LocalPlatform, LocalPlatformOptions } from "../../local";
import { makeProject, type Project, REPOSITORY } from "../../scripts/project";
import { type Finished, start } from "../../lab/processes";
import { installedSdk, needPython, needYamlHost } from "./languages";
import { startTestPlatform, type TestPlatform } from "./platform";
import { textsIn } from "./state";

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
  stored(): Promise<string> {
    return textsIn(join(this.project.dir, "backend"));
  }

  remove(): Promise<void> {
    return this.project.remove();
  }
}

/** A stack in a language, on a platform of its own. */
interface InLanguage {
  readonly test: TestPlatform;
  readonly stack: LanguageStack;
  /** Runs a verb of Pulumi: in Python by the Automation API, as examples/python/automate.py has it. */
  readonly run: (verb: string) => Promise<Finished>;
}

/** Makes a stack in a language for all tests of the `describe` that this is called in; skips them where a tool is missing. */
export function useLanguage(
  language: "YAML" | "Python",
  program: Readonly<Record<string, string>>,
  options: LocalPlatformOptions = {},
): () => InLanguage {
  let test: TestPlatform | undefined;
  let stack: LanguageStack | undefined;
  let sdk: string | undefined;
  let command = ["pulumi"];
  before(async function () {
    const inPython = language === "Python";
    const path = inPython ? [] : [await needYamlHost(this)];
    const files = { ...program };
    if (inPython) {
      const python = await needPython(this);
      const script = join(REPOSITORY, "examples/python/automate.py");
      files["automate.py"] = await readFile(script, "utf8");
      command = [python, "automate.py"];
      sdk = await installedSdk(python);
    }
    test = await startTestPlatform(options);
    const environment = sdk === undefined ? {} : { PYTHONPATH: sdk };
    stack = await LanguageStack.create({ files, platform: test.platform, path, environment });
  });
  after(async () => {
    await stack?.remove();
    await test?.close();
    if (sdk !== undefined) await rm(sdk, { recursive: true, force: true });
  });
  return () => {
    if (test === undefined || stack === undefined) throw new Error("the stack is made before");
    const made = stack;
    const [tool = "", ...args] = command;
    return { test, stack, run: (verb) => made.run(tool, ...args, verb) };
  };
}
