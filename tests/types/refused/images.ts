import { Deployment } from "pulumi-agentserver";

const sourceRevisionConfig = { imageUri: "registry.example.com/agent:1" };

// @ts-expect-error: Property 'sourceRevisionConfig' is missing … required in type 'ExternalContainerDeploymentArgs'
new Deployment("no image", { source: "external_container" });

new Deployment("a ref", {
  source: "external_container",
  // @ts-expect-error: 'repoRef' does not exist in type 'Input<ExternalContainerSourceRevisionConfigArgs>'
  sourceRevisionConfig: { ...sourceRevisionConfig, repoRef: "main" },
});

new Deployment("a size in words", {
  source: "external_container",
  // @ts-expect-error: Type 'string' is not assignable to type 'Input<number | undefined>'
  sourceConfig: { resourceSpec: { cpu: "500m" } },
  sourceRevisionConfig,
});

new Deployment("a sidecar without an image", {
  source: "external_container",
  // @ts-expect-error: Property 'image' is missing … required in type 'ContainerArgs'
  sourceConfig: { resourceSpec: { sidecars: [{ name: "metrics" }] } },
  sourceRevisionConfig,
});

new Deployment("a size inside", {
  source: "internal_container",
  // @ts-expect-error: 'resourceSpec' does not exist in type 'Input<InternalContainerSourceConfigArgs>'
  sourceConfig: { resourceSpec: {} },
});
