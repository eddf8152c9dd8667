import { Deployment, Thread } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** A thread goes with its deployment, and is not deleted on its own; another one is a copy of it. */
export function program(_: Settings, version: number) {
  const agent = new Deployment("agent", {
    source: "external_container",
    sourceRevisionConfig: { imageUri: `registry.example.com/acme/agent:${version}` },
  });
  const options = { deletedWith: agent };
  const fixture = new Thread("fixture", { deploymentUrl: agent.url, graphId: "agent" }, options);
  const args = { deploymentUrl: agent.url, graphId: "agent", copyFrom: fixture.threadId };
  const copy = new Thread("copy", args, options);
  return { ids: [fixture.id, copy.id] };
}

export const expected: Expected = {
  tier: "nightly",
  driver: "process",
  steps: { "Deployment agent": "update" },
  kept: ["ids"],
};
