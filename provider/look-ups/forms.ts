import {
  all,
  CustomResource,
  type ID,
  isSecret,
  type Output,
  output,
  type Resource,
  runtime,
} from "@pulumi/pulumi";
import type { z } from "zod";
import { present, recordOf, UNKNOWN } from "../props";
import { runError } from "../run-error";
import type { Asked, Place, Question } from "./answer";

/** Both forms of a look-up. What answers it is loaded when it is first asked. */
export function formsOf<Schema extends z.ZodObject, Site, Answer>(
  question: Question<Schema, Site, Answer>,
  loadPlace: () => Promise<Place<Site>>,
) {
  const ask = async (asked: Asked): Promise<Answer> => {
    const [{ answer }, place] = await Promise.all([import("./answer.js"), loadPlace()]);
    return answer(question, place, { ...asked, args: present(asked.args) });
  };
  return {
    /** Rejects with a `RunError`, also when a setting of the provider is not known yet. */
    plain: (args: object, accessTo: () => Output<object>): Promise<Answer> =>
      untilDone(async () => {
        const access: unknown = await runtime.serializeProperty("", accessTo());
        if (access === UNKNOWN)
          throw runError(
            `${question.name}: an argument of the provider is not known yet; use ${question.name}Output, which waits for it`,
          );
        return ask({ args: recordOf(args), access: recordOf(access), secret: false });
      }),

    /** Unknown while an argument is, or a setting of the provider; secret when an argument is. */
    later: (args: object, accessTo: () => Output<object>): Output<Answer> => {
      const given = output<object>(args);
      const answered = all([given, accessTo(), idsBehind(args)]).apply(async ([known, access]) =>
        ask({
          args: recordOf(known),
          access: recordOf(access),
          secret: await isSecret(given),
        }),
      );
      void untilDone(() => runtime.serializeProperty("", answered));
      return answered;
    },
  };
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
