import { isRecord, textOf } from "../../../shared/records";
import { importIdOf } from "../../agent-server/import-id";
import type { Props } from "../../arguments/props";
import { FUNCTIONS } from "../../functions";
import type { Caller } from "../../functions/connections";
import {
  type ResourceTypeName,
  type ResourceType,
  RESOURCE_TYPES,
  nativeToken,
} from "../../resource-types";
import { callFunction } from "./functions";

const BY_TOKEN: ReadonlyMap<string, (typeof RESOURCE_TYPES)[ResourceTypeName]> = new Map(
  Object.entries(RESOURCE_TYPES).map(([kind, row]) => [nativeToken(kind), row]),
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
  const row = BY_TOKEN.get(token);
  if (row === undefined)
    throw new Error(
      `unknown resource type '${token}'; there are ${[...BY_TOKEN.keys()].join(", ")}`,
    );
  const { by, id, name } = row.listing;
  const { endpoint }: ResourceType = row;
  const found = await callFunction(nativeToken(by), query, config, caller);
  const items = found[String(FUNCTIONS[by].list)];
  const deploymentUrl = textOf(query["deploymentUrl"]) ?? "";
  return (Array.isArray(items) ? items : []).filter(isRecord).map((item) => {
    const itemId = String(item[id]);
    const importId = endpoint ? importIdOf({ deploymentUrl, id: itemId }, endpoint) : itemId;
    return { id: importId, name: String(item[name]) };
  });
}
