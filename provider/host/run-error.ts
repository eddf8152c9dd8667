import { RunError } from "@pulumi/pulumi";
import { printable } from "../../shared/printable";

/**
 * An error of the user's program. Pulumi prints its message without a stack trace, but formats the trace first: in Node 20
 * that takes half a minute where the trace leads through Pulumi's own sources. So it has none.
 */
export function runError(message: string, options?: ErrorOptions): RunError {
  return Object.assign(new RunError(printable(message), options), { stack: "" });
}
