import { printable } from "../../shared/printable";
import { messageOf } from "../../shared/errors";

/** Writes a line for whoever runs the platform: what failed that no revision and no request can be told of. */
export function reportFailure(what: string, error: unknown): void {
  const reason = messageOf(error);
  process.stderr.write(printable(`error: ${what}: ${reason}\n`), ignore);
}

/** A standard error that is full or closed leaves nobody to tell. */
const ignore = () => {};
