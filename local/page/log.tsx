import type { Context } from "hono";
import type { FC } from "hono/jsx";
import type { StoredDeployment } from "../store";
import { liveMessages } from "./live";
import {
  formatCursor,
  lastLines,
  nextLines,
  parseCursor,
  type LogCursor,
  type LogQuery,
  type ShownLine,
} from "./log-cursor";
import type { PageParts } from "./parts";
import { link, Search, ShortId, Tabs, Zone } from "./pieces";
import { plain } from "./words";

export type { LogQuery } from "./log-cursor";

export function logQueryOf(query: Readonly<Record<string, string>>): LogQuery {
  const { revision, type, q, before = "" } = query;
  return {
    revisionId: revision || undefined,
    type: type === "build" || type === "deploy" ? type : undefined,
    text: q || undefined,
    before: /^\d{1,12}$/.test(before) ? Number(before) : undefined,
  };
}

function hrefOf(id: string, query: LogQuery, path = "/deployments"): string {
  const { revisionId: revision, type, text: q, before } = query;
  return link(`${path}/${id}`, { revision, type, q, before });
}

const TYPES = { all: undefined, build: "build", deploy: "deploy" } as const;
const TYPE_NAMES = { all: "All", build: "Build", deploy: "Deploy and agent server" } as const;

/** The log of a revision, which grows while it is shown. */
export const LogView: FC<{
  parts: PageParts;
  deployment: StoredDeployment;
  query: LogQuery;
}> = async ({ parts, deployment, query }) => {
  const { id } = deployment;
  const revisionId = query.revisionId ?? deployment.latest_revision_id;
  const { lines, cursor, isCut } = await lastLines(parts, revisionId, query);
  const tabs = (["all", "build", "deploy"] as const).map((name) => ({
    name: TYPE_NAMES[name],
    href: `${hrefOf(id, { ...query, type: TYPES[name], before: undefined })}#log`,
    isCurrent: query.type === TYPES[name],
  }));
  const stream = link(`/live/deployments/${id}/log`, {
    revision: query.revisionId,
    type: query.type,
    q: query.text,
    after: formatCursor(cursor),
  });
  const older = query.type && isCut ? lines[0]?.number : undefined;
  const live = query.before === undefined && {
    "hx-sse:connect": stream,
    "hx-target": "#lines",
    "hx-swap": "beforeend",
  };
  return (
    <section id="log" aria-labelledby="log-title">
      <div class="heading">
        <h2 id="log-title">
          Log <LogOf revisionId={revisionId} />
        </h2>
        <Search
          label="Search the log"
          name="q"
          value={query.text ?? ""}
          placeholder="Text in the log"
        >
          {query.revisionId && <input type="hidden" name="revision" value={query.revisionId} />}
          {query.type && <input type="hidden" name="type" value={query.type} />}
        </Search>
      </div>
      <div class="log-bar">
        <Tabs label="Which log" tabs={tabs} />
        <small>
          Times are <Zone />
        </small>
        {query.revisionId && (
          <a href={`${hrefOf(id, { ...query, revisionId: undefined, before: undefined })}#log`}>
            Follow the newest revision
          </a>
        )}
        {query.before !== undefined && (
          <a href={`${hrefOf(id, { ...query, before: undefined })}#log`}>Newest lines</a>
        )}
      </div>
      {older !== undefined && (
        <p>
          <a href={`${hrefOf(id, { ...query, before: older })}#log`}>Older lines</a>
        </p>
      )}
      {isCut && !query.type && (
        <p class="hint">These are the newest lines; Build and Deploy have the older ones.</p>
      )}
      <div
        id="lines"
        class="lines"
        role="log"
        aria-live="off"
        aria-labelledby="log-title"
        tabindex={0}
        data-follow
        data-empty={query.text ? "No line contains this text." : "No lines yet."}
        {...live}
      >
        <Lines lines={lines} text={query.text} />
      </div>
    </section>
  );
};

/** The part of the heading that the stream replaces when it goes on with the next revision. */
const LogOf: FC<{ revisionId: string; isNext?: boolean }> = ({ revisionId, isNext = false }) => (
  <small id="log-of" {...(isNext && { "hx-swap-oob": "true" })}>
    of revision <ShortId id={revisionId} />
  </small>
);

/** Follows a log from where the page, or the lost connection, ended. */
export function liveLog(c: Context, parts: PageParts, id: string, query: LogQuery) {
  let cursor = parseCursor(c.req.header("Last-Event-ID")) ??
    parseCursor(c.req.query("after")) ?? { revisionId: "", build: 0, deploy: 0 };
  return liveMessages(c, parts, async () => {
    const next = await nextLines(parts, cursor, query);
    const isNew = next.cursor !== cursor;
    cursor = next.cursor;
    if (isNew) return messageOf(cursor, <Lines lines={next.lines} text={query.text} />);
    const latest = parts.store.deployments.get(id)?.latest_revision_id;
    if (!latest || query.revisionId !== undefined || latest === cursor.revisionId) return undefined;
    cursor = { revisionId: latest, build: 0, deploy: 0 };
    return messageOf(
      cursor,
      <>
        <p class="divider">
          Revision <ShortId id={latest} />
        </p>
        <LogOf revisionId={latest} isNext />
      </>,
    );
  });
}

function messageOf(cursor: LogCursor, content: unknown) {
  const html = String(content);
  return html === "" ? undefined : { html, id: formatCursor(cursor) };
}

const Lines: FC<{ lines: readonly ShownLine[]; text?: string | undefined }> = ({ lines, text }) => (
  <>
    {lines.map(({ type, level, timestamp, message }) => (
      <div class={`line ${level.toLowerCase()}`}>
        <time datetime={timestamp} title={`${timestamp}, ${type} log`}>
          {timestamp.slice(11, 19)}
        </time>
        <span>
          {level !== "INFO" && <b>{level} </b>}
          <Marked message={plain(message)} text={text} />
        </span>
      </div>
    ))}
  </>
);

/** A line with the searched text marked. */
const Marked: FC<{ message: string; text?: string | undefined }> = ({ message, text }) => {
  if (!text) return <>{message}</>;
  const parts: unknown[] = [];
  const [lower, wanted] = [message.toLowerCase(), text.toLowerCase()];
  let end = 0;
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, end)) {
    parts.push(message.slice(end, at), <mark>{message.slice(at, at + text.length)}</mark>);
    end = at + text.length;
  }
  return (
    <>
      {parts}
      {message.slice(end)}
    </>
  );
};
