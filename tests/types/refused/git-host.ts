import { output } from "@pulumi/pulumi";
import { Deployment } from "pulumi-agentserver";

const integrationId = "11111111-1111-4111-8111-111111111111";
const repoUrl = "https://git.example.com/acme/support.git";
const sourceConfig = { integrationId, repoUrl, deploymentType: "dev" } as const;
const sourceRevisionConfig = { repoRef: "main", graphConfigPath: "langgraph.json" };

new Deployment("a required field is missing", {
  source: "git_host",
  // @ts-expect-error: Property 'repoUrl' is missing … required in type 'GitHostSourceConfigArgs'
  sourceConfig: { integrationId, deploymentType: "dev" },
  sourceRevisionConfig,
});

new Deployment("an image", {
  source: "git_host",
  sourceConfig,
  // @ts-expect-error: 'imageUri' does not exist in type 'Input<GitHostSourceRevisionConfigArgs>'
  sourceRevisionConfig: { ...sourceRevisionConfig, imageUri: "registry.example.com/agent:1" },
});

new Deployment("a field in the wrong place", {
  source: "git_host",
  // @ts-expect-error: 'repoUrl' does not exist in type 'GitHostDeploymentArgs'
  repoUrl,
  sourceConfig,
  sourceRevisionConfig,
});

new Deployment("a type that there is not", {
  source: "git_host",
  // @ts-expect-error: Type '"production"' is not assignable to type 'Input<
  sourceConfig: { integrationId, repoUrl, deploymentType: "production" },
  sourceRevisionConfig,
});

new Deployment("an output that lacks a field", {
  source: "git_host",
  // @ts-expect-error: Property 'deploymentType' is missing … required in type 'GitHostSourceConfigArgs'
  sourceConfig: output({ integrationId, repoUrl }),
  sourceRevisionConfig,
});
