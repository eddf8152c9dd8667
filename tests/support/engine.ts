import {
  type ConfigMap,
  type Deployment as StackState,
  type EngineEvent,
  LocalWorkspace,
  type OutputMap,
  type PulumiFn,
  type Stack,
} from "@pulumi/pulumi/automation";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { makeProject, type Project, REPOSITORY } from "../../scripts/project";
import type { LocalPlatform } from "../../local";

process.env["PATH"] = `${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`;

/** What one run of the engine came to. */
export interface Run {
  readonly ok: boolean;
  /** Number of resources by what happened to them, or would: `create`, `update`, `same`, … */
  readonly changes: Readonly<Record<string, number>>;
  readonly outputs: OutputMap;
  /** Everything that the engine printed, and the error's text. */
  readonly text: string;
  /** Lasting messages about resources, without those for debugging. */
  readonly messages: readonly string[];
}

/** A resource as the state holds it. */
export interface StateResource {
  readonly id: string;
  readonly inputs: Record<string, unknown>;
  readonly outputs: Record<string, unknown>;
  readonly initErrors: readonly string[];
}

/** Settings that lead to a platform, its key being a secret. */
export function settingsFor(platform: LocalPlatform): ConfigMap {
  return {
    "agentserver:baseUrl": { value: platform.url },
    "agentserver:apiKey": { value: platform.apiKey, secret: true },
    "agentserver:workspaceId": { value: platform.workspaceId },
  };
}

/** A stack on the real engine with an inline program, its state in a file of a temporary project. */
export class TestStack {
  readonly project: Project;
  readonly #stack: Stack;

  private constructor(project: Project, stack: Stack) {
    this.project = project;
    this.#stack = stack;
  }

  static async create(config: ConfigMap, program: PulumiFn): Promise<TestStack> {
    const project = await makeProject("agentserver-engine-");
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName: "test", projectName: "shop", program },
      { workDir: project.dir, envVars: { ...project.environment } },
    );
    if (Object.keys(config).length > 0) await stack.setAllConfig(config);
    return new TestStack(project, stack);
  }

  set program(program: PulumiFn) {
    this.#stack.workspace.program = program;
  }

  configure(config: ConfigMap): Promise<void> {
    return this.#stack.setAllConfig(config);
  }

  up(options: { replace?: string[]; refresh?: boolean } = {}): Promise<Run> {
    return watch(async (watching) => {
      const { stdout, outputs, summary } = await this.#stack.up({ ...options, ...watching });
      return { text: stdout, outputs, changes: summary.resourceChanges ?? {} };
    });
  }

  preview(): Promise<Run> {
    return watch(async (watching) => {
      const { stdout, changeSummary } = await this.#stack.preview(watching);
      return { text: stdout, outputs: {}, changes: changeSummary };
    });
  }

  refresh(): Promise<Run> {
    return watch(async (watching) => {
      const { stdout, summary } = await this.#stack.refresh(watching);
      return { text: stdout, outputs: {}, changes: summary.resourceChanges ?? {} };
    });
  }

  destroy(): Promise<Run> {
    return watch(async (watching) => {
      const { stdout, summary } = await this.#stack.destroy(watching);
      return { text: stdout, outputs: {}, changes: summary.resourceChanges ?? {} };
    });
  }

  /** The deployments that the state holds. */
  async deployments(): Promise<StateResource[]> {
    const { deployment }: StackState = await this.#stack.exportStack();
    const resources: unknown = deployment.resources;
    if (!Array.isArray(resources)) return [];
    return resources
      .filter(({ type }) => String(type).endsWith("agentserver:Deployment"))
      .map(({ id, inputs, outputs, initErrors }) => ({
        id: String(id),
        inputs: Object(inputs),
        outputs: Object(outputs),
        initErrors: Array.isArray(initErrors) ? initErrors : [],
      }));
  }

  /** The deployment that the state holds; fails unless there is exactly one. */
  async deployment(): Promise<StateResource> {
    const [only, ...others] = await this.deployments();
    if (only === undefined || others.length > 0)
      throw new Error(`the state holds ${others.length + (only ? 1 : 0)} deployments`);
    return only;
  }

  /** Everything that the backend keeps, as it lies on the disk. */
  async stateFiles(): Promise<string> {
    const dir = join(this.project.dir, "backend");
    const entries = await readdir(dir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const texts = files.map((file) => readFile(join(file.parentPath, file.name), "utf8"));
    return (await Promise.all(texts)).join("\n");
  }

  /** The URN of the test's deployment. */
  urn(name = "support"): string {
    return `urn:pulumi:test::shop::pulumi-nodejs:dynamic/agentserver:Deployment::${name}`;
  }

  remove(): Promise<void> {
    return this.project.remove();
  }
}

type Done = Pick<Run, "text" | "outputs" | "changes">;
type Watching = { onEvent: (event: EngineEvent) => void };

/** The engine's own debugging lines arrive as diagnostics too. */
const DIAGNOSTICS = new Set<string>(["error", "warning", "info", "info#err"]);

async function watch(work: (watching: Watching) => Promise<Done>): Promise<Run> {
  const messages: string[] = [];
  const onEvent = ({ diagnosticEvent: diagnostic }: EngineEvent): void => {
    if (diagnostic && !diagnostic.ephemeral && DIAGNOSTICS.has(diagnostic.severity))
      messages.push(diagnostic.message.trim());
  };
  try {
    return { ok: true, messages, ...(await work({ onEvent })) };
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { ok: false, messages, text, outputs: {}, changes: {} };
  }
}
