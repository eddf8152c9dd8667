import { z } from "zod";
import { AssistantId, CreateAssistant, defaultAssistantId } from "../../sdk/schema";
import { replacementOn } from "../agent-server/deployment";
import { METADATA_OF_RUNS, RUN_CONFIG } from "../agent-server/run-config";
import type { Difference } from "../resource/define-lifecycle";
import { describeAdoption } from "../resource/ownership";
import { ApiKey } from "../arguments/api-key";
import { defineArguments } from "../arguments/arguments";
import { DeploymentUrl } from "../arguments/deployment-url";
import { known } from "../arguments/decode";
import { DeclaredRun, describeGate, GATE_LIMITS, gateIn } from "../gate/gate";
import { excluded } from "../arguments/problems";
import { hasUnknown, sameValue } from "../arguments/props";

const text = z.string().min(1);
const wire = CreateAssistant.shape;

/** The arguments of an `Assistant`. */
export const assistantArguments = defineArguments(
  {
    deploymentUrl: { schema: DeploymentUrl, effect: "replace" },
    assistantId: { schema: AssistantId.optional(), effect: "replace" },
    graphId: { schema: text, effect: "settings" },
    name: { schema: text.optional(), effect: "settings" },
    description: { schema: z.string().optional(), effect: "settings" },
    config: RUN_CONFIG,
    context: { schema: wire.context, effect: "settings" },
    metadata: { schema: wire.metadata, effect: "settings" },
    activeVersion: { schema: z.int().min(1).optional(), effect: "settings" },
    gate: {
      schema: z.object({ runs: z.array(DeclaredRun).min(1), ...GATE_LIMITS }).optional(),
      decode: gateIn,
      effect: "none",
    },
    apiKey: { schema: ApiKey.optional(), effect: "none" },
    deploymentId: { schema: text.optional(), effect: "none" },
    adoptExisting: { schema: z.boolean().optional(), effect: "none" },
    deleteThreads: { schema: z.boolean().optional(), effect: "none" },
    forceDelete: { schema: z.boolean().optional(), effect: "none" },
  },
  [
    excluded(
      "config.configurable",
      "cannot be combined with context, which servers refuse; put its values into context, its newer form",
      "context",
    ),
    ...["name", "description", "config", "context"].map((path) =>
      excluded(
        path,
        "cannot be combined with activeVersion, which sets that version's value",
        "activeVersion",
      ),
    ),
    ...METADATA_OF_RUNS,
    {
      of: ["assistantId", "graphId", "adoptExisting"],
      property: "assistantId",
      reason:
        "is the default assistant of this graph, which the server itself creates; set adoptExisting: true to change it",
      isBroken: ({ assistantId, graphId, adoptExisting }) =>
        typeof graphId === "string" &&
        assistantId === defaultAssistantId(graphId) &&
        adoptExisting !== true,
    },
  ],
);

/** The declared state of an assistant, or the recorded one. */
export type Declared = ReturnType<typeof assistantArguments.decode>;

/** The effect of a replacement on the existing assistant. */
export const LOSS = "deleted first, its versions and crons are deleted with it, its threads stay";

/** Compares a state with inputs: every change of what the server keeps is one new version. */
export function difference(olds: Declared, news: Declared, isLost = false): Difference {
  const changes = assistantArguments.changes(olds, news);
  const result = changes.changed.length > 0 ? {} : { changes: false };
  return replacementOn(changes, LOSS, isLost) ?? { result, message: versionMessage(olds, news) };
}

/** What a create's own line in the preview does not say. */
export function describeCreate(declared: Declared): string | undefined {
  const { assistantId, props } = declared;
  const parts = [
    describeAdoption(props, "assistant", assistantId),
    describeGateFirst(declared),
  ].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join("; ") : undefined;
}

/** The gate that comes first, since its runs cost what models cost. */
function describeGateFirst({ gate }: Declared): string | undefined {
  const declared = known(gate);
  return declared && `${describeGate(declared)} comes first`;
}

export const IN_RUNS = ["graphId", "config", "context", "activeVersion"];

function versionMessage(olds: Declared, news: Declared): string | undefined {
  const sent = assistantArguments.sent(olds, news);
  if (sent.length === 0) return undefined;
  const gate = sent.some((name) => IN_RUNS.includes(name)) ? describeGateFirst(news) : undefined;
  return [versionText(sent, news), ...(gate === undefined ? [] : [gate])].join("; ");
}

function versionText(sent: readonly string[], news: Declared): string {
  const open = sent.filter((name) => hasUnknown(news.props[name]));
  const changed = sent.filter((name) => !open.includes(name));
  if (changed.length === 0)
    return `an update may create a version, depending on a value known only during the update (${open.join(", ")})`;
  if (sameValue(sent, ["name"]))
    return "an update creates a version in which only the name differs";
  const version = known(news.activeVersion);
  if (sent.includes("activeVersion") && version !== undefined)
    return `an update creates a version with the values of version ${version}`;
  return `an update creates a version: ${changed.join(", ")} changed`;
}
