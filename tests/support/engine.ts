import {
  type ConfigMap,
  type Deployment as StackState,
  type DestroyOptions,
  LocalWorkspace,
  type LocalWorkspaceOptions,
  type OutputMap,
  PulumiCommand,
  type PulumiFn,
  type RefreshOptions,
  Stack,
  type UpOptions,
} from "@pulumi/pulumi/automation";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { runtime } from "@pulumi/pulumi";
import { recordOf } from "../../shared/records";
import { makeProject, type Project, REPOSITORY } from "../../scripts/project";
import type { LocalPlatform, LocalPlatformOptions } from "../../local";
import { type FrontEnd, DYNAMIC, nativePlugin } from "./front-ends";
import { later } from "./later";
import { startTestPlatform, type TestPlatform } from "./platform";
import { type Run, watch } from "./run";
import {
  deploymentsIn,
  logicalName,
  resourcesIn,
  type StateResource,
  type StoredResource,
  storedResources,
  storedState,
  textsIn,
} from "./state";

/*
 * Lets each run of an inline program connect to its engine by itself. Connections of one process are shared by address
 * otherwise, also one to an engine that has ended: where the next engine gets its port, the program gets `14 UNAVAILABLE:
 * No connection established`, and the run fails or takes the program for an empty one. Older SDKs name the options otherwise.
 */
const connections = ["grpcClientOptions", "grpcChannelOptions"].find((name) =>
  Reflect.has(runtime, name),
);
if (connections === undefined) throw new Error("Pulumi's SDK has no gRPC options by these names");
Object.assign(recordOf(Reflect.get(runtime, connections)), { "grpc.use_local_subchannel_pool": 1 });

process.env["PATH"] = `${join(REPOSITORY, "node_modules/.bin")}:${process.env["PATH"]}`;

/** The command-line options of a run. */
type RunOptions = Pick<
  UpOptions,
  "continueOnError" | "diff" | "plan" | "policyPacks" | "refresh" | "replace" | "target"
>;

/** Settings that lead to a platform, its key being a secret. */
export function settingsFor(
  platform: Pick<LocalPlatform, "url" | "apiKey" | "workspaceId">,
): ConfigMap {
  return {
    "agentserver:baseUrl": { value: platform.url },
    "agentserver:apiKey": { value: platform.apiKey, secret: true },
    "agentserver:workspaceId": { value: platform.workspaceId },
  };
}

/** A program that is given the classes of the front end that it runs through. */
export type Program = (sdk: FrontEnd["sdk"]) => ReturnType<PulumiFn>;

/** A stack on the real engine with an inline program, its state in a file of a temporary project. */
export class TestStack {
  readonly project: Project;
  /** Number of resources that the inline program declared in this run, once it came to its end. */
  #declared: number | undefined;
  #frontEnd: FrontEnd;
  #projectName: string;
  #stack: Stack;

  private constructor(project: Project, projectName: string, stack: Stack, frontEnd: FrontEnd) {
    this.project = project;
    this.#projectName = projectName;
    this.#frontEnd = frontEnd;
    this.#stack = withoutFollowUps(stack);
    if (stack.workspace.program) this.program = stack.workspace.program;
  }

  static async create(
    config: ConfigMap,
    program: Program,
    frontEnd: FrontEnd = DYNAMIC,
  ): Promise<TestStack> {
    const project = await makeProject("agentserver-engine-");
    const projectName = "shop";
    const stack = await LocalWorkspace.createStack(
      { stackName: "test", projectName, program: () => program(frontEnd.sdk) },
      await workspaceIn(project, projectName),
    );
    if (Object.keys(config).length > 0) await stack.setAllConfig(config);
    return new TestStack(project, projectName, stack, frontEnd);
  }

