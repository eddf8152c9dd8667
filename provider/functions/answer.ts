import type { z } from "zod";
import { redact, RequestError } from "../../sdk";
import { camelSchema } from "../inputs/camel-schema";
import { snakeKeys } from "../inputs/casing";
import { problemsOf } from "../inputs/problems";
import { textOf } from "../../shared/records";
import type { Props } from "../inputs/props";
import { runError } from "../host/run-error";
import * as schemas from "./arguments";
import { ChoiceError } from "./choose";

/** What a look-up asks and how the answer is found. */
export interface Question<Schema extends z.ZodObject, Site, Answer> {
  /** The function that asks it: `getDeployment`. */
  readonly name: string;
  /** Picks the arguments' schema, in the names of the wire. */
  readonly schema: (all: typeof schemas) => Schema;
  readonly find: (args: z.infer<Schema>, site: Site) => Promise<Answer>;
}

/** What the user asked for: `get deployment`, as the client calls it, and of what. */
interface Task {
  readonly action: string;
  readonly subject?: string | undefined;
}

/** Where look-ups are answered, a control plane or an agent server. */
export interface Place<Site> {
  /** Reaches it with what a look-up has beside its arguments; throws a `RunError` when it can't. */
  open(access: Props, args: Props): Site;
  /** An error of its client in words that say what to do. */
  explain(error: RequestError, site: Site, task: Task): string;
}

/** What is asked, and with what. */
export interface Asked {
  readonly args: Props;
  /** Settings, or a key: never part of an error. */
  readonly access: Props;
  /** Whether the arguments are secret. */
  readonly secret: boolean;
}

/**
 * Answers a question at a place. Every error is a `RunError`, which Pulumi shows without a stack; where arguments are
 * secret it shows none of them.
 */
export async function answer<Schema extends z.ZodObject, Site, Answer>(
  question: Question<Schema, Site, Answer>,
  place: Place<Site>,
  { args, access, secret }: Asked,
): Promise<Answer> {
  const action = wordsOf(question.name);
  const parsed = parseArguments(action, question.schema(schemas), args);
  const site = place.open(access, args);
  try {
    return await question.find(parsed, site);
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof ChoiceError)) throw error;
    const subject = textOf(args["name"] ?? args["computeId"] ?? args["threadId"] ?? args["id"]);
    const message =
      error instanceof ChoiceError
        ? `${action}${subject === undefined ? "" : ` '${subject}'`}: ${error.message}`
        : place.explain(error, site, { action, subject });
    if (!secret) throw runError(message, { cause: error });
    const texts = Object.values(args).filter((value) => typeof value === "string");
    throw runError(redact(message, texts));
  }
}

/** `getDeployment` → `get deployment`, `listOAuthProviders` → `list OAuth providers`. */
function wordsOf(name: string): string {
  const words = name.split(/(?<=[a-z])(?=[A-Z])/);
  return words.map((word) => (/^[A-Z][a-z]/.test(word) ? word.toLowerCase() : word)).join(" ");
}

function parseArguments<Schema extends z.ZodObject>(
  action: string,
  schema: Schema,
  args: Props,
): z.infer<Schema> {
  const problems = problemsOf(camelSchema(schema), args).map(({ property, reason }) =>
    `${property} ${reason}`.trim(),
  );
  if (problems.length > 0) throw runError(`${action}: ${problems.join("; ")}`);
  return schema.parse(snakeKeys(args));
}
