import { type Input, type Inputs, output, runtime, secret } from "@pulumi/pulumi";
import { isRecord, mapMembers } from "../../shared/records";
import { secretNames } from "../arguments/secrets";
import { isLater } from "../arguments/variables";

/**
 * Inputs of a program with those at these paths as secrets. `*` is each member by itself: an output is unknown as a whole
 * while a part of it is.
 */
export function withSecretInputs(inputs: Inputs, paths: readonly string[]): Inputs {
  return paths.reduce((changed, path) => markedIn(changed, path.split(".")), inputs);
}

/** The names of a program's secrets; undefined for none. An input that fails is reported elsewhere. */
export async function namesOfSecrets(inputs: Inputs): Promise<string[] | undefined> {
  const names = secretNames(await runtime.serializeProperties("", inputs).catch(() => ({})));
  return names.length > 0 ? names : undefined;
}

function markedIn(inputs: Inputs, [first = "", ...rest]: readonly string[]): Inputs {
  const isMarked = (name: string): boolean => first === "*" || first === name;
  return mapMembers(inputs, (input, name) => (isMarked(name) ? marked(input, rest) : input));
}

/** A wrong type stays as it is, for `check` to report. */
function marked(input: Input<unknown>, keys: readonly string[]): Input<unknown> {
  if (input === undefined || input === null) return input;
  const [first] = keys;
  if (first === undefined) return secret(input);
  if (isLater(input))
    return first === "*" ? secret(input) : output(input).apply((known) => marked(known, keys));
  if (isRecord(input)) return markedIn(input, keys);
  return first === "*" ? secret(input) : input;
}
