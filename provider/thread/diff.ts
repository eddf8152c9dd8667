import { z } from "zod";
import { CreateThread, ThreadId } from "../../sdk/schema";
import { replacementOn } from "../agent-server/deployment";
import type { Difference } from "../resource/define-lifecycle";
import { ApiKey } from "../arguments/api-key";
import { defineArguments } from "../arguments/arguments";
import { camelSchema } from "../arguments/camel-schema";
import { DeploymentUrl } from "../arguments/deployment-url";
import { caseless } from "../arguments/forms";
import { excluded } from "../arguments/problems";
import { valueAt } from "../arguments/props";

const GRAPH_MEMBER = "metadata.graph_id";
const text = z.string().min(1);
const { metadata, supersteps } = CreateThread.shape;

/** The arguments of a `Thread`: it is created from the immutable ones. */
export const threadArguments = defineArguments(
  {
    deploymentUrl: { schema: DeploymentUrl, effect: "replace" },
    graphId: { schema: text.optional(), effect: "replace" },
    supersteps: { schema: camelSchema(supersteps), effect: "replace" },
    copyFrom: { schema: ThreadId.optional(), form: caseless, effect: "replace" },
    metadata: { schema: metadata, effect: "settings" },
    apiKey: { schema: ApiKey.optional(), effect: "none" },
    deploymentId: { schema: text.optional(), effect: "none" },
  },
  [
    {
      of: [GRAPH_MEMBER, "graphId"],
      property: GRAPH_MEMBER,
      reason: "cannot differ from graphId; set graphId instead",
      isBroken: (inputs) => ![undefined, inputs["graphId"]].includes(valueAt(inputs, GRAPH_MEMBER)),
    },
    excluded(
      "copyFrom",
      "cannot be combined with supersteps: a copy has those of its source",
      "supersteps",
    ),
  ],
);

/** The declared state of a thread, or the recorded one. */
export type Declared = ReturnType<typeof threadArguments.decode>;

/** The effect of a replacement on the existing thread. */
export const LOSS = "deleted first, its conversation is deleted with it";

/** Compares a state with inputs: only the metadata, the key and the deployment's id change in place. */
export function difference(olds: Declared, news: Declared, isLost = false): Difference {
  const changes = threadArguments.changes(olds, news);
  const result = changes.changed.length > 0 ? {} : { changes: false };
  return replacementOn(changes, LOSS, isLost) ?? { result, message: undefined };
}
