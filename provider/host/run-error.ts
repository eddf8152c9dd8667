import { RunError } from "@pulumi/pulumi";
import { printable } from "../../shared/printable";

/**
 * The error of a look-up in a program, of which Pulumi shows the words alone. It has no stack: Pulumi formats one all the
 * same before it leaves it out, which takes Node 20 half a minute where it leads through Pulumi's own sources.
 */
export function runError(message: string, options?: ErrorOptions): RunError {
  return Object.assign(new RunError(printable(message), options), { stack: "" });
}
