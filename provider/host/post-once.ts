import { type Clock, isAmbiguous } from "../../sdk";

/** Pauses before what a POST without an answer may have made is looked for. */
const LOOK_AGAIN_MS = [0, 1_000, 3_000];

/**
 * Sends a POST once. Without an answer it may have arrived: `look` finds what it made, since nothing of that kind was
 * there before. Where there is nothing, the POST's own error is thrown.
 */
export async function postOnce<Thing>(
  clock: Clock,
  post: () => Promise<Thing>,
  look: () => Promise<Thing | undefined>,
): Promise<Thing> {
  try {
    return await post();
  } catch (error) {
    if (!isAmbiguous(error)) throw error;
    for (const pause of LOOK_AGAIN_MS) {
      await clock.sleep(pause);
      const found = await look();
      if (found !== undefined) return found;
    }
    throw error;
  }
}
