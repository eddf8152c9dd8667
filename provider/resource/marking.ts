import { secretNamesIn } from "../arguments/option-inputs";
import type { Props } from "../arguments/props";
import { withSecretNames, withSecrets } from "../arguments/secrets";
import { InitializationFailure } from "./errors";
import type { Lifecycle } from "./lifecycle";

/** Names of outputs that derive from an input, by its name. */
const MADE_OF = new Map([
  ["imageUri", "imageVersion"],
  ["customUrl", "url"],
]);

/**
 * Answers in the wire form of a secret what always is one, whoever has added it, and every member of the name of what the
 * program has made one: outputs repeat inputs in other places.
 */
export function markingSecrets(lifecycle: Lifecycle): Lifecycle {
  const { secretInputs, secretOutputs } = lifecycle;
  // Each member by itself: of a whole that the state has member by member, the engine takes the mark from what is new.
  const wholes = secretOutputs.filter((name) => !secretInputs.includes(`${name}.*`));
  const outputPaths = [...secretInputs, ...wholes];
  const mark = (props: Props, given: Props, paths: readonly string[] = outputPaths): Props => {
    // A rollback answers values of the time before, with the names of their secrets.
    const names = secretNamesIn(given, props).flatMap((name) => [name, MADE_OF.get(name) ?? name]);
    return withSecretNames(withSecrets(props, paths), names);
  };
  /** The engine keeps what an initialization failure brings, as it keeps the outputs of a success. */
  const kept = async <Answer extends { outs: Props }>(given: Props, answer: Promise<Answer>) => {
    try {
      const { outs, ...others } = await answer;
      return { ...others, outs: mark(outs, given) };
    } catch (error) {
      if (!(error instanceof InitializationFailure)) throw error;
      throw new InitializationFailure(error.id, mark(error.properties, given), error.reasons);
    }
  };
  return {
    ...lifecycle,
    async check(olds, news, context) {
      const { inputs = news, ...checked } = await lifecycle.check(olds, news, context);
      return { ...checked, inputs: mark(inputs, news, secretInputs) };
    },
    create: (inputs, context) => kept(inputs, lifecycle.create(inputs, context)),
    preview: (news, olds) => mark(lifecycle.preview(news, olds), news),
    async read(id, olds, context) {
      const { props = {}, inputs = {}, ...found } = await lifecycle.read(id, olds, context);
      return { ...found, props: mark(props, olds), inputs: mark(inputs, olds, secretInputs) };
    },
    update: (id, olds, news, context) => kept(news, lifecycle.update(id, olds, news, context)),
  };
}
