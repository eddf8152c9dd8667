import { z } from "zod";
import { RequestError } from "../../sdk";
import { isSegment } from "../../sdk/path";
import * as wire from "../../sdk/schema";
import { DeploymentUrl } from "../arguments/deployment-url";
import { problemsOf, type Rule } from "../arguments/problems";
import type { Props } from "../arguments/props";
import { type Caller, connect, type Connections } from "./connections";
import { CallError } from "./call-error";
import { LookupError } from "./list";

/** The building blocks of argument schemas. */
const schemas = {
  z,
  /** The schemas of the contract. */
  wire,
  uuid: z.guid().toLowerCase(),
  text: z.string().min(1),
  /** An id of any form. */
  id: z.string().refine(isSegment, "is not valid in a path"),
  deploymentUrl: DeploymentUrl,
};

/** One function of the package: what it takes, which service it calls, and how its result is found. */
export interface FunctionDeclaration<
  Args,
  Result,
  Service extends keyof Connections = "control plane",
> {
  /** The exported name. The token is `agentserver:index:<name>`. */
  readonly name: string;
  readonly service: Service;
  /** The schema of each argument. It is built at the first call: a program that calls no function does not load zod. */
  readonly schema: (parts: typeof schemas) => Shape<Args>;
  /** Rules across arguments. */
  readonly rules?: readonly Rule[];
  /** The object of a call in messages, for example its name. */
  readonly subject?: (args: Args) => string | undefined;
  /** For an array: the member of the native provider's result that holds it, which is an object. */
  readonly list: Result extends readonly unknown[] ? string : undefined;
  /** The members of what it finds that are secret through the native provider. @default none */
  readonly secretMembers?: readonly string[];
  readonly find: (args: Args, connection: Connections[Service]) => Promise<Result>;
}

/** A function of an agent server, which its arguments name. */
export type AgentServerFunction<Args, Result> = FunctionDeclaration<Args, Result, "agent server">;

/** A schema for each argument but the agent server's key, which opens the connection. */
type Shape<Args> = {
  readonly [Name in Exclude<keyof Args, "apiKey">]-?: z.ZodType<Args[Name]>;
};

/** One call of a function. */
export interface Call {
  readonly caller: Caller;
  readonly args: Props;
  /** Settings, for an agent server with its key: never part of an error. */
  readonly access: Props;
}

/** A function as the rows of all functions hold it: with whatever arguments and result. */
export interface ServedFunction {
  readonly name: string;
  readonly service: keyof Connections;
  readonly list: string | undefined;
  readonly secretMembers: readonly string[];
  readonly call: (call: Call) => Promise<unknown>;
}

/** The row of a function. */
export function served<Args, Result, Service extends keyof Connections>(
  declaration: FunctionDeclaration<Args, Result, Service>,
): ServedFunction {
  const { name, service, list, secretMembers = [] } = declaration;
  return { name, service, list, secretMembers, call: (call) => invoke(declaration, call) };
}

/** Calls a function. What its user can do something about is a `CallError`. */
export async function invoke<Args, Result, Service extends keyof Connections>(
  declaration: FunctionDeclaration<Args, Result, Service>,
  { caller, args: given, access }: Call,
): Promise<Result> {
  const action = wordsOf(declaration.name);
  const args = validArgs(action, declaration, given);
  const connection = connect[declaration.service](caller, access, given);
  try {
    return await declaration.find(args, connection);
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof LookupError)) throw error;
    const subject = declaration.subject?.(args);
    const message =
      error instanceof LookupError
        ? `${action}${subject === undefined ? "" : ` '${subject}'`}: ${error.message}`
        : connection.explain(error, subject === undefined ? undefined : { action, subject });
    throw new CallError(message, { cause: error });
  }
}

/** `getDeployment` is "get deployment", `listOAuthProviders` is "list OAuth providers". */
function wordsOf(name: string): string {
  const words = name.split(/(?<=[a-z])(?=[A-Z])/);
  return words.map((word) => (/^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word)).join(" ");
}

/** The arguments, checked as those of resources are. */
function validArgs<Args, Result, Service extends keyof Connections>(
  action: string,
  declaration: FunctionDeclaration<Args, Result, Service>,
  given: Props,
): Args;
function validArgs(
  action: string,
  { schema, rules }: Pick<FunctionDeclaration<Props, unknown>, "schema" | "rules">,
  given: Props,
): Props {
  const object = z.object(schema(schemas));
  const problems = problemsOf(object, given, rules);
  if (problems.length === 0) return object.parse(given);
  const reasons = problems.map(({ property, reason }) => `${property} ${reason}`.trim());
  throw new CallError(`${action}: ${reasons.join("; ")}`);
}
