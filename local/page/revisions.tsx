import type { FC } from "hono/jsx";
import { hasEnded } from "../rollout/machine";
import type { StoredDeployment, StoredRevision } from "../store";
import { failureOf, shortFailure } from "./failure";
import type { PageParts } from "./parts";
import { Age, Badge, Breakable, link, ShortId } from "./pieces";
import { Changes, changesOf, type RevisionChanges } from "./revision-changes";
import { stageTimes, totalMs, type StageTime } from "./stages";
import { duration, plain, plural, revisionLabel, shortCommit, shortId, shortImage } from "./words";

const SHOWN = 10;
const ALL = 200;

/** The revisions of a deployment, newest first, each with its stages. The one that serves is always there. */
export const Revisions: FC<{
  parts: Pick<PageParts, "store" | "clock">;
  deployment: StoredDeployment;
  all: boolean;
  shownLog?: string | undefined;
}> = ({ parts: { store, clock }, deployment, all, shownLog }) => {
  const limit = all ? ALL : SHOWN;
  const page = store.revisions.list(deployment.id, { limit: limit + 1, offset: 0 });
  const shown = page.slice(0, limit);
  const { active_revision_id: activeId } = deployment;
  const isListed = shown.some(({ id }) => id === activeId);
  const active = isListed || activeId === null ? undefined : store.revisions.get(activeId);
  const nowMs = clock.now();
  const item = (revision: StoredRevision, before: StoredRevision | undefined) => (
    <Revision
      revision={revision}
      changes={before && changesOf(revision, before)}
      failure={shortFailure(failureOf(store, revision))}
      stages={stageTimes(store.revisions.statusChanges(revision.id), nowMs)}
      isActive={revision.id === activeId}
      isShown={revision.id === shownLog}
      nowMs={nowMs}
    />
  );
  return (
    <section class="revisions" aria-labelledby="revisions-title">
      <h2 id="revisions-title">Revisions</h2>
      <ol class="timeline">
        {shown.map((revision, at) => item(revision, page[at + 1]))}
        {active && <li class="gap">Between: older revisions that do not serve</li>}
        {active && item(active, undefined)}
      </ol>
      {page.length > limit && !all && (
        <p>
          <a href={link(`/deployments/${deployment.id}`, { revisions: "all" })}>Older revisions</a>
        </p>
      )}
      {page.length > limit && all && <p>Only the newest {plural(ALL, "revision")} are shown.</p>}
    </section>
  );
};

const Revision: FC<{
  revision: StoredRevision;
  /** Undefined for the first. */
  changes: RevisionChanges | undefined;
  failure: string | undefined;
  stages: readonly StageTime[];
  isActive: boolean;
  isShown: boolean;
  nowMs: number;
}> = ({ revision, changes, failure, stages, isActive, isShown, nowMs }) => {
  const { id, deployment_id, status, created_at, pushed, source_revision_config: made } = revision;
  const source = made.image_uri ?? made.repo_ref ?? "";
  const href = link(`/deployments/${deployment_id}`, { revision: id });
  return (
    <li id={`r-${id}`} class={revisionLabel(status).tone}>
      <p class="revision">
        <Badge label={revisionLabel(status)} title={status} />
        {isActive && <span class="serves">serves</span>}
        <a
          id={`l-${id}`}
          href={`${href}#log`}
          aria-label={`Log of revision ${shortId(id)}`}
          aria-current={isShown ? "true" : undefined}
        >
          <ShortId id={id} />
        </a>
        <bdi class="source" title={plain(source)}>
          <Breakable text={shortImage(plain(source))} />
        </bdi>
        {made.repo_commit_sha && (
          <code title={made.repo_commit_sha}>{shortCommit(made.repo_commit_sha)}</code>
        )}
        <small>
          <Age at={created_at} now={nowMs} />
          {pushed && ", from a push"}
        </small>
      </p>
      {stages.length > 0 && <StageBar stages={stages} />}
      <ul class="stages" aria-label="Stages">
        {stages.map(({ name, milliseconds, state }) => (
          <li class={`${name} ${state}`}>
            {STAGE_NAMES[name]} <b>{duration(milliseconds)}</b>
            {state === "running" && <span class="visually-hidden">, running</span>}
            {state === "failed" && " failed"}
          </li>
        ))}
        <li class="total">
          {hasEnded(status) ? "Total" : "So far"} <b>{duration(totalMs(revision, nowMs))}</b>
        </li>
      </ul>
      {failure && <p class="reason">{failure}</p>}
      {changes && <Changes changes={changes} />}
    </li>
  );
};

const STAGE_NAMES = { create: "Create", wait: "Wait", build: "Build", deploy: "Deploy" } as const;

/** The stages in proportion. The widths are attributes of SVG: inline styles are not allowed. */
const StageBar: FC<{ stages: readonly StageTime[] }> = ({ stages }) => {
  const total = stages.reduce((sum, { milliseconds }) => sum + milliseconds, 0) || 1;
  let start = 0;
  return (
    <svg class="bar" viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
      {stages.map(({ name, milliseconds, state }) => {
        const width = Math.max((milliseconds / total) * 1000, 4);
        const x = start;
        start += width;
        return (
          <rect class={`${name} ${state}`} x={x.toFixed(0)} width={width.toFixed(0)} height="6" />
        );
      })}
    </svg>
  );
};
