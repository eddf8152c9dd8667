import { Deployment, Listener, Provider, Thread } from "pulumi-agentserver";
import type { LocalPlatform } from "pulumi-agentserver/local";

const cluster = { computeType: "k8s", computeId: "cluster-1" };

// @ts-expect-error: Property 'computeConfig' is missing … required in type 'ListenerArgs'
new Listener("no configuration", cluster);

// @ts-expect-error: 'k8sNamespace' does not exist in type 'Input<ComputeConfigArgs>'
new Listener("a misspelt field", { ...cluster, computeConfig: { k8sNamespace: ["agents"] } });

// @ts-expect-error: Property 'deploymentUrl' is missing … required in type 'ThreadArgs'
new Thread("no server", { graphId: "agent" });

new Thread("a field of the wire", {
  deploymentUrl: "https://agent.example.com",
  // @ts-expect-error: 'as_node' does not exist in type 'Input<UpdateArgs>'
  supersteps: [{ updates: [{ as_node: "agent", values: {} }] }],
});

// @ts-expect-error: 'baseURL' does not exist in type 'ProviderArgs'. Did you mean to write 'baseUrl'?
new Provider("a misspelt setting", { baseURL: "https://eu.example.com" });

// @ts-expect-error: Type '"langchain"' is not assignable to type 'Input<
new Provider("a dialect that there is not", { dialect: "langchain" });

const chat = Deployment.get("chat", "id");
// @ts-expect-error: 'config' is possibly 'null'
chat.sourceConfig.apply((config) => config.repoUrl);
// @ts-expect-error: Property 'repoURL' does not exist
chat.sourceConfig.repoURL.apply(String);

export const faults = ({ admin }: LocalPlatform) =>
  // @ts-expect-error: Type '"explode"' is not assignable
  admin.addFault({ match: {}, action: "explode" });
