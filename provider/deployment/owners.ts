import { type Props, textOf } from "../props";

/**
 * The resources that have a deployment, by where it lives and its name, as far as this process has seen: it serves one
 * command on one stack. A resource may have two URNs, since its outputs keep the one from before a rename.
 */
const owners = new Map<string, ReadonlySet<string | undefined>>();

/** Notes whose the deployment is that outputs speak of: their base URL, workspace and name. */
export function claim(outputs: Props, ...urns: readonly (string | undefined)[]): void {
  const key = keyOf(outputs);
  if (key !== undefined) owners.set(key, new Set(urns));
}

/** The resource that has the deployment, where that is surely another one than this. */
export function otherOwner(outputs: Props, urn: string | undefined): string | undefined {
  const urns = owners.get(keyOf(outputs) ?? "");
  return urns?.has(urn) === false ? [...urns].find((owner) => owner !== undefined) : undefined;
}

function keyOf({ baseUrl, tenantId, name }: Props): string | undefined {
  const parts = [textOf(baseUrl), textOf(tenantId)?.toLowerCase(), textOf(name)];
  return parts.includes(undefined) ? undefined : parts.join(" ");
}
