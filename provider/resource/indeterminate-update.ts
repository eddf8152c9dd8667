import { isAmbiguous, RequestError } from "../../sdk";
import { messageOf } from "../../shared/errors";
import { isRecord, mapMembers } from "../../shared/records";
import { secretNameInputs, secretNamesIn } from "../arguments/option-inputs";
import type { Props } from "../arguments/props";

/** The service may have done a change or a part of it, and no request could confirm that. */
export class IndeterminateUpdate extends Error {
  override readonly name = "IndeterminateUpdate";

  constructor(cause: unknown) {
    super(messageOf(cause), { cause });
  }
}

/** Sends a change of what the state has. Throws an `IndeterminateUpdate` unless the service refused it. */
export async function sendChange<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send();
  } catch (error) {
    throw isRefused(error) ? error : new IndeterminateUpdate(error);
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof RequestError && error.method === "PATCH" && !isAmbiguous(error);
}

/** The hidden output of a state that does not say what the service has. */
const MARK = "__indeterminate";

/** Whether an update must compare or send all that is declared, since the last one was indeterminate. */
export function isIndeterminate(outputs: Props): boolean {
  return outputs[MARK] === true;
}

/**
 * The outputs after such an update: as they were, with what only the new inputs declare. So the next update removes that where
 * the program goes back.
 */
export function indeterminateOutputs(olds: Props, news: Props = {}): Props {
  const secrets = secretNameInputs(secretNamesIn(olds, news));
  return { ...withMembers(olds, news), ...secrets, [MARK]: true };
}

function withMembers(before: Props, after: Props): Props {
  const both = mapMembers(before, (value, name) => {
    const other = after[name];
    return isRecord(value) && isRecord(other)
      ? withMembers(value, other)
      : (value ?? other ?? value);
  });
  return { ...after, ...both };
}
