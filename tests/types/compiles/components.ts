import {
  ComponentResource,
  type ComponentResourceOptions,
  type Input,
  output,
  type Output,
} from "@pulumi/pulumi";
import {
  type AnySourceDeploymentArgs,
  Deployment,
  type DeploymentArgs,
  type DeploymentSource,
  type ExternalContainerDeploymentArgs,
  type GitHostDeploymentArgs,
  type GitHostSourceConfigArgs,
  type ResourceSpecArgs,
  type WaitArgs,
} from "pulumi-agentserver";

// Components that wrap a deployment and take its arguments.

interface AgentArgs extends GitHostDeploymentArgs {
  readonly alerts: Input<string>;
}

export class Agent extends ComponentResource {
  readonly url: Output<string>;

  constructor(name: string, { alerts, ...args }: AgentArgs, options?: ComponentResourceOptions) {
    super("shop:index:Agent", name, {}, options);
    const env = output(args.env).apply((variables) => ({ ...variables, TEAM: "shop" }));
    const { url } = new Deployment(name, { ...args, env }, { parent: this });
    this.url = url;
    this.registerOutputs({ url, alerts });
  }
}

export class AnyAgent extends ComponentResource {
  constructor(name: string, args: DeploymentArgs, more: Input<Record<string, Input<string>>>) {
    super("shop:index:Agent", name);
    new Deployment(name, args, { parent: this });
    new Deployment(name, { ...args, secrets: more, smokeCheck: true }, { parent: this });
    if (args.source === "git_host")
      new Deployment(name, { ...args, wait: { until: "deployed" } }, { parent: this });
  }
}

type LabelledArgs = DeploymentArgs & { readonly label: string };

export function labelled({ label, ...args }: LabelledArgs) {
  return new Deployment(label, { ...args, redeployOn: label });
}

/** Every argument may be left out, and may be an output. */
interface ImageArgs {
  readonly imageUri: Input<string>;
  readonly cpu?: Input<number>;
  readonly env?: Readonly<Record<string, Input<string>>>;
  readonly wait?: WaitArgs | undefined;
  readonly name?: Output<string | undefined>;
  readonly resourceSpec?: ResourceSpecArgs;
}

export function imageAgent(name: string, args: ImageArgs) {
  const { cpu, env, imageUri, resourceSpec = {}, wait } = args;
  return new Deployment(name, {
    name: args.name,
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu, ...resourceSpec } },
    sourceRevisionConfig: { imageUri },
    env,
    secrets: undefined,
    wait,
  });
}

/** A source that only the caller knows. */
interface SourceArgs extends Omit<AnySourceDeploymentArgs, "source"> {
  readonly source: Input<DeploymentSource>;
}

export function anyAgent(name: string, { source, ...args }: SourceArgs) {
  return new Deployment(name, { ...args, source: output(source) });
}

export class HouseAgent extends Deployment {
  constructor(name: string, args: Omit<ExternalContainerDeploymentArgs, "source" | "wait">) {
    super(name, { ...args, source: "external_container", wait: { until: "none" } });
  }
}

const defaults: Partial<GitHostDeploymentArgs> = { onFailure: "keep", env: { LOG_LEVEL: "info" } };
const repository: Omit<GitHostSourceConfigArgs, "repoUrl"> = {
  integrationId: "11111111-1111-4111-8111-111111111111",
  deploymentType: "dev",
};

export function gitArgs(
  repoUrl: Input<string>,
  changes: Partial<GitHostDeploymentArgs>,
): GitHostDeploymentArgs {
  return {
    source: "git_host",
    sourceConfig: { ...repository, repoUrl },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
    ...defaults,
    ...changes,
  };
}
