import { type Clock, Conflict, isAmbiguous, StatusError } from "../../sdk";
import { Unconfirmed } from "./unconfirmed";

/** Pauses before each search for what a POST without a response may have created, or for what has the key already. */
const SEARCH_PAUSES_MS = [0, 1_000, 3_000];

/** A create of a thing of which the service has at most one with a given key. */
export interface Post<Resource> {
  readonly key: string;
  readonly post: () => Promise<Resource>;
  /** The one that has the key. */
  readonly find: () => Promise<Resource | undefined>;
  /** Whether it is what the POST creates. */
  readonly isEqual: (found: Resource) => boolean;
  /** Whether the service has carried out all of the POST. @default always */
  readonly isComplete?: (found: Resource) => Promise<boolean>;
  /** When it was created, by the service. */
  readonly createdAt: (found: Resource) => string;
  /** The pause before each search. @default a few seconds in all */
  readonly pausesMs?: readonly number[];
}

/** The service as the client of a POST sees it. */
export interface Service {
  /** The time by its clock; undefined where it has not said. */
  readonly serverTime: () => Date | undefined;
}

/** The result of a POST: its own thing, or another one that has the key. */
export type Posted<Resource> = { readonly own: Resource } | { readonly rival: Resource };

/**
 * Sends a POST once. Without a response it may have arrived: what then has the key is its own if it is equal and was not
 * created before the POST, by the service's clock. Throws `Unconfirmed` where the service does not say what has the key, or
 * since when, and the POST's own error where nothing has it; after a conflict, the error of the last search.
 */
export async function postOnce<Resource>(
  clock: Clock,
  service: Service,
  request: Post<Resource>,
): Promise<Posted<Resource>> {
  const { key, post, find, isEqual, isComplete = async () => true } = request;
  const { pausesMs = SEARCH_PAUSES_MS } = request;
  const isSince = sinceNow(clock, service, request);
  const isUndated = (found: Resource) => Number.isNaN(Date.parse(request.createdAt(found)));
  try {
    return { own: await post() };
  } catch (error) {
    const isConflict = error instanceof Conflict;
    if (!isConflict && !isAmbiguous(error)) throw error;
    const mayBeOwn = (one: Resource) =>
      !isConflict && isEqual(one) && (isSince(one) || isUndated(one));
    let found: Resource | undefined;
    let rival: Resource | undefined;
    let silence: unknown;
    for (const pause of pausesMs) {
      // In a cancelled run no pause is left, but what may be there is looked for all the same.
      await clock.sleep(pause).catch(() => undefined);
      try {
        [found, silence] = [await find(), undefined];
        // A replica may still show what had the key before and was deleted for it: the last search counts.
        rival = found !== undefined && mayBeOwn(found) ? undefined : found;
        const isOwn = found !== undefined && rival === undefined && isSince(found);
        if (found !== undefined && isOwn && (await isComplete(found))) return { own: found };
        // After a conflict a replica may not show yet what has the key.
        if (isConflict && rival !== undefined) return { rival };
      } catch (reason) {
        silence = reason;
      }
    }
    if (rival !== undefined && silence === undefined) return { rival };
    const doubt = found && (isUndated(found) ? UNDATED : INCOMPLETE);
    const isOpen = doubt === UNDATED || (doubt !== undefined && !(error instanceof StatusError));
    if ((isOpen || silence !== undefined) && !isConflict)
      throw new Unconfirmed(key, error, silence ?? new Error(doubt));
    throw silence ?? error;
  }
}

const INCOMPLETE = "it is there and not complete yet";
const UNDATED = "it is there, and the service does not say since when";

/**
 * Whether something was created after this call, by the service's clock. Nothing was, as far as that is not known. A cache
 * may have sent an old time before, so a later response counts too.
 */
export function sinceNow<Resource>(
  clock: Clock,
  service: Service,
  { createdAt }: Pick<Post<Resource>, "createdAt">,
): (found: Resource) => boolean {
  const startMs = clock.now();
  const before = service.serverTime()?.getTime() ?? Infinity;
  return (found) => {
    const serverMs = service.serverTime()?.getTime() ?? Infinity;
    const since = Math.max(before, serverMs - (clock.now() - startMs));
    return Date.parse(createdAt(found)) >= since;
  };
}
