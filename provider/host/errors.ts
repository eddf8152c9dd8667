import {
  ConnectionError,
  Forbidden,
  RateLimited,
  RequestError,
  ServerError,
  TimeoutError,
  Unauthorized,
  Unprocessable,
} from "../../sdk";
import { camelPath } from "../inputs/casing";
import { namesIn, NO_ENVIRONMENT } from "../config/settings-source";
import { type Context, InitializationFailure } from "./serve";
import { type Settings, SettingsError } from "../config/settings";
import { messageOf } from "../../shared/errors";

/** What an error stood in the way of, for example `create deployment` of `support`. */
export interface Task {
  readonly action: string;
  readonly subject: string;
}

/** Does an operation; an error of the client is told with what it stood in the way of and what to look at. */
export async function withErrorContext<Answer>(
  { settings }: Context,
  task: Task,
  operation: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof InitializationFailure || error instanceof SettingsError) throw error;
    throw new Error(formatError(error, settings(), task), { cause: error });
  }
}

/**
 * An error in one sentence: what failed, the server's words, and which setting or argument to look at. A request that
 * was only a step of the task is told as one.
 */
export function formatError(error: unknown, settings: Settings, task?: Task): string {
  return formatErrorWith(error, (failure) => adviceFor(failure, settings), task);
}

/** The same with advice of another kind, for what is not the control plane's. */
export function formatErrorWith(
  error: unknown,
  adviceOf: (error: RequestError) => string | undefined,
  task?: Task,
): string {
  if (!(error instanceof RequestError)) return messageOf(error);
  const step = task && task.action !== error.action ? `${nameOf(task)}: ` : "";
  if (error instanceof Unprocessable) {
    const subject = error.subject ?? task?.subject ?? "";
    return `${step}${nameOf({ action: error.action, subject })}: ${fieldProblems(error)}`;
  }
  const advice = adviceOf(error);
  return `${step}${error.message}${advice === undefined ? "" : `; ${advice}`}`;
}

function nameOf({ action, subject }: Task): string {
  return subject ? `${action} '${subject}'` : action;
}

function adviceFor(error: RequestError, settings: Settings): string | undefined {
  const { source: origin, workspaceId } = settings;
  if (error instanceof Unauthorized) return credentialAdvice(settings);
  if (error instanceof Forbidden)
    return `check that the key may work in workspace ${workspaceId} (${namesIn(origin, "workspaceId")})`;
  if (error instanceof TimeoutError)
    return `the control plane is slow or out of reach; ${namesIn(origin, "requestTimeoutSeconds")} gives it more time`;
  if (error instanceof ConnectionError)
    return `check that the control plane is running and ${namesIn(origin, "baseUrl")} is right`;
  if (error instanceof RateLimited || error instanceof ServerError)
    return "try again a little later";
  return undefined;
}

function credentialAdvice({ source: origin, bearerToken }: Settings): string {
  const check = `check ${namesIn(origin, bearerToken ? "bearerToken" : "apiKey")}`;
  if (origin === "arguments") return check;
  if (origin === "environment") return `${check}, or ${NO_ENVIRONMENT}`;
  return bearerToken
    ? `${check} (or AGENTSERVER_BEARER_TOKEN)`
    : `${check} (\`pulumi config set --secret agentserver:apiKey <key>\`, or AGENTSERVER_API_KEY)`;
}

/** The service names a field by its place in the body; the user knows it by the argument's path. */
function fieldProblems({ problems, status, detail }: Unprocessable): string {
  if (problems.length === 0) return `${status} ${detail}`;
  return problems
    .map(({ loc, msg }) => `${camelPath(loc[0] === "body" ? loc.slice(1) : loc)}: ${msg}`)
    .join("; ");
}
