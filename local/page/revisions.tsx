import type { FC } from "hono/jsx";
import { hasEnded } from "../rollout/machine";
import type { StoredDeployment, StoredRevision } from "../store";
import type { PageParts } from "./parts";
import { Age, Badge, link } from "./pieces";
import { stageTimes, totalMs, type StageTime } from "./stages";
import { duration, plain, plural, revisionLabel, shortId } from "./words";

const SHOWN = 10;
const ALL = 200;

/** The revisions of a deployment, newest first, each with its stages. */
export const Revisions: FC<{
  parts: PageParts;
  deployment: StoredDeployment;
  all: boolean;
  shownLog?: string | undefined;
}> = ({ parts, deployment, all, shownLog }) => {
  const limit = all ? ALL : SHOWN;
  const page = parts.store.revisions.list(deployment.id, { limit: limit + 1, offset: 0 });
  const nowMs = parts.clock.now();
  return (
    <section class="revisions" aria-labelledby="revisions-title">
      <h2 id="revisions-title">Revisions</h2>
      <ol class="timeline">
        {page.slice(0, limit).map((revision) => (
          <Revision
            revision={revision}
            stages={stageTimes(parts.store.revisions.statusChanges(revision.id), nowMs)}
            isActive={revision.id === deployment.active_revision_id}
            isShown={revision.id === shownLog}
            nowMs={nowMs}
          />
        ))}
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
  stages: readonly StageTime[];
  isActive: boolean;
  isShown: boolean;
  nowMs: number;
}> = ({ revision, stages, isActive, isShown, nowMs }) => {
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
          title={id}
          aria-label={`Log of revision ${shortId(id)}`}
          aria-current={isShown ? "true" : undefined}
        >
          {shortId(id)}
        </a>
        <bdi class="source">{plain(source)}</bdi>
        {made.repo_commit_sha && (
          <code title={made.repo_commit_sha}>{made.repo_commit_sha.slice(0, 7)}</code>
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
