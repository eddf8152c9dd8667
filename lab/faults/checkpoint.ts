import { isRecord, mapMembers } from "../../shared/records";
import type { Props } from "./provider";

/** A resource as the state holds it. */
export interface Stored {
  readonly urn: string;
  readonly kind: string;
  readonly id: string;
  readonly inputs: Props;
  readonly outputs: Props;
  readonly initErrors: readonly string[];
  /** When it was created. Of a create that has not ended: when that was which it replaces. */
  readonly created?: string | undefined;
  /** It was deleted for its replacement, which is not there yet. */
  readonly isGone?: boolean;
  /** It was replaced, and its deletion is still to come. */
  readonly isOld?: boolean;
  /** It leaves the state without being deleted. */
  readonly retainOnDelete?: boolean | undefined;
}

/** A create that has not ended, as the state records it. */
export type Creating = Pick<Stored, "urn" | "kind" | "inputs" | "created">;

/** The state of a stack. */
export interface Checkpoint {
  readonly resources: readonly Stored[];
  /** The pending operations, those that create. */
  readonly creating: readonly Creating[];
}

/** The state as `pulumi stack export` prints it, with secrets encrypted. */
export function exportOf({ resources, creating }: Checkpoint): string {
  const recorded = ({ urn, inputs, created }: Creating) => ({
    urn,
    created,
    provider: providerOf(urn),
    inputs: encrypted(inputs),
  });
  const deployment = {
    resources: resources.map((stored) => ({
      ...recorded(stored),
      id: stored.id,
      pendingReplacement: stored.isGone,
    })),
    pending_operations: creating.map((create) => ({
      type: "creating",
      resource: recorded(create),
    })),
  };
  return JSON.stringify({ version: 3, deployment });
}

/** Default providers: each front end is one. */
function providerOf(urn: string): string {
  const [head, project, types = ""] = urn.split("::");
  const name = types.startsWith("pulumi-nodejs:") ? "pulumi-nodejs" : types.split(":")[0];
  return `${head}::${project}::pulumi:providers:${name}::default::b2e0c5c1-0000`;
}

/** The member that marks a secret. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";

function encrypted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encrypted);
  if (!isRecord(value)) return value;
  if (SIGNATURE in value) return { [SIGNATURE]: value[SIGNATURE], ciphertext: "v1:sealed" };
  return mapMembers(value, encrypted);
}

/** The state of a stack that was renamed: its operations are renamed too. */
export function renamed(
  { resources, creating }: Checkpoint,
  rename: (urn: string) => string,
): Checkpoint {
  const moved = <Entry extends Creating>(entry: Entry): Entry => ({
    ...entry,
    urn: rename(entry.urn),
  });
  return { resources: resources.map(moved), creating: creating.map(moved) };
}

/** The URN in another stack. */
export function inStack(urn: string, stack: string): string {
  const [, ...rest] = urn.split("::");
  return [`urn:pulumi:${stack}`, ...rest].join("::");
}
