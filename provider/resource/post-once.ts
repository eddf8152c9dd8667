import { type Clock, Conflict, isAmbiguous, ServerError } from "../../sdk";
import { withRetries } from "../../sdk/retry";
import { momentIn } from "../../shared/moment";

/** Pauses before each search for what a request has created, or for what has the key of a POST already. */
const SEARCH_PAUSES_MS = [0, 1_000, 3_000];

/** A create of a thing of which the service has at most one with a given key. */
export interface Post<Resource> {
  readonly key: string;
  readonly post: () => Promise<Resource>;
  /** Finds what has the key. */
  readonly find: () => Promise<Resource | undefined>;
  /** Waits until the service itself responds: a gateway without it may say in its place that nothing has the key. @default no wait */
  readonly reach?: () => Promise<unknown>;
  /** Whether it is what the POST creates. */
  readonly isEqual: (found: Resource) => boolean;
  /** Whether the service has carried out all of the POST. @default always */
  readonly isComplete?: (found: Resource) => Promise<boolean>;
  /** When it was created, by the service. */
  readonly createdAt: (found: Resource) => string;
  /** The pause before each search. @default a few seconds in all */
  readonly pausesMs?: readonly number[];
}

/** Yields each pause once it is over. In a cancelled run no pause is left, but what may be there is looked for all the same. */
export async function* searches(
  clock: Clock,
  pausesMs: readonly number[] = SEARCH_PAUSES_MS,
): AsyncGenerator<number, void> {
  for (const pauseMs of pausesMs) {
    await clock.sleep(pauseMs).catch(() => undefined);
    yield pauseMs;
  }
}

/** The service as the client of a POST sees it. */
export interface Service {
  /** The time by its clock; undefined where it has not said. */
  readonly serverTime: () => Date | undefined;
}

/** The result of a POST: what it has created, or what exists already under its key. */
export type Posted<Resource> = { readonly created: Resource } | { readonly existing: Resource };

/**
 * Creates a thing once. A POST without a response may have arrived: it has created what then has the key, if that is equal and
 * not older, by the service's clock. Where nothing has the key, the POST is repeated as a GET is: should both
 * arrive, the service refuses one. Throws `IndeterminateCreate` where the service does not say what has the key, or since when;
 * after a conflict, the error of the last search.
 */
export async function postOnce<Resource>(
  clock: Clock,
  service: Service,
  request: Post<Resource>,
): Promise<Posted<Resource>> {
  const isSince = sinceNow(clock, service, request);
  let isLost = false;
  const result = await withRetries(true, clock, undefined, async () => {
    try {
      return { created: await request.post() };
    } catch (error) {
      const isConflict = error instanceof Conflict;
      if (!isConflict && !isAmbiguous(error)) return { failure: error };
      isLost ||= !isConflict;
      const found = await search(clock, request, isLost ? isSince : undefined);
      const end = isLost ? endOfLost(request.key, error, found) : endOfConflict(found);
      if (end === undefined) throw error;
      return end;
    }
  });
  if ("failure" in result) throw result.failure;
  return result;
}

/** The end of a POST that failed; undefined where nothing has the key, so that it may be sent again. */
type End<Resource> = Posted<Resource> | { readonly failure: unknown } | undefined;

function endOfConflict<Resource>(seen: Seen<Resource>): End<Resource> {
  return seen && "doubt" in seen ? { failure: seen.doubt } : seen;
}

/** The end after a POST without a response, of this attempt or of one before. */
function endOfLost<Resource>(key: string, error: unknown, found: Seen<Resource>): End<Resource> {
  const isHidden = found === undefined && error instanceof Conflict;
  const seen = isHidden ? { doubt: new Error(HIDDEN) } : found;
  if (seen === undefined || !("doubt" in seen)) return seen;
  const isRefused = seen.doubt instanceof Incomplete && error instanceof ServerError;
  return { failure: isRefused ? error : new IndeterminateCreate(key, error, seen.doubt) };
}

/** What has the key of a POST that failed; undefined for nothing. `doubt` is why the service does not say. */
type Seen<Resource> = Posted<Resource> | { readonly doubt: unknown } | undefined;

/** Searches for what has the key. Without `isSince` it is another thing than the POST's. */
async function search<Resource>(
  clock: Clock,
  request: Post<Resource>,
  isSince: ((found: Resource) => boolean) | undefined,
): Promise<Seen<Resource>> {
  let seen: Seen<Resource>;
  for await (const _ of searches(clock, request.pausesMs)) {
    seen = await look(request, isSince).catch((doubt: unknown) => ({ doubt }));
    // A replica may still show what had the key before and was deleted for it: the last search counts.
    if (seen && ("created" in seen || ("existing" in seen && isSince === undefined))) return seen;
  }
  return seen;
}

async function look<Resource>(
  { find, reach, isEqual, isComplete = async () => true, createdAt }: Post<Resource>,
  isSince: ((found: Resource) => boolean) | undefined,
): Promise<Seen<Resource>> {
  // After a conflict the service itself has responded.
  const found = (await find()) ?? (isSince && (await reach?.().then(find)));
  if (found === undefined) return undefined;
  if (isSince === undefined || !isEqual(found)) return { existing: found };
  if (Number.isNaN(momentIn(createdAt(found)))) return { doubt: new Error(UNDATED) };
  if (!isSince(found)) return { existing: found };
  return (await isComplete(found)) ? { created: found } : { doubt: new Incomplete(INCOMPLETE) };
}

/** A server that failed may leave a part of what it was to create. */
class Incomplete extends Error {}

const INCOMPLETE = "it is there and not complete yet";
const UNDATED = "it is there, and the service does not say since when";
const HIDDEN = "the service says that it is there, and does not show it";

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
    return momentIn(createdAt(found)) >= since;
  };
}

/** A POST may have been accepted, and the service could not be asked whether it was. */
export class IndeterminateCreate extends Error {
  override readonly name = "Unconfirmed";
  /** The thing's identity on the service: its name, or an id that the client chooses. */
  readonly key: string;
  /** The error of the POST. */
  override readonly cause: unknown;
  /** The error of the last request that looked for it. */
  readonly lookup: unknown;

  constructor(key: string, cause: unknown, lookup: unknown) {
    super(`could not confirm whether '${key}' was created`);
    this.key = key;
    this.cause = cause;
    this.lookup = lookup;
  }
}
