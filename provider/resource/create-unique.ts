import { optionsIn } from "../arguments/option-inputs";
import type { Props } from "../arguments/props";
import type { Context } from "./context";
import { isOwnBy, mayAdopt, ownershipOf, refusalOf, reportAdoption } from "./ownership";
import { type Post, postOnce, type Service } from "./post-once";

/** A create of a kind of thing of which the service has at most one with a given key. */
export interface Unique<Wire> extends Omit<Post<Wire>, "isEqual"> {
  /** Its name in messages: `listener`. */
  readonly noun: string;
  readonly client: Service;
  /** The inputs of the create. */
  readonly inputs: Props;
  readonly idOf: (found: Wire) => string;
  /** The id that `pulumi import` takes. @default the id */
  readonly importId?: (id: string) => string;
  /** Arguments in which a found one differs from the inputs, as far as these are known. */
  readonly differences: (found: Wire, inputs: Props) => readonly string[];
  /** Whether the program adopts one that no other resource of the state has. @default false */
  readonly adoptsExisting?: boolean;
  /** What must succeed before the POST, where none is there. @default nothing */
  readonly beforePost?: () => Promise<void>;
  /** Brings an adopted one to the inputs. */
  readonly update: (found: Wire) => Promise<Wire>;
  /** The arguments of which it can't change. */
  readonly immutable: readonly string[];
  /** Where the existing one is, in an error: `exists for this compute`. */
  readonly exists: string;
  readonly adoption: readonly string[];
  readonly otherwise: string;
}

/**
 * Creates a thing once. One that exists is adopted only where, by the state, an interrupted create has created it, or where
 * the program asks for that.
 */
export async function createUnique<Wire>(context: Context, unique: Unique<Wire>): Promise<Wire> {
  const { client, inputs, key, noun, idOf, differences, immutable } = unique;
  const isEqual = (found: Wire): boolean => differences(found, inputs).length === 0;
  const existing = await unique.find();
  if (existing === undefined) await unique.beforePost?.();
  const posted =
    existing === undefined
      ? await postOnce(context.clock, client, { ...unique, isEqual })
      : { existing };
  if ("created" in posted) return posted.created;
  const found = posted.existing;
  const id = idOf(found);
  const ownership = await ownershipOf(context, id, inputs);
  const differ = differences(found, inputs);
  const isOwn = isOwnBy(ownership, (recorded) => differences(found, recorded).length === 0);
  const isAdopted =
    unique.adoptsExisting && mayAdopt(ownership, optionsIn(inputs).replacementOrder);
  if (!(isOwn || isAdopted) || differ.some((name) => immutable.includes(name))) {
    const refusal = refusalOf(context, {
      ...unique,
      id: unique.importId?.(id) ?? id,
      ownership,
      differences: differ,
    });
    throw new Error(`create ${noun} '${key}': ${noun} ${id} ${unique.exists}, ${refusal}`);
  }
  reportAdoption(context, `${noun} ${id}`, ownership, isOwn);
  return unique.update(found);
}
