import type { LogType } from "../../sdk/schema";
import type { StoredLine } from "../store";
import type { PageParts } from "./parts";

type LogParts = Pick<PageParts, "logs">;

/** The log that is shown. */
export interface LogQuery {
  /** @default the newest one, also when a newer one is created meanwhile */
  readonly revisionId?: string | undefined;
  /** @default both, the build log first */
  readonly type?: LogType | undefined;
  /** Only lines that contain it, whatever its case. */
  readonly text?: string | undefined;
  /** Only lines before this number of one log. */
  readonly before?: number | undefined;
}

/** The last lines of a revision's logs that a reader has. */
export interface LogCursor {
  readonly revisionId: string;
  readonly build: number;
  readonly deploy: number;
}

export type ShownLine = StoredLine & { readonly type: LogType };

const SHOWN = 300;
const AT_ONCE = 200;

function typesOf({ type }: LogQuery): readonly LogType[] {
  return type ? [type] : ["build", "deploy"];
}

/** As the id of a message of a stream, with which a browser asks for what follows. */
export function formatCursor({ revisionId, build, deploy }: LogCursor): string {
  return `${revisionId} ${build} ${deploy}`;
}

export function parseCursor(text = ""): LogCursor | undefined {
  const [, revisionId = "", build, deploy] =
    /^([\da-f-]{36}) (\d{1,12}) (\d{1,12})$/.exec(text) ?? [];
  return revisionId ? { revisionId, build: Number(build), deploy: Number(deploy) } : undefined;
}

/** The end of a revision's logs, and where to continue. */
export async function lastLines({ logs }: LogParts, revisionId: string, query: LogQuery) {
  const cursor = { revisionId, build: 0, deploy: 0 };
  let lines: ShownLine[] = [];
  for (const type of typesOf(query).toReversed()) {
    const name = { revisionId, type };
    const [newest] = await logs.tail(name, 1, {});
    cursor[type] = newest?.number ?? 0;
    const limit = SHOWN - lines.length;
    if (limit <= 0) continue;
    const before = Math.min(query.before ?? Infinity, cursor[type] + 1);
    const found = await logs.tail(name, limit, { text: query.text ?? "", before });
    lines = [...found.map((line) => ({ ...line, type })), ...lines];
  }
  return { lines, cursor, isCut: lines.length >= SHOWN };
}

/** The lines after a cursor, and the next cursor; the same one if there are none. */
export async function nextLines({ logs }: LogParts, cursor: LogCursor, query: LogQuery) {
  for (const type of typesOf(query)) {
    const name = { revisionId: cursor.revisionId, type };
    const found = await logs.after(name, cursor[type], AT_ONCE);
    const last = found.at(-1);
    if (!last) continue;
    const text = (query.text ?? "").toLowerCase();
    const lines = found.filter(({ message }) => message.toLowerCase().includes(text));
    return {
      cursor: { ...cursor, [type]: last.number },
      lines: lines.map((line) => ({ ...line, type })),
    };
  }
  return { cursor, lines: [] };
}
