import { RunError } from "@pulumi/pulumi";
import type { z } from "zod";
import { type ControlPlane, NotFound, redact, RequestError } from "../../sdk";
import { explain } from "../advice";
import { camelName, snakeKeys, snakeName } from "../crossing";
import { problemsOf, surplusArguments } from "../problems";
import { type Props, textOf } from "../props";
import { controlPlaneOf, readSettings, type Settings } from "../settings";
import * as schemas from "./arguments";
import { ChoiceError } from "./choose";

/** Where a look-up is answered. */
interface Site {
  readonly client: ControlPlane;
  readonly settings: Settings;
}

/** What a look-up asks and how the answer is found. */
export interface Question<Schema extends z.ZodObject, Answer> {
  /** The function that asks it: `getDeployment`. */
  readonly name: string;
  /** Picks the arguments' schema, in the names of the wire. */
  readonly schema: (all: typeof schemas) => Schema;
  readonly find: (args: z.infer<Schema>, site: Site) => Promise<Answer>;
}

/**
 * Answers a question with the settings in a configuration. Every error is a `RunError`, which Pulumi shows without a
 * stack; where arguments are secret it shows none of them.
 */
export async function answer<Schema extends z.ZodObject, Answer>(
  question: Question<Schema, Answer>,
  args: Props,
  config: Props,
  secret = false,
): Promise<Answer> {
  const parsed = parseArguments(question, args);
  const settings = settingsIn(config);
  try {
    return await question.find(parsed, { client: controlPlaneOf(settings), settings });
  } catch (error) {
    if (!(error instanceof RequestError || error instanceof ChoiceError)) throw error;
    const message = inWords(error, actionOf(question), args, settings);
    if (!secret) throw new RunError(message, { cause: error });
    const texts = Object.values(args).filter((value) => typeof value === "string");
    throw new RunError(redact(message, texts));
  }
}

/** `getDeployment` → `get deployment`, as the client calls it. */
const actionOf = ({ name }: { name: string }): string => snakeName(name).replace("_", " ");

function parseArguments<Schema extends z.ZodObject>(
  question: Question<Schema, unknown>,
  args: Props,
): z.infer<Schema> {
  const schema = question.schema(schemas);
  const problems = [
    ...surplusArguments(args, Object.keys(schema.shape).map(camelName)),
    ...problemsOf(schema, "", args),
  ].map(({ property, reason }) => `${property} ${reason}`.trim());
  if (problems.length > 0) throw new RunError(`${actionOf(question)}: ${problems.join("; ")}`);
  return schema.parse(snakeKeys(args));
}

function settingsIn(config: Props): Settings {
  const given = Object.entries(config).filter(([, value]) => typeof value === "string");
  try {
    return readSettings(Object.fromEntries(given.map(([name, value]) => [name, String(value)])));
  } catch (error) {
    throw new RunError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function inWords(
  error: RequestError | ChoiceError,
  action: string,
  args: Props,
  settings: Settings,
): string {
  const subject = textOf(args["name"] ?? args["computeId"] ?? args["id"]);
  if (error instanceof ChoiceError)
    return `${action}${subject === undefined ? "" : ` '${subject}'`}: ${error.message}`;
  const words = explain(error, settings, subject === undefined ? undefined : { action, subject });
  return error instanceof NotFound
    ? `${words}; it was looked for in workspace ${settings.workspaceId} of ${settings.baseUrl}`
    : words;
}
