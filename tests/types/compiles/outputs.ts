import type { Output } from "@pulumi/pulumi";
import { Assistant, Deployment, Listener, OAuthProvider, Thread } from "pulumi-agentserver";

// The types of outputs; members of one that may be null are outputs themselves.

const chat = Deployment.get("chat", "11111111-1111-4111-8111-111111111111");
const thread = Thread.get("fixture", "id", { deploymentUrl: chat.url });
const listener = Listener.get("cluster", "id");
const german = Assistant.get("german", "id", { deploymentUrl: chat.url });
const tracker = OAuthProvider.get("tracker", "tracker");

export const url: Output<string> = chat.url;
export const revision: Output<string> = chat.activeRevisionId;
export const repoUrl: Output<string | undefined> = chat.sourceConfig.repoUrl;
export const buildsOnPush: Output<boolean | undefined> = chat.sourceConfig.buildOnPush;
export const repoRef: Output<string | undefined> = chat.sourceRevisionConfig.repoRef;
export const level: Output<string | undefined> = chat.env["LOG_LEVEL"] ?? chat.name;
export const failed: Output<string | undefined> = chat.failedRevision.status;
export const goodRef: Output<string | null | undefined> = chat.lastGoodRevision.repoRef;
export const goodId: Output<string | undefined> = chat.lastGoodRevision.id;
export const statuses: Output<string[]> = chat.revisions.apply((all) =>
  all.map(({ status }) => status),
);
export const cpu: Output<number | null | undefined> = chat.sourceConfig.apply(
  (config) => config?.resourceSpec?.cpu,
);
export const state: Output<"pending" | "done" | "failed"> = chat.rollout.state;
export const namespaces: Output<string[] | undefined> = listener.computeConfig.k8sNamespaces;
export const graph: Output<string | null> = thread.graphId;
export const nodes: Output<string[] | undefined> = thread.supersteps.apply((steps) =>
  steps?.flatMap(({ updates }) => updates.map(({ asNode }) => asNode)),
);
export const ids: Output<string>[] = [listener.id, thread.threadId, german.assistantId];
export const version: Output<number> = german.version;
export const address: Output<string> = thread.deploymentUrl;
export const latest: Output<string> = chat.latestRevisionId;
export const slug: Output<string> = tracker.providerId;
