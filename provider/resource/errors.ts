import { RequestError, Unprocessable } from "../../sdk";
import { messageOf } from "../../shared/errors";
import { redact } from "../../shared/redact";
import { shorten } from "../../shared/shorten";
import { camelPath } from "../arguments/casing";
import type { Advice } from "./advice";
import { InitializationFailure } from "./initialization-failure";

/** The task that an error interrupted, for example `create deployment` of `support`. */
export interface Task {
  readonly action: string;
  readonly subject: string;
}

/** Runs an operation. An error of a request gets its task and advice; every other error stays as it is. */
export async function withErrorContext<Answer>(
  task: Task,
  adviceFor: Advice,
  operation: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new Error(formatError(error, adviceFor, task), { cause: error });
  }
}

/** Runs an operation. Secret values are redacted in its errors; the id and the outputs of a failure stay as they are. */
export async function withoutSecrets<Answer>(
  values: readonly (string | undefined)[],
  operation: () => Promise<Answer>,
): Promise<Answer> {
  const secrets = values.filter((value) => value !== undefined);
  if (secrets.length === 0) return operation();
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof InitializationFailure))
      throw new Error(redact(messageOf(error), secrets), { cause: error });
    const { id, properties, reasons } = error;
    const redacted = reasons.map((reason) => redact(reason, secrets));
    throw new InitializationFailure(id, properties, redacted);
  }
}

/**
 * An error in one sentence: what failed, the server's own words, and what to check. A request that was only a step of the
 * task is named after it.
 */
export function formatError(error: unknown, adviceFor: Advice, task?: Task): string {
  if (!(error instanceof RequestError)) return messageOf(error);
  const step = task && task.action !== error.action ? `${nameOf(task)}: ` : "";
  if (error instanceof Unprocessable) {
    const subject = error.subject ?? task?.subject ?? "";
    return `${step}${nameOf({ action: error.action, subject })}: ${fieldProblems(error)}`;
  }
  const advice = adviceFor(error);
  return `${step}${error.message}${advice === undefined ? "" : `; ${advice}`}`;
}

/** A task in words: `create deployment 'support'`. */
export function nameOf({ action, subject }: Task): string {
  return subject ? `${action} '${subject}'` : action;
}

/** The service names a field by its path in the body. The user knows it by the argument's path. */
function fieldProblems({ problems, status, detail }: Unprocessable): string {
  if (problems.length === 0) return `${status} ${detail}`;
  const lines = problems.map(
    ({ loc, msg }) => `${camelPath(loc[0] === "body" ? loc.slice(1) : loc)}: ${msg}`,
  );
  return shorten(lines.join("; "));
}
