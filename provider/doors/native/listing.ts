import { isRecord, textOf } from "../../../shared/records";
import { importIdOf } from "../../agent-server/import-id";
import type { Props } from "../../arguments/props";
import { FUNCTIONS, type FunctionName } from "../../functions";
import type { Caller } from "../../functions/connections";
import { type KindName, nativeToken } from "../../kinds";
import { callFunction } from "./functions";

/** How the things of a kind that exist are found. */
interface Listing {
  /** The function that lists them. It takes what `pulumi do … list` takes. */
  readonly by: FunctionName;
  /** The member of each that is its id. */
  readonly id: string;
  /** The member that names it to people. */
  readonly name: string;
  /** Of a thing on an agent server, whose id alone does not say where it is. */
  readonly endpoint?: string;
}

export const LISTINGS: Readonly<Record<KindName, Listing>> = {
  Deployment: { by: "listDeployments", id: "id", name: "name" },
  Listener: { by: "listListeners", id: "id", name: "computeId" },
  OAuthProvider: { by: "listOAuthProviders", id: "id", name: "name" },
  Thread: { by: "searchThreads", id: "threadId", name: "threadId", endpoint: "threads" },
  Assistant: { by: "searchAssistants", id: "assistantId", name: "name", endpoint: "assistants" },
};

const BY_TOKEN: ReadonlyMap<string, Listing> = new Map(
  Object.entries(LISTINGS).map(([kind, listing]) => [nativeToken(kind), listing]),
);

/** A thing that exists: its id as `pulumi import` takes it, and its name. */
export interface Listed {
  readonly id: string;
  readonly name: string;
}

/** Those of a type token that exist, by what the function of its kind takes. */
export async function listResources(
  token: string,
  query: Props,
  config: Props,
  caller: Caller,
): Promise<Listed[]> {
  const listing = BY_TOKEN.get(token);
  if (listing === undefined)
    throw new Error(
      `unknown resource type '${token}'; there are ${[...BY_TOKEN.keys()].join(", ")}`,
    );
  const { by, id, name, endpoint } = listing;
  const found = await callFunction(nativeToken(by), query, config, caller);
  const items = found[String(FUNCTIONS[by].list)];
  const deploymentUrl = textOf(query["deploymentUrl"]) ?? "";
  return (Array.isArray(items) ? items : []).filter(isRecord).map((item) => {
    const own = String(item[id]);
    const importId = endpoint ? importIdOf({ deploymentUrl, id: own }, endpoint) : own;
    return { id: importId, name: String(item[name]) };
  });
}
