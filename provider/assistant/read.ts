import type { Reading } from "../agent-server/recorded";
import { RESOURCE_TYPES } from "../resource-types";
import { withObservedVersion } from "./active-version";
import { assistantArguments, type Declared } from "./diff";
import { findRecordedAssistant, type Found } from "./server";
import { allInputs, OBSERVED_NAMES, toOutputs } from "./values";

/** Assistants, with what their server has otherwise. */
export const READING: Reading<Declared, Found> = {
  row: RESOURCE_TYPES.Assistant,
  table: assistantArguments,
  observedNames: OBSERVED_NAMES,
  instead: "a program reads it with Assistant.get",
  find: findRecordedAssistant,
  allInputs,
  toOutputs: (_server, inputs, found) => toOutputs(inputs, found),
  async toFound(server, olds, found, { log }) {
    if (found.isHidden) {
      log.warn(hiddenText(found));
      return { inputs: assistantArguments.given(olds.props), outs: olds.props };
    }
    const inputs = await withObservedVersion(server, olds, found);
    return { inputs, outs: toOutputs(inputs, found) };
  },
};

function hiddenText({ assistant_id: id, graph_id: graph }: Found): string {
  return (
    `keeps assistant ${id}: its agent server hides it, since the running revision has no graph '${graph}'; ` +
    "deploy a revision with that graph, or set another graphId"
  );
}
