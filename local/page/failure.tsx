import type { FC } from "hono/jsx";
import { factsOf, hasFailed, logOf } from "../../sdk/status";
import type { Store, StoredRevision } from "../store";
import { PlainText } from "./messages";
import { plain, revisionLabel } from "./words";

/** A stage ends its log with the reason of its failure; a few lines may come after it. */
const LAST_LINES = 60;

/** The lines of the reason why a revision failed; none where it did not, or was interrupted. */
export function failureOf(
  { logLines }: Pick<Store, "logLines">,
  { id, status }: Pick<StoredRevision, "id" | "status">,
): string[] {
  const { phase, stage } = factsOf(status);
  if (phase !== "failed") return [];
  const name = { revisionId: id, type: logOf(stage) };
  const lines = logLines.list(name, "desc", LAST_LINES).toReversed();
  const last = lines.findLastIndex(({ level }) => level === "ERROR");
  const before = lines.slice(0, last + 1).findLastIndex(({ level }) => level !== "ERROR");
  return lines.slice(before + 1, last + 1).map(({ message }) => message);
}

/** Why the newest revision does not serve, at the top of the page. */
export const Failure: FC<{
  store: Pick<Store, "logLines">;
  revision: StoredRevision;
  /** Whether an older revision still serves. */
  isServed: boolean;
}> = ({ store, revision, isServed }) => {
  if (!hasFailed(revision.status)) return null;
  const lines = failureOf(store, revision);
  return (
    <section class="problem" role="alert">
      <h2>
        {revisionLabel(revision.status).text}
        {isServed && ": the previous revision still serves"}
      </h2>
      {lines.length > 0 && <PlainText text={lines.join("\n")} />}
    </section>
  );
};

const LONGEST_LINE = 160;

/** The first line of the reason, for a list; with the last one where the first only introduces it. */
export function shortFailure(lines: readonly string[]): string | undefined {
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined) return undefined;
  const text = first.endsWith(":") && lines.length > 1 ? `${first} ${last}` : first;
  return plain(text.length > LONGEST_LINE ? `${text.slice(0, LONGEST_LINE)}…` : text);
}
