import { createReadStream } from "node:fs";
import { lstat, open, rename, rm, stat } from "node:fs/promises";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { type AgentServer, RequestError, type SearchThreads, type SelectedThread } from "../../sdk";
import { messageOf } from "../../shared/errors";
import { momentIn } from "../../shared/moment";
import { CommandFailure } from "../failure";
import { Conversation, hasUnfinishedTasks, readConversation, roundedNote } from "./conversation";
import { type Original, place, type Target } from "./placement";

/** Which threads of an agent server. */
export interface Filter extends Pick<Partial<SearchThreads>, "status" | "metadata"> {
  /** Only those whose thread or state has changed since. */
  readonly updatedAfter?: Date | undefined;
}

/** What became of a thread; a reason where it was not copied, a note where something was left out. */
export interface Outcome {
  readonly threadId: string;
  readonly outcome: "copied" | "renewed" | "present" | "unfinished" | "failed" | "exported";
  readonly note?: string | undefined;
}

/** A thread that was found, or why it was not read. */
type Found = Original & { readonly unfinished: () => Promise<string | undefined> };

/** Requests at once: each may hold a thread's newest state. */
const AT_ONCE = 4;

/** The threads of an agent server, oldest first, without their values. */
export async function* findThreads(
  { threads }: AgentServer,
  { updatedAfter, ...filter }: Filter,
): AsyncGenerator<SelectedThread & { thread_id: string }, void, undefined> {
  const select: SearchThreads["select"] = [
    "thread_id",
    "status",
    "metadata",
    "created_at",
    "updated_at",
  ];
  for await (const thread of threads.searchAll({
    ...filter,
    select,
    sort_by: "created_at",
    sort_order: "asc",
  })) {
    const { thread_id, updated_at = "" } = thread;
    const isOld = updatedAfter !== undefined && momentIn(updated_at) < updatedAfter.getTime();
    if (thread_id !== undefined && !isOld) yield { ...thread, thread_id };
  }
}

/** The threads of an agent server, to be copied. */
export async function* originalsAt(
  server: AgentServer,
  filter: Filter,
): AsyncGenerator<Found, void, undefined> {
  for await (const thread of findThreads(server, filter)) {
    const { thread_id: threadId, status = "", metadata = {} } = thread;
    yield {
      threadId,
      metadata,
      unfinished: async () => {
        if (status !== "busy" && status !== "interrupted") return undefined;
        return hasUnfinishedTasks(status, await server.threads.state(threadId))
          ? status
          : undefined;
      },
      stateId: async () => (await server.threads.state(threadId)).checkpoint_id,
      read: async () => readConversation(server, await server.threads.get(threadId)),
    };
  }
}

/** Names standard output, or standard input, in the place of a file. */
export const STANDARD = "-";

/** The threads of an export. Throws `CommandFailure` with the line that is not one. */
export async function* originalsIn(name: string): AsyncGenerator<Found, void, undefined> {
  const file = name === STANDARD ? "standard input" : name;
  const bytes: Readable = name === STANDARD ? process.stdin : createReadStream(name);
  const text = file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes;
  bytes.on("error", (error) => text.destroy(error));
  let number = 0;
  try {
    for await (const line of linesOf(text)) {
      number += 1;
      const conversation = parseLine(line, `${file}, line ${number}`);
      const { thread_id: threadId, metadata, unfinished, state } = conversation;
      yield {
        threadId,
        metadata,
        unfinished: async () => unfinished,
        stateId: async () => state.checkpoint_id,
        read: async () => conversation,
      };
    }
  } catch (error) {
    throw fileFailure("read", file, error);
  }
}

/** Only a line feed ends a line: JSON may hold the line separators of Unicode as they are, where `readline` ends one. */
async function* linesOf(text: Readable): AsyncGenerator<string, void, undefined> {
  let parts: string[] = [];
  for await (const chunk of text.setEncoding("utf8")) {
    const [rest = "", ...others] = String(chunk).split("\n");
    parts.push(rest);
    for (const other of others) {
      yield parts.join("");
      parts = [other];
    }
  }
  if (parts.some((part) => part !== "")) yield parts.join("");
}

