import type { SearchThreads, SelectedThread } from "../../sdk/schema/thread";
import type { AgentReader } from "./agent-reader";

/** What to look for among the threads of an agent server. All of it must match. */
export interface ThreadSearch {
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Beginnings or ends of an id, in lower case. */
  readonly ids: readonly string[];
  /** Words that are neither metadata nor a part of an id. */
  readonly refused: readonly string[];
}

/** A page of threads, newest first. */
export interface ThreadPage {
  readonly threads: readonly SelectedThread[];
  readonly hasNext: boolean;
}

/** Statuses to choose from. */
export const THREAD_STATUSES = ["busy", "interrupted", "error", "idle"] as const;
export type ThreadStatusName = (typeof THREAD_STATUSES)[number];

const SHORTEST_PART = 4;
const PART_OF_ID = new RegExp(`^[\\da-f-]{${SHORTEST_PART},36}$`, "i");
const WHOLE_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Servers find whole ids only: for a part, this many threads are read, in portions. */
const MOST_READ = 20_000;
const READ_AT_ONCE = 1000;

const NEWEST: Partial<SearchThreads> = {
  sort_by: "updated_at",
  sort_order: "desc",
  select: ["thread_id", "status", "metadata", "created_at", "updated_at"],
};

/**
 * `user=ada tier=1 "a b"=c`: metadata, of which values that are JSON count as such. `4ff1b2c3`: the beginning or the end
 * of an id.
 */
export function parseThreadSearch(text: string): ThreadSearch {
  const words = text.match(/"[^"]*"(?:="[^"]*"|=[^\s"]*)?|[^\s"]+(?:"[^"]*")?/g) ?? [];
  const pairs = words.filter((word) => word.includes("="));
  const others = words.filter((word) => !word.includes("="));
  return {
    metadata: Object.fromEntries(
      pairs.map((word) => {
        const [name = "", ...value] = word.split("=");
        return [name.replaceAll('"', ""), jsonOr(value.join("="))];
      }),
    ),
    ids: others.filter((word) => PART_OF_ID.test(word)).map((word) => word.toLowerCase()),
    refused: others.filter((word) => !PART_OF_ID.test(word)),
  };
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The message for words that are neither metadata nor a part of an id. */
export function refusal({ refused }: ThreadSearch): string | undefined {
  if (refused.length === 0) return undefined;
  const words = refused.map((word) => `'${word}'`).join(", ");
  return `${words}: search for metadata as name=value, or for the beginning or the end of an id (at least ${SHORTEST_PART} characters)`;
}

/** Finds the threads of one agent server that were updated last. */
export async function findThreads(
  agent: AgentReader,
  search: ThreadSearch,
  page: { readonly status?: ThreadStatusName | undefined; limit: number; offset: number },
): Promise<ThreadPage> {
  const { limit, offset } = page;
  const conditions = conditionsOf(search, page.status);
  const whole = search.ids.find((id) => WHOLE_ID.test(id));
  const ids = whole ? [whole] : search.ids.length > 0 && (await idsWith(agent, search, conditions));
  if (!ids) {
    const threads = await agent.search({ ...conditions, ...NEWEST, limit: limit + 1, offset });
    return pageOf(threads, limit);
  }
  if (ids.length === 0) return { threads: [], hasNext: false };
  const named = ids.slice(0, READ_AT_ONCE);
  const found = await agent.search({
    ...conditions,
    ...NEWEST,
    ids: named,
    limit: limit + 1,
    offset,
  });
  return pageOf(found, limit);
}

/** Counts those that match; undefined where parts of ids are searched, or the server does not count. */
export async function countThreads(
  agent: AgentReader,
  search: ThreadSearch,
  status?: ThreadStatusName,
): Promise<number | undefined> {
  if (search.ids.length > 0) return undefined;
  return agent.count(conditionsOf(search, status)).catch(() => undefined);
}

function conditionsOf({ metadata }: ThreadSearch, status: ThreadStatusName | undefined) {
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    ...(status !== undefined && { status }),
  };
}

async function idsWith(
  agent: AgentReader,
  { ids }: ThreadSearch,
  conditions: ReturnType<typeof conditionsOf>,
): Promise<string[]> {
  const found: string[] = [];
  for (let offset = 0; offset < MOST_READ; offset += READ_AT_ONCE) {
    const page = await agent.search({
      ...conditions,
      sort_by: "created_at",
      sort_order: "desc",
      select: ["thread_id"],
      limit: READ_AT_ONCE,
      offset,
    });
    const all = page.map(({ thread_id = "" }) => thread_id.toLowerCase());
    found.push(
      ...all.filter((id) => ids.every((part) => id.startsWith(part) || id.endsWith(part))),
    );
    if (page.length < READ_AT_ONCE) break;
  }
  return found;
}

function pageOf(threads: readonly SelectedThread[], limit: number): ThreadPage {
  return { threads: threads.slice(0, limit), hasNext: threads.length > limit };
}
