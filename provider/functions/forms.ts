import {
  all,
  CustomResource,
  type ID,
  isSecret,
  type Output,
  output,
  type ProviderResource,
  type Resource,
  runtime,
} from "@pulumi/pulumi";
import type { z } from "zod";
import { recordOf } from "../../shared/records";
import { present, UNKNOWN } from "../inputs/props";
import { runError } from "../host/run-error";
import type { Asked, Place, Question } from "./answer";
import { hasMocks, mockedForms } from "./mocked";

/** Whom a look-up asks. */
export interface Addressee {
  /** The settings, or the key. */
  readonly access: () => Output<object>;
  /** The provider, for mocks to tell it by. */
  readonly provider?: ProviderResource | undefined;
}

/** Both forms of a look-up. What answers it is loaded when it is first asked; in unit tests mocks do. */
export function formsOf<Schema extends z.ZodObject, Site, Answer>(
  question: Question<Schema, Site, Answer>,
  loadPlace: () => Promise<Place<Site>>,
) {
  const ask = async (asked: Asked): Promise<Answer> => {
    const [{ answer }, place] = await Promise.all([import("./answer.js"), loadPlace()]);
    return answer(question, place, { ...asked, args: present(asked.args) });
  };
  const mocked = mockedForms<Answer>(question.name);
  return {
    /** Rejects with a `RunError`, also when a setting of the provider is not known yet. */
    plain: (args: object, addressee: Addressee): Promise<Answer> => {
      if (hasMocks()) return mocked.plain(args, addressee.provider);
      return untilDone(async () => {
        const access: unknown = await runtime.serializeProperty("", addressee.access());
        if (access === UNKNOWN)
          throw runError(
            `${question.name}: an argument of the provider is not known yet; use ${question.name}Output, which waits for it`,
          );
        return ask({ args: recordOf(args), access: recordOf(access), secret: false });
      });
    },

    /** Unknown while an argument is, or a setting of the provider; secret when an argument is. */
    later: (args: object, addressee: Addressee): Output<Answer> => {
      if (hasMocks()) return mocked.later(args, addressee.provider);
      const given = output<object>(args);
      const answered = all([given, addressee.access(), idsBehind(args)]).apply(
        async ([known, access]) =>
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
