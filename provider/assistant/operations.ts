import { defaultAssistantId } from "../../sdk/schema";
import { isLost, withKeptDeployment } from "../agent-server/deployment";
import { ownId } from "../agent-server/own-id";
import { readOnServer } from "../agent-server/recorded";
import type { Context } from "../resource/context";
import { defineLifecycle } from "../resource/define-lifecycle";
import { identityOf } from "../../shared/urn";
import { known } from "../arguments/decode";
import type { Props } from "../arguments/props";
import { RESOURCE_TYPES } from "../resource-types";
import { createAssistant, findUnconfirmed } from "./create";
import { deleteAssistant } from "./delete";
import { assistantArguments, type Declared, describeCreate, difference, LOSS } from "./diff";
import { READING } from "./read";
import { schemaWarnings, serverRefusals } from "./server-checks";
import { updateAssistant } from "./update";
import { NOUN, OBSERVED_NAMES, UNDECLARED } from "./values";

/** The lifecycle of an `Assistant`, which lives on an agent server. */
export const assistantLifecycle = defineLifecycle<Declared>(RESOURCE_TYPES.Assistant, {
  arguments: assistantArguments.rows,
  declared: assistantArguments.decode,
  state: assistantArguments.decode,
  nameOf: ({ name }) => known(name),
  secretsOf: ({ apiKey }) => [known(apiKey)],
  serviceOutputs: OBSERVED_NAMES,
  unsettledOutputs: (olds, news) =>
    assistantArguments.sent(olds, news).length > 0 ? ["version", "updatedAt"] : [],
  undeclared: UNDECLARED,
  check: (olds, news, context) => {
    const inputs = withDefaults(olds, withKeptDeployment(olds, news, context), context);
    const declared = assistantArguments.decode(inputs);
    return {
      inputs,
      problems: assistantArguments.problems(inputs),
      message: describeCreate(declared),
    };
  },
  refusalsOf: [serverRefusals],
  warningsOf: schemaWarnings,
  describeReplacement: () => LOSS,
  difference: (_, olds, news, context) => difference(olds, news, isLost(olds, news, context)),
  create: createAssistant,
  read: (...args) => readOnServer(READING, ...args),
  update: updateAssistant,
  delete: deleteAssistant,
  findUnconfirmed,
});

/** The inputs with an id, which stays where the resource has one, and with a name. */
function withDefaults(olds: Props, news: Props, context: Context): Props {
  const { name, activeVersion } = news;
  const assistantId = news["assistantId"] ?? olds["assistantId"] ?? ownId(context, NOUN);
  const isNamed = (name ?? activeVersion ?? undefined) !== undefined;
  const id = typeof assistantId === "string" ? assistantId.toLowerCase() : assistantId;
  return { ...news, assistantId: id, ...(!isNamed && { name: defaultName(id, news, context) }) };
}

/** A default assistant has its graph's name, which the Python server sets again at each start. */
function defaultName(id: unknown, { graphId }: Props, { urn = "" }: Context): string {
  const isDefault = typeof graphId === "string" && id === defaultAssistantId(graphId);
  return isDefault ? graphId : identityOf(urn).logicalName;
}
