import { RunError } from "@pulumi/pulumi";
import { printable } from "../../shared/printable";

/**
 * An error in a program. Pulumi shows only its message. It has no stack, because Pulumi formats one before it leaves it
 * out, which takes Node 20 half a minute through Pulumi's own sources.
 */
export function runError(message: string, options?: ErrorOptions): RunError {
  return Object.assign(new RunError(printable(message), options), { stack: "" });
}