/** The failure of a command whose file is at fault; any other error as it is. */
function fileFailure(verb: "read" | "write", file: string, error: unknown): unknown {
  if (error instanceof CommandFailure || error instanceof RequestError) return error;
  return new CommandFailure(`cannot ${verb} ${file}: ${messageOf(error)}`, { cause: error });
}

function parseLine(line: string, where: string): Conversation {
  try {
    return Conversation.parse(JSON.parse(line));
  } catch (error) {
    throw new CommandFailure(`${where}: not a thread of an export of version 1`, { cause: error });
  }
}

/** Copies threads to a target, a few at once, and reports each. */
export async function copyAll(
  originals: AsyncIterable<Found>,
  target: Target,
  { unfinished, dryRun }: { readonly unfinished: boolean; readonly dryRun: boolean },
  report: (outcome: Outcome) => void,
): Promise<void> {
  await forEach(originals, async (original) => {
    const { threadId } = original;
    try {
      const missing = incomplete(await original.unfinished());
      if (missing && !unfinished) return report({ threadId, outcome: "unfinished", note: missing });
      const { outcome, note } = await place(target, original, dryRun);
      report({ threadId, outcome, note: joined([missing, note]) });
    } catch (error) {
      report({ threadId, outcome: "failed", note: messageOf(error) });
    }
  });
}

function joined(notes: readonly (string | undefined)[]): string | undefined {
  return notes.filter(Boolean).join("; ") || undefined;
}

function incomplete(status: string | undefined): string | undefined {
  return status && `it is ${status}, and no copy has its unfinished tasks`;
}

/** Reads threads with their history, and reports each once it is taken. */
export async function* exported(
  originals: AsyncIterable<Found>,
  report: (outcome: Outcome) => void,
): AsyncGenerator<Conversation, void, undefined> {
  for await (const { threadId, read } of originals) {
    const conversation = await read().catch((error: unknown) => {
      report({ threadId, outcome: "failed", note: messageOf(error) });
    });
    if (!conversation) continue;
    yield conversation;
    const notes = [incomplete(conversation.unfinished), roundedNote(conversation)];
    report({ threadId, outcome: "exported", note: joined(notes) });
  }
}

/** Writes threads to a file, a line each, which has its name once it is complete. Only its owner may read it. */
export async function writeExport(
  conversations: AsyncIterable<Conversation>,
  file: string,
): Promise<void> {
  const part = `${file}.part`;
  async function* lines() {
    for await (const conversation of conversations) yield `${JSON.stringify(conversation)}\n`;
  }
  const compress = file.endsWith(".gz") ? createGzip() : new PassThrough();
  try {
    if ((await lstat(file).catch(() => undefined))?.isFile() === false)
      throw new Error("it is no file, and would be replaced by one");
    // One that is there, or a link, may be another user's, and would keep its mode.
    await rm(part, { force: true });
    const written = await open(part, "wx", 0o600);
    const { ino } = await written.stat();
    // Another export may have replaced it by its own, which is not complete.
    const isOwn = async () => (await stat(part).catch(() => undefined))?.ino === ino;
    try {
      await pipeline(Readable.from(lines()), compress, written.createWriteStream());
    } catch (error) {
      if (await isOwn()) await rm(part);
      throw error;
    }
    if (!(await isOwn())) throw new Error("another export to it has begun since");
    await rename(part, file);
  } catch (error) {
    throw fileFailure("write", file, error);
  }
}

/** A generator that several loops share gives each item to one of them. */
async function forEach<Item>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const shared = { [Symbol.asyncIterator]: () => iterator };
  const iterator = items[Symbol.asyncIterator]();
  const loop = async () => {
    for await (const item of shared) await work(item);
  };
  // The others end what they have begun, and report it.
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, loop));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}
