import type { Lifecycle } from "../../resource/lifecycle";
import { typeOf } from "../../../shared/urn";
import { RESOURCE_TYPES, nativeToken } from "../../resource-types";
import { LIFECYCLES } from "../../lifecycles";

const BY_TOKEN: ReadonlyMap<string, Lifecycle> = new Map(
  Object.values(RESOURCE_TYPES).map(({ type }) => [nativeToken(type), LIFECYCLES[type]]),
);

/** The lifecycle of the resource of a URN; throws for a type that this package does not have. */
export function lifecycleOf(urn: string): Lifecycle {
  const type = typeOf(urn);
  const lifecycle = BY_TOKEN.get(type);
  if (lifecycle === undefined)
    throw new Error(
      `unknown resource type '${type}'; there are ${[...BY_TOKEN.keys()].join(", ")}`,
    );
  return lifecycle;
}
