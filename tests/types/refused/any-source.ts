import { Config } from "@pulumi/pulumi";
import { Deployment, type DeploymentSource } from "pulumi-agentserver";

const sourceRevisionConfig = { imageUri: "registry.example.com/agent:1" };

new Deployment("a source that there is not", {
  // @ts-expect-error: Type '"github"' is not assignable to type '… DeploymentSource
  source: "github",
  sourceRevisionConfig,
});

// @ts-expect-error: Property 'source' is missing
new Deployment("no source", { sourceRevisionConfig });

const source = new Config().require("source");
// @ts-expect-error: Type 'string' is not assignable to type '… DeploymentSource
new Deployment("a source that is not cast", { source, sourceRevisionConfig });

const dynamic = new Config().require("source") as DeploymentSource;
// @ts-expect-error: 'repoURL' does not exist in type
new Deployment("a misspelt field", { source: dynamic, sourceConfig: { repoURL: "https://x" } });

const image = (imageUri: string) => ({
  source: "external_container",
  sourceRevisionConfig: { imageUri },
});
// @ts-expect-error: Types of property 'source' are incompatible … Type 'string' is not assignable
new Deployment("a helper without `as const`", image("registry.example.com/agent:1"));

new Deployment("a variable that may be undefined", {
  source: "external_container",
  sourceRevisionConfig,
  // @ts-expect-error: Type 'string | undefined' is not assignable to type 'Input<string | null>'
  secrets: { KEY: process.env["KEY"] },
});