  /** A stack of the Pulumi project in a folder: its program, and its settings where it has a file of them. */
  static async inFolder(project: Project, stackName: string): Promise<TestStack> {
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName, workDir: project.dir },
      await workspaceIn(project),
    );
    const { name } = await stack.workspace.projectSettings();
    return new TestStack(project, name, stack, DYNAMIC);
  }

  /** Another stack of the same project. */
  async beside(stackName: string, config: ConfigMap, program: Program): Promise<TestStack> {
    const projectName = this.#projectName;
    const stack = await LocalWorkspace.createStack(
      { stackName, projectName, program: () => program(this.#frontEnd.sdk) },
      await workspaceIn(this.project, projectName),
    );
    await stack.setAllConfig(config);
    return new TestStack(this.project, projectName, stack, this.#frontEnd);
  }

  set program(program: Program) {
    this.#stack.workspace.program = async () => {
      let declared = 0;
      runtime.registerStackTransformation(() => {
        declared += 1;
        return undefined;
      });
      const outputs = await program(this.#frontEnd.sdk);
      this.#declared = declared;
      return outputs;
    };
  }

  /** Programs that are set from here on use the classes of this front end. */
  set frontEnd(frontEnd: FrontEnd) {
    this.#frontEnd = frontEnd;
  }

  configure(config: ConfigMap): Promise<void> {
    return this.#stack.setAllConfig(config);
  }

  /** Throws where the run is green though the engine heard nothing of what the program declares. */
  async up(options: RunOptions = {}): Promise<Run> {
    return this.#confirm(await watch((watching) => this.#stack.up({ ...options, ...watching })));
  }

  /** Throws as `up` does. */
  async preview(options: RunOptions = {}): Promise<Run> {
    return this.#confirm(
      await watch((watching) => this.#stack.preview({ ...options, ...watching })),
    );
  }

  refresh(options: Pick<RefreshOptions, "runProgram"> = {}): Promise<Run> {
    return watch((watching) => this.#stack.refresh({ ...options, ...watching }));
  }

  destroy(options: Pick<DestroyOptions, "refresh"> = {}): Promise<Run> {
    return watch((watching) => this.#stack.destroy({ ...options, ...watching }));
  }

  /** The stack's outputs as the last run left them. */
  outputs(): Promise<OutputMap> {
    return Stack.prototype.outputs.call(this.#stack);
  }

  /** Marks a deployment for replacement, as `pulumi state taint` does. */
  taint(name?: string): Promise<void> {
    return this.#pulumi("state", "taint", this.urn(name), "--stack", this.#stack.name, "--yes");
  }

  /** Renames the stack, and its project too when another name is given. */
  async rename(stackName: string, projectName = this.#projectName): Promise<void> {
    const { workspace } = this.#stack;
    const target = `organization/${projectName}/${stackName}`;
    await this.#pulumi("stack", "rename", target, "--stack", this.#stack.name);
    await workspace.saveProjectSettings({
      ...(await workspace.projectSettings()),
      name: projectName,
    });
    this.#projectName = projectName;
    const renamed = await LocalWorkspace.selectStack(
      { stackName, projectName, program: workspace.program ?? (async () => undefined) },
      await workspaceIn(this.project, projectName),
    );
    this.#stack = withoutFollowUps(renamed);
  }

  /** The deployments that the state holds, their secrets encrypted. */
  async deployments(): Promise<StateResource[]> {
    return deploymentsIn(await this.#state());
  }

  /** The deployment that the state holds, or of several the one of that logical name; fails unless there is exactly one. */
  async deployment(name?: string): Promise<StateResource> {
    const [only, ...others] = (await this.deployments()).filter(
      (resource) => name === undefined || resource.name === name,
    );
    if (only === undefined || others.length > 0)
      throw new Error(
        `the state holds ${others.length + (only ? 1 : 0)} deployments ${name ?? ""}`,
      );
    return only;
  }

  /** Every resource of ours that the state holds, with its secrets in clear. */
  async resources(): Promise<StateResource[]> {
    return resourcesIn(await this.#stack.exportStack());
  }

  /** Puts members of resources, by logical name, into the state, as another release would have written them. */
  async rewrite(changes: Readonly<Record<string, Partial<StateResource>>>): Promise<void> {
    const state = await this.#stack.exportStack();
    const resources: { urn: string }[] = state.deployment.resources;
    for (const [name, members] of Object.entries(changes)) {
      const resource = resources.find(({ urn }) => logicalName(urn) === name);
      if (resource === undefined) throw new Error(`the state holds no ${name}`);
      Object.assign(resource, members);
    }
    await this.#stack.importStack(state);
  }

  /** Everything that the state holds, the stack itself and providers too. */
  async stored(): Promise<readonly StoredResource[]> {
    return storedResources(await this.#state());
  }

  /** The listeners that the state holds. */
  async listeners(): Promise<StateResource[]> {
    return resourcesIn(await this.#state(), "Listener");
  }

  /** Everything that the backend keeps, as it lies on the disk; or that of one folder. */
  stateFiles(folder = ""): Promise<string> {
    return textsIn(join(this.project.dir, "backend/.pulumi", folder));
  }

  /** The URN of a deployment. */
  urn(name = "support"): string {
    return `urn:pulumi:${this.#stack.name}::${this.#projectName}::${this.#frontEnd.types}Deployment::${name}`;
  }

  remove(): Promise<void> {
    return this.project.remove();
  }

  /**
   * A run may be green though the engine heard nothing of an inline program: it then takes that for an empty one. A program
   * in a folder is run by a process of its own, where it can't be seen.
   */
  #confirm(run: Run): Run {
    const declared = this.#declared;
    this.#declared = undefined;
    const isRegistered = Object.values(run.resources).some((step) => step !== "delete");
    if (!run.ok || !this.#stack.workspace.program || declared === 0) return run;
    if (declared !== undefined && isRegistered) return run;
    throw new Error(
      `the run is green, the program declared ${declared ?? "nothing and did not end"}, and the engine registered ` +
        `${isRegistered ? "some" : "none"} of it:\n${run.text}\n${run.messages.join("\n")}`,
    );
  }

  async #state(): Promise<StackState> {
    return storedState(this.project, this.#projectName, this.#stack.name);
  }

  async #pulumi(...args: string[]): Promise<void> {
    const { dir, environment } = this.project;
    const env = { ...process.env, ...environment };
    await promisify(execFile)("pulumi", [...args, "--non-interactive"], { cwd: dir, env });
  }
}

/** A platform and a stack on it, for the `describe` that calls it: `begin` comes before its tests. */
export function useStack(
  { frontEnd = DYNAMIC, ...options }: LocalPlatformOptions & { readonly frontEnd?: FrontEnd } = {},
  begin: () => unknown = () => undefined,
): { readonly test: TestPlatform; readonly stack: TestStack } {
  let test: TestPlatform | undefined;
  let stack: TestStack | undefined;
  before(async () => {
    test = await startTestPlatform(options);
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined, frontEnd);
    await begin();
  });
  after(async () => {
    await stack?.remove();
    await test?.close();
  });
  return { test: later(() => test), stack: later(() => stack) };
}

/** The command line is asked for its version once, not for every stack. */
let command: Promise<PulumiCommand> | undefined;

/** An inline program of a name can use the native provider. A folder's own project settings stay as they are. */
async function workspaceIn(project: Project, name?: string): Promise<LocalWorkspaceOptions> {
  const { dir, environment } = project;
  const pulumiCommand = await (command ??= PulumiCommand.get());
  const workspace = { workDir: dir, envVars: { ...environment }, pulumiCommand };
  if (name === undefined) return workspace;
  const plugins = await nativePlugin(project);
  const projectSettings = { name, runtime: "nodejs" as const, main: process.cwd(), plugins };
  return { ...workspace, projectSettings };
}

/** After a run the Automation API starts the command line up to three times more: who wants to know asks. */
function withoutFollowUps(stack: Stack): Stack {
  return Object.assign(stack, { outputs: async () => ({}), info: async () => undefined });
}
