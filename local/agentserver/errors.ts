/** The requested thing does not exist. */
export class NotFound extends Error {
  override readonly name = "NotFound";
}

/** A conflict: the thing to create exists already. */
export class Conflict extends Error {
  override readonly name = "Conflict";
}

/** The request is not valid and changed nothing. */
export class InvalidRequest extends Error {
  override readonly name = "InvalidRequest";
}

/** This server does not have what the request needs. */
export class NotImplemented extends Error {
  override readonly name = "NotImplemented";
}
