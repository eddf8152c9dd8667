import { rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { LocalPlatformOptions } from "../../local";
import { makeProject, type Project, REPOSITORY } from "../../scripts/project";
import { type Finished, start } from "../../lab/processes";
import { installedSdk, needPython, needYamlHost } from "./languages";
import { startTestPlatform, type TestPlatform } from "./platform";
import { textsIn } from "./state";

/** The folder of the plugin that `npm run build` bundles. */
export const PLUGIN = join(REPOSITORY, "dist/plugin");

/** A stack of a project in a language, run by commands as its user types them. */
class LanguageStack {
  readonly project: Project;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(project: Project, environment: NodeJS.ProcessEnv) {
    this.project = project;
    this.#environment = environment;
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
    return JSON.parse(await this.done("pulumi", "stack", "output", "--json"));
  }

  /** All files of the backend: the state and its history. */
  stored(): Promise<string> {
    return textsIn(join(this.project.dir, "backend"));
  }
}

/** A stack in a language, on a platform of its own. */
interface InLanguage {
  readonly test: TestPlatform;
  readonly stack: LanguageStack;
  /** Runs a verb of Pulumi: in Python by the Automation API, as examples/python/automate.py has it. */
  readonly run: (verb: string) => Promise<Finished>;
}

/**
 * Makes a stack in a language for all tests of the `describe` that this is called in, of the files of its project; skips
 * them where a tool is missing.
 */
export function useLanguage(
  language: "YAML" | "Python" | "TypeScript",
  files: Readonly<Record<string, string>>,
  options: LocalPlatformOptions = {},
): () => InLanguage {
  let test: TestPlatform | undefined;
  let stack: LanguageStack | undefined;
  let sdk: string | undefined;
  let command = ["pulumi"];
  before(async function () {
    const path = [join(REPOSITORY, "node_modules/.bin"), process.env["PATH"]];
    if (language === "YAML") path.unshift(await needYamlHost(this));
    if (language === "Python") {
      const python = await needPython(this);
      command = [python, "automate.py"];
      sdk = await installedSdk(python);
    }
    test = await startTestPlatform(options);
    const project = await makeProject("agentserver-language-", ["examples/python/automate.py"]);
    stack = new LanguageStack(project, {
      ...process.env,
      ...project.environment,
      PULUMI_SKIP_CONFIRMATIONS: "true",
      PATH: path.join(delimiter),
      AGENTSERVER_BASE_URL: test.platform.url,
      AGENTSERVER_API_KEY: test.platform.apiKey,
      AGENTSERVER_WORKSPACE_ID: test.platform.workspaceId,
      ...(sdk !== undefined && { PYTHONPATH: sdk }),
    });
    for (const [name, text] of Object.entries(files)) await stack.write(name, text);
    await stack.done("pulumi", "stack", "init", "test");
  });
  after(async () => {
    await stack?.project.remove();
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
