const PREFIX = "unconfirmed:";

/**
 * The id of what a POST without a response may have created, while the service does not say whether it did. The state
 * keeps it, so that the next create knows of that POST. Nothing on the service has it.
 */
export function placeholderId(name: string): string {
  return PREFIX + name;
}

export function isPlaceholder(id: string): boolean {
  return id.startsWith(PREFIX);
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
