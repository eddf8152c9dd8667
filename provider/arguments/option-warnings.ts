import { unknownKeys } from "../../shared/unknown-keys";
import type { Row } from "./argument";
import { optionsIn } from "./option-inputs";
import { isOnPath, keysOf } from "./property-path";
import type { Props } from "./props";

/** Warnings about options that have no effect, or none at a path, where a change brings them. */
export function optionWarnings(
  olds: Props,
  news: Props,
  kind: { readonly arguments: readonly Row[]; readonly timeoutArgument?: string },
): string[] {
  const [before, now] = [optionsIn(olds), optionsIn(news)];
  const known = kind.arguments.map(({ path }) => path);
  const unmatched = now.ignoredPaths
    .filter((path) => !before.ignoredPaths.includes(path))
    .filter((path) => !known.some((argument) => isOnPath(argument, keysOf(path))));
  const instead = kind.timeoutArgument === undefined ? "" : `; set ${kind.timeoutArgument} instead`;
  const timeouts = `the option customTimeouts has no effect, since Pulumi does not pass it to this provider${instead}`;
  return [
    ...(now.hasCustomTimeouts && !before.hasCustomTimeouts ? [timeouts] : []),
    // Every language has the schema's names in such a path.
    ...unknownKeys(unmatched, known, { quote: '"' }).map(
      (reason) => `the option ignoreChanges has no effect there: ${reason}`,
    ),
  ];
}
