import { type Clock, isAmbiguous } from "../../sdk";

/** Pauses before each search for what a POST without a response may have created. */
const SEARCH_PAUSES_MS = [0, 1_000, 3_000];

/**
 * Sends a POST once. Without a response it may have arrived: `find` returns what it created, since nothing of the kind
 * existed before. Where it returns nothing, the POST's own error is thrown.
 */
export async function postOnce<Resource>(
  clock: Clock,
  post: () => Promise<Resource>,
  find: () => Promise<Resource | undefined>,
): Promise<Resource> {
  try {
    return await post();
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    for (const pause of SEARCH_PAUSES_MS) {
      // In a cancelled run no pause is left, but what may be there is looked for all the same.
      await clock.sleep(pause).catch(() => undefined);
      const found = await find();
      if (found !== undefined) return found;
    }
    throw error;
  }
}
