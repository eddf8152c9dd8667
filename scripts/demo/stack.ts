import {
  type ConfigMap,
  LocalWorkspace,
  type OutputMap,
  type Stack,
} from "@pulumi/pulumi/automation";
import type { Project } from "../project";

/** The example as a stack on the real engine, with a file backend in the project's folder. */
export class DemoStack {
  readonly #stack: Stack;
  readonly #onOutput: (text: string) => void;
  readonly #signal: AbortSignal;

  private constructor(stack: Stack, onOutput: (text: string) => void, signal: AbortSignal) {
    this.#stack = stack;
    this.#onOutput = onOutput;
    this.#signal = signal;
  }

  static async create(
    project: Project,
    onOutput: (text: string) => void,
    signal: AbortSignal,
  ): Promise<DemoStack> {
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName: "demo", workDir: project.dir },
      { envVars: { ...project.environment } },
    );
    return new DemoStack(stack, onOutput, signal);
  }

  configure(config: ConfigMap): Promise<void> {
    return this.#stack.setAllConfig(config);
  }

  async up(): Promise<OutputMap> {
    const { outputs } = await this.#stack.up(this.#options());
    return outputs;
  }

  /** The output of the preview, and the number of resources by their planned change. */
  async preview(): Promise<{ text: string; changes: Readonly<Record<string, number>> }> {
    const { stdout, changeSummary } = await this.#stack.preview(this.#options());
    return { text: stdout, changes: changeSummary };
  }

  async destroy(): Promise<void> {
    await this.#stack.destroy(this.#options());
  }

  #options() {
    return { onOutput: this.#onOutput, signal: this.#signal, color: "never" } as const;
  }
}
