import { InvalidResponseError } from "../../sdk";

/** The thing after a PATCH: its response, or what is read where that does not show it. Either way it was carried out. */
export async function patched<Thing>(
  request: Promise<Thing>,
  read: () => Promise<Thing>,
): Promise<Thing> {
  try {
    return await request;
  } catch (error) {
    if (!(error instanceof InvalidResponseError)) throw error;
    return read();
  }
}
