import { z, type ZodType } from "zod";
import { defaultAssistantId } from "../../sdk/schema";
import { isRecord } from "../../shared/records";
import { addressOf, serverOf } from "../agent-server/server";
import type { Context } from "../resource/context";
import type { RemoteCheck } from "../resource/define-lifecycle";
import { known } from "../arguments/decode";
import { hasUnknown, sameValue } from "../arguments/props";
import { assistantArguments, type Declared } from "./diff";

/** A preview does not wait longer: the JavaScript server needs many seconds where a graph is not in TypeScript. */
const LIMIT_MS = 3_000;

/**
 * Members of a new context that do not fit the schema that its graph declares. No server checks that: a wrong value fails
 * only in a run. Nothing where the server can't say.
 */
export const schemaWarnings: RemoteCheck<string> = async (olds, inputs, context) => {
  const { context: values, graphId } = inputs;
  const isSame = sameValue(olds["context"], values) && sameValue(olds["graphId"], graphId);
  const news = assistantArguments.decode(inputs);
  const graph = known(news.graphId);
  if (isSame || !isRecord(values) || hasUnknown(values) || graph === undefined) return [];
  if (known(news.deploymentUrl) === undefined || hasUnknown(inputs["apiKey"])) return [];
  try {
    const type = await sharedType(news, graph, context);
    const issues = type?.safeParse(values).error?.issues ?? [];
    return issues.map(
      ({ path, message }) =>
        `${["context", ...path].join(".")} does not fit the context_schema of graph '${graph}': ${message}`,
    );
  } catch {
    // The server is not there yet, has no such graph, or can't turn its types into a schema.
    return [];
  }
};

/** All assistants of a graph share one request, also one that failed: a server that is slow is slow for each. */
function sharedType(news: Declared, graph: string, context: Context): Promise<ZodType | undefined> {
  const { contextTypes } = context.processCache;
  const key = JSON.stringify([addressOf(news), known(news.apiKey), graph]);
  const asked = contextTypes.get(key) ?? contextType(news, graph, context);
  contextTypes.set(key, asked);
  return asked;
}

async function contextType(
  news: Declared,
  graph: string,
  context: Context,
): Promise<ZodType | undefined> {
  const { assistants } = serverOf(news, context);
  const signal = AbortSignal.timeout(LIMIT_MS);
  const { context_schema } = await assistants.schemas(defaultAssistantId(graph), { signal });
  return context_schema ? z.fromJSONSchema(context_schema) : undefined;
}
