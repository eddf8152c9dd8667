import {
  all,
  CustomResource,
  type ID,
  type Input,
  type InvokeOptions,
  isSecret,
  type Output,
  output,
  type Resource,
  RunError,
  runtime,
  unsecret,
} from "@pulumi/pulumi";
import type { z } from "zod";
import { present, recordOf, UNKNOWN } from "../props";
import { settingsKeptBy } from "../provider";
import type { Question } from "./answer";

/**
 * Whom to ask: `provider`, else the provider that a child of `parent` would have; without either, what the stack's
 * configuration and the environment name.
 */
export type LookUpOptions = Pick<InvokeOptions, "provider" | "parent">;

/** The arguments of a look-up's `…Output` form: each may be an output, and so may the items of a list. */
export type OutputArgs<Args> = { [Name in keyof Args]: Input<WithInputs<Args[Name]>> };
type WithInputs<Value> = Value extends readonly (infer Item)[] ? readonly Input<Item>[] : Value;

/** Both forms of a look-up. What answers it is loaded when it is first asked. */
export function lookUp<Schema extends z.ZodObject, Answer>(question: Question<Schema, Answer>) {
  const ask = async (args: unknown, config: unknown, secret = false): Promise<Answer> => {
    const { answer } = await import("./answer.js");
    return answer(question, present(recordOf(args)), recordOf(config), secret);
  };
  return {
    /** Rejects with a `RunError`, also when a setting of the provider is not known yet. */
    plain: (args: object, options: LookUpOptions = {}): Promise<Answer> =>
      untilDone(async () => {
        const config: unknown = await runtime.serializeProperty("", configurationFor(options));
        if (config === UNKNOWN)
          throw new RunError(
            `${question.name}: an argument of the provider is not known yet; use ${question.name}Output, which waits for it`,
          );
        return ask(args, config);
      }),

    /** Unknown while an argument is, or a setting of the provider; secret when an argument is. */
    output: (args: object, options: LookUpOptions = {}): Output<Answer> => {
      const given = output<object>(args);
      const answered = all([given, configurationFor(options), idsBehind(args)]).apply(
        async ([known, config]) => ask(known, config, await isSecret(given)),
      );
      void untilDone(() => runtime.serializeProperty("", answered));
      return answered;
    },
  };
}

/** Names the package by which a resource finds the provider that it inherits. */
const MEMBER = "pulumi-nodejs:dynamic/agentserver:look-up";

/** The credentials in it make no secret of what is looked up with them. */
function configurationFor({ provider, parent }: LookUpOptions): Output<Record<string, string>> {
  const asked = provider ?? parent?.getProvider(MEMBER);
  return unsecret(asked === undefined ? output(runtime.allConfig()) : settingsKeptBy(asked));
}

/**
 * Ids of the resources that arguments come from. A preview knows the name of a deployment that is not there yet; as with
 * Pulumi's own look-ups, the unknown id says so.
 */
async function idsBehind(args: object): Promise<Output<ID>[]> {
  const resources = new Set<Resource>();
  await runtime.serializeProperty("", args, resources);
  return [...resources]
    .filter((resource) => CustomResource.isInstance(resource))
    .map(({ id }) => id);
}

/** Holds the run open: without that the engine ends it under a look-up whose answer no resource waits for. */
async function untilDone<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const done = runtime.rpcKeepAlive();
  try {
    return await work();
  } finally {
    done();
  }
}
