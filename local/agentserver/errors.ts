/** What was asked for is not there. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

/** What was to be made is there already. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** The request can't be understood; nothing was done. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
}
