import { ComponentResource, interpolate, type Output } from "@pulumi/pulumi";
import { Deployment, getThreadStateOutput, Thread } from "pulumi-agentserver";
import type { Expected, Settings } from "../support/corpus";

/** An agent with the conversations that a demo finds on it; thread and deployment have the same name. */
class Demo extends ComponentResource {
  readonly threadIds: Output<string>[];
  readonly values;

  constructor(name: string, team: string) {
    super("shop:index:Demo", name);
    const options = { parent: this as ComponentResource };
    const { url } = new Deployment(
      name,
      {
        source: "external_container",
        sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1" },
      },
      options,
    );
    const thread = (logicalName: string, metadata: Record<string, string>) =>
      new Thread(
        logicalName,
        {
          deploymentUrl: url,
          graphId: "agent",
          metadata,
          supersteps: [
            {
              updates: [
                {
                  asNode: "__start__",
                  values: { messages: [{ type: "human", content: interpolate`I am at ${url}` }] },
                },
              ],
            },
          ],
        },
        options,
      );
    const threads = [thread(name, { team: "a" }), thread(`${name}-refund`, { team })];
    this.threadIds = threads.map(({ threadId }) => threadId);
    this.values = this.threadIds.map(
      (threadId) => getThreadStateOutput({ deploymentUrl: url, threadId }).values,
    );
    this.registerOutputs({ url });
  }
}

export function program(_: Settings, version: number) {
  const { threadIds, values } = new Demo("demo", version === 1 ? "b" : "c");
  return { threadIds, values };
}

export const expected: Expected = {
  driver: "process",
  steps: { "Demo$Thread demo-refund": "update" },
  kept: ["threadIds", "values"],
};
