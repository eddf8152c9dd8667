import { z } from "zod";
import { defaultAssistantId } from "../../sdk/schema";
import { isRecord } from "../../shared/records";
import { serverOf } from "../agent-server/server";
import type { Context } from "../kind/context";
import { known } from "../arguments/decode";
import { hasUnknown, type Props, sameValue } from "../arguments/props";
import { assistantArguments } from "./diff";

/** A preview does not wait longer: the JavaScript server needs many seconds where a graph is not in TypeScript. */
const LIMIT_MS = 3_000;

/**
 * Members of a new context that do not fit the schema that its graph declares. No server checks that: a wrong value fails
 * only in a run. Nothing where the server can't say.
 */
export async function schemaWarnings(
  olds: Props,
  inputs: Props,
  { clock }: Context,
): Promise<string[]> {
  const { context, graphId } = inputs;
  const isSame = sameValue(olds["context"], context) && sameValue(olds["graphId"], graphId);
  const news = assistantArguments.decode(inputs);
  const graph = known(news.graphId);
  if (isSame || !isRecord(context) || hasUnknown(context) || graph === undefined) return [];
  if (known(news.deploymentUrl) === undefined || hasUnknown(inputs["apiKey"])) return [];
  try {
    const { assistants } = serverOf(news, clock);
    const signal = AbortSignal.timeout(LIMIT_MS);
    const { context_schema } = await assistants.schemas(defaultAssistantId(graph), { signal });
    if (!context_schema) return [];
    const { error } = z.fromJSONSchema(context_schema).safeParse(context);
    return (error?.issues ?? []).map(
      ({ path, message }) =>
        `${["context", ...path].join(".")} does not fit the context_schema of graph '${graph}': ${message}`,
    );
  } catch {
    // The server is not there yet, has no such graph, or can't turn its types into a schema.
    return [];
  }
}
