import { all, Config, interpolate, output, secret, StackReference } from "@pulumi/pulumi";
import {
  Deployment,
  type DeploymentArgs,
  type DeploymentSource,
  type ExternalContainerDeploymentArgs,
  getIntegrationOutput,
  Listener,
  type ResourceSpecArgs,
  Thread,
} from "pulumi-agentserver";

// Programs as users write them.

const config = new Config();
const integrationId = getIntegrationOutput().id;
const repoUrl = "https://git.example.com/acme/support.git";

const chat = new Deployment("chat", {
  source: "git_host",
  sourceConfig: { integrationId, repoUrl, deploymentType: config.require("deploymentType") },
  sourceRevisionConfig: { repoRef: config.get("ref") ?? "main", graphConfigPath: "langgraph.json" },
  secrets: { KEY: config.requireSecret("key") },
  name: config.get("name"),
});

// Outputs in the place of values, of members, and of whole arguments.
export const outputs = [
  new Deployment("whole", {
    source: output("git_host" as const),
    sourceConfig: output({ integrationId, repoUrl: chat.name, deploymentType: "dev" as const }),
    sourceRevisionConfig: chat.name.apply((repoRef) => ({ repoRef, graphConfigPath: "a.json" })),
    env: output({ PEER: chat.url }),
    secrets: secret({ KEY: "value" }),
    wait: output({ until: "active" as const }),
  }),
  new Deployment("inside", {
    source: "git_host",
    sourceConfig: output({ repoUrl: chat.name, deploymentType: "dev" as const, integrationId }),
    sourceRevisionConfig: {
      repoRef: new StackReference("acme/shop/dev").getOutput("ref"),
      graphConfigPath: interpolate`${chat.name}.json`,
    },
    env: all([chat.env, chat.name]).apply(([env, name]) => ({ ...env, NAME: name })),
    redeployOn: chat.sourceConfig,
  }),
  new Deployment("later", {
    source: Promise.resolve("external_container" as const),
    sourceRevisionConfig: { imageUri: Promise.resolve("registry.example.com/agent:1") },
  }),
  new Deployment("pods", {
    source: "external_container",
    sourceConfig: {
      listenerId: new Listener("cluster", { computeType: "k8s", computeId: "c", computeConfig: {} })
        .id,
      listenerConfig: { k8sNamespace: output("agents") },
      resourceSpec: {
        cpu: output(0.5),
        labels: { team: chat.name },
        volumes: [{ name: "scratch", emptyDir: { sizeLimit: "1Gi" } }],
        sidecars: [
          {
            name: "metrics",
            image: interpolate`registry.example.com/metrics:${chat.imageVersion}`,
            env: [{ name: "AGENT", value: chat.name }],
            volumeMounts: [{ name: "scratch", mountPath: "/scratch" }],
          },
        ],
      },
    },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
  }),
];

// A table of environments, of different sources.
const environments: Readonly<Record<string, DeploymentArgs>> = {
  dev: {
    source: "git_host",
    sourceConfig: { integrationId, repoUrl, deploymentType: "dev", buildOnPush: true },
    sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
  },
  production: {
    source: "external_container",
    sourceConfig: { resourceSpec: config.requireObject<ResourceSpecArgs>("size") },
    sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
    onFailure: "rollback",
  },
  inner: { source: "internal_container" },
};
export const urls = Object.entries(environments).map(
  ([name, args]) => new Deployment(name, { ...args, env: { STAGE: name } }).url,
);

// A table that says what differs.
const sizes = { small: { cpu: 0.5, memoryMb: 512 }, large: { cpu: 4, memoryMb: 8192 } } as const;
for (const [name, resourceSpec] of Object.entries(sizes))
  new Deployment(name, {
    ...imageOf(name),
    sourceConfig: { resourceSpec: { ...resourceSpec, queueCpu: 0.5 } },
  });

function imageOf(name: string): ExternalContainerDeploymentArgs {
  const imageUri = `registry.example.com/${name}:1`;
  return { source: "external_container", sourceRevisionConfig: { imageUri } };
}

function argsOf(image: string | undefined): DeploymentArgs {
  if (image !== undefined) return imageOf(image);
  return {
    source: "git_host",
    sourceConfig: { integrationId, repoUrl, deploymentType: "prod" },
    sourceRevisionConfig: { repoRef: "refs/tags/v1", graphConfigPath: "langgraph.json" },
  };
}
new Deployment("either", argsOf(config.get("image")));
new Deployment("spread", { ...argsOf(config.get("image")), smokeCheck: { graphId: "agent" } });

// A source that the configuration names.
new Deployment("named", {
  source: config.require("source") as DeploymentSource,
  sourceConfig: { repoUrl: config.get("repoUrl"), customUrl: config.get("customUrl") },
  sourceRevisionConfig: { imageUri: config.get("imageUri"), repoRef: config.get("repoRef") },
});
const source = config.require("source") as DeploymentSource;
new Deployment("cast once", { source, sourceConfig: { repoUrl: config.get("repoUrl") } });
new Deployment("of an output", {
  source: output(config.require<"git_host" | "external_container">("source")),
  sourceRevisionConfig: { imageUri: config.get("imageUri") },
});
if (source === "internal_container") new Deployment("narrowed", { source });

new Thread("chat", { deploymentUrl: chat.url, graphId: config.get("graph"), metadata: { a: 1 } });
