import { hasUnknown, type Props, sameValue } from "../inputs/props";

/** What a thread is made of: another value is another thread. */
const IMMUTABLE = ["deploymentUrl", "graphId", "supersteps", "copyFrom"] as const;

/** Names of all inputs. */
export const INPUT_NAMES = [...IMMUTABLE, "metadata", "apiKey", "deploymentId"] as const;

/** Names of the outputs that the agent server has told. */
export const SEEN_NAMES = ["threadId", "status", "createdAt", "updatedAt", "checkpointId"] as const;

/** The immutable arguments that a change touches; an unknown value is no change that anybody knows of. */
export function changedImmutable(olds: Props, news: Props): string[] {
  return IMMUTABLE.filter((name) => !hasUnknown(news[name]) && !sameValue(olds[name], news[name]));
}

/** The immutable arguments of which only the update knows whether they change. */
export function perhapsChanged(olds: Props, news: Props): string[] {
  return IMMUTABLE.filter(
    (name) => hasUnknown(news[name]) && (olds[name] ?? undefined) !== undefined,
  );
}
