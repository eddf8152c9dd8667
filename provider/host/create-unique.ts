import { type Clock, Conflict } from "../../sdk";
import { postOnce } from "./post-once";

/** How a kind of thing is created of which the service has at most one with a given key. */
interface Unique<Wire> {
  /** The one that has the key. */
  readonly find: () => Promise<Wire | undefined>;
  readonly post: () => Promise<Wire>;
  /** Whether a found one can be what a POST without a response created. */
  readonly isOwn: (found: Wire) => boolean;
  /** The error that names the one that exists already. */
  readonly existsError: (existing: Wire) => Error;
}

/**
 * Creates a thing once. An existing one is never adopted: `--replace` and `pulumi state taint` create before they delete,
 * and would then delete the adopted one.
 */
export async function createUnique<Wire>(
  clock: Clock,
  { find, post, isOwn, existsError }: Unique<Wire>,
): Promise<Wire> {
  const existing = await find();
  if (existing !== undefined) throw existsError(existing);
  const findOwn = async (): Promise<Wire | undefined> => {
    const found = await find();
    return found !== undefined && isOwn(found) ? found : undefined;
  };
  try {
    return await postOnce(clock, post, findOwn);
  } catch (error) {
    // Another client may have created one in between.
    const rival = error instanceof Conflict ? await find() : undefined;
    throw rival === undefined ? error : existsError(rival);
  }
}
