import type { FC } from "hono/jsx";
import { changesBetween, type Change } from "../../shared/changes";
import { filterMembers, isRecord, mapMembers } from "../../shared/records";
import type { StoredRevision } from "../store";
import { plain, shortCommit, shortImage } from "./words";

type Made = Pick<StoredRevision, "source_config" | "source_revision_config" | "secrets">;

/** The names of variables that differ; values are never shown. */
interface VariableChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** What differs between a revision and the one before. */
export interface RevisionChanges {
  readonly settings: readonly Change[];
  readonly variables: VariableChanges;
}

export function changesOf(revision: Made, before: Made): RevisionChanges {
  return {
    // While a revision is created its commit is not known yet.
    settings: changesBetween(settingsOf(before), settingsOf(revision)).filter(
      ({ path, after }) => path !== COMMIT || (after !== null && after !== undefined),
    ),
    variables: variablesBetween(before, revision),
  };
}

/** They are in one list: `image acme/agent:1 → acme/agent:2`. */
export const Changes: FC<{ changes: RevisionChanges }> = ({ changes }) => {
  const { settings, variables } = changes;
  const { added, changed, removed } = variables;
  const isSame = settings.length + added.length + changed.length + removed.length === 0;
  if (isSame) return <p class="changes">The same commit or image, settings and variables</p>;
  return (
    <ul class="changes" aria-label="Changes">
      {settings.map(({ path, before, after }) => (
        <li>
          {NAMES[path] ?? plain(path)}{" "}
          <code title={plain(textOf(before))}>{shown(path, before)}</code> →{" "}
          <code title={plain(textOf(after))}>{shown(path, after)}</code>
        </li>
      ))}
      <Variables verb="added" names={added} />
      <Variables verb="changed" names={changed} />
      <Variables verb="removed" names={removed} />
    </ul>
  );
};

const Variables: FC<{ verb: string; names: readonly string[] }> = ({ verb, names }) =>
  names.length === 0 ? null : (
    <li>
      {names.length === 1 ? "variable" : "variables"} {verb}:{" "}
      {names.map((name, index) => (
        <>
          {index > 0 && ", "}
          <code>{plain(name)}</code>
        </>
      ))}
    </li>
  );

const COMMIT = "repo_commit_sha";
const IMAGE = "image_uri";
const NAMES: Readonly<Record<string, string>> = {
  [COMMIT]: "commit",
  [IMAGE]: "image",
  repo_ref: "ref",
  repo_url: "repository",
  graph_config_path: "graph configuration",
};

const LONGEST = 60;

function shown(path: string, value: unknown): string {
  const text = textOf(value);
  if (path === COMMIT) return plain(shortCommit(text));
  if (path === IMAGE) return plain(shortImage(text));
  return plain(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "none";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Members that are null or missing are the same; so are empty records. */
function settingsOf({ source_config, source_revision_config }: Made): Record<string, unknown> {
  return withoutNulls({ ...source_config, ...source_revision_config });
}

function withoutNulls(record: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const given = filterMembers(record, (value) => value !== null && value !== undefined);
  return mapMembers(given, (value) => (isRecord(value) ? withoutNulls(value) : value));
}

function variablesBetween(before: Made, after: Made): VariableChanges {
  const old = new Map(before.secrets.map(({ name, value }) => [name, value]));
  const now = new Map(after.secrets.map(({ name, value }) => [name, value]));
  const all = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return {
    added: all.filter((name) => !old.has(name)),
    changed: all.filter(
      (name) => old.has(name) && now.has(name) && old.get(name) !== now.get(name),
    ),
    removed: all.filter((name) => !now.has(name)),
  };
}
