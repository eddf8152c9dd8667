/** The error of a call, for the person who wrote it. */
export class CallError extends Error {
  override readonly name = "CallError";
}
