import { Superstep, ThreadId } from "../../sdk/schema";
import { normalizeBaseUrl } from "../../sdk/base-url";
import { type Problem, problemsOf, unknownArguments } from "../inputs/problems";
import { messageOf } from "../../shared/errors";
import { isRecord, recordOf } from "../../shared/records";
import { type Props, UNKNOWN } from "../inputs/props";
import { INPUT_NAMES } from "./fields";
import { toSupersteps } from "./mapping";

/** Every problem of the inputs at once; where a value is unknown there is nothing to say yet. */
export function threadProblems(news: Props): Problem[] {
  const { graphId, copyFrom, apiKey, deploymentId } = news;
  return [
    ...unknownArguments(news, INPUT_NAMES),
    ...addressProblems(news["deploymentUrl"]),
    ...[
      textProblem("graphId", graphId),
      textProblem("apiKey", apiKey),
      textProblem("deploymentId", deploymentId),
    ].flat(),
    ...(isGiven(copyFrom) ? problemsOf(ThreadId, "copyFrom", copyFrom) : []),
    ...metadataProblems(news),
    ...superstepProblems(news),
  ];
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== UNKNOWN;

function addressProblems(url: unknown): Problem[] {
  const property = "deploymentUrl";
  if (url === UNKNOWN) return [];
  if (typeof url !== "string" || url === "") return [{ property, reason: "is required" }];
  try {
    normalizeBaseUrl(url, { allowInsecureHttp: true });
    return [];
  } catch (error) {
    return [{ property, reason: messageOf(error) }];
  }
}

function textProblem(property: string, value: unknown): Problem[] {
  if (!isGiven(value) || (typeof value === "string" && value !== "")) return [];
  return [{ property, reason: "must be a text that is not empty" }];
}

function metadataProblems({ metadata, graphId }: Props): Problem[] {
  if (!isGiven(metadata)) return [];
  if (!isRecord(metadata)) return [{ property: "metadata", reason: "must be a map" }];
  const named = metadata["graph_id"];
  return isGiven(named) && graphId !== UNKNOWN && named !== graphId
    ? [{ property: "metadata.graph_id", reason: "is what graphId is for; give it there" }]
    : [];
}

function superstepProblems({ supersteps, copyFrom }: Props): Problem[] {
  const property = "supersteps";
  if (!isGiven(supersteps)) return [];
  if (isGiven(copyFrom))
    return [{ property: "copyFrom", reason: "does not go with supersteps: a copy has its own" }];
  if (!Array.isArray(supersteps)) return [{ property, reason: "must be a list" }];
  return supersteps.flatMap((superstep: unknown, at) =>
    problemsOfSuperstep(`${property}[${at}]`, superstep),
  );
}

/** Below `values` the names are the graph's own, as they are. */
function problemsOfSuperstep(property: string, superstep: unknown): Problem[] {
  const updates = recordOf(superstep)["updates"];
  return [
    ...strangersIn(property, superstep, ["updates"]),
    ...(Array.isArray(updates) ? updates : []).flatMap((update, at) =>
      strangersIn(`${property}.updates[${at}]`, update, ["asNode", "values"]),
    ),
    ...problemsOf(Superstep, property, toSupersteps([superstep])[0]).map((problem) => ({
      ...problem,
      property: problem.property.replace(/(?<=^[^.]+\.updates\[\d+\]\.)as_node$/, "asNode"),
    })),
  ];
}

function strangersIn(path: string, value: unknown, known: readonly string[]): Problem[] {
  return unknownArguments(recordOf(value), known).map(({ property, reason }) => ({
    property: `${path}.${property}`,
    reason,
  }));
}
