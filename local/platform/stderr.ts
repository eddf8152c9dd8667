import { printable } from "../../shared/printable";
import { messageOf } from "../../shared/errors";

/** Reports on standard error a failure that belongs to no revision and no request. */
export function reportFailure(what: string, error: unknown): void {
  const reason = messageOf(error);
  process.stderr.write(printable(`error: ${what}: ${reason}\n`), ignore);
}

/** A full or closed standard error ends nothing. */
const ignore = () => {};
