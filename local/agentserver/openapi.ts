import { z } from "zod";
import { Problem } from "../../sdk/schema";
import * as assistants from "../../sdk/schema/assistant";
import * as threads from "../../sdk/schema/thread";
import { packageVersion } from "./version";

interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly body?: z.ZodType;
  /** @default a 204 without a body */
  readonly response?: z.ZodType;
}

const { Assistant, AssistantVersion } = assistants;
const { Count, Thread, ThreadState } = threads;
const ASSISTANT = "/assistants/{assistant_id}";
const THREAD = "/threads/{thread_id}";

/** The operations by path and method. */
const OPERATIONS: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
  "/ok": {
    get: {
      id: "isHealthy",
      summary: "Tells that the server runs",
      response: z.object({ ok: z.boolean() }),
    },
  },
  "/info": {
    get: {
      id: "getServerInfo",
      summary: "Gets version, graphs and features of the server",
      response: threads.ServerInfo,
    },
  },
  "/threads": {
    post: {
      id: "createThread",
      summary: "Creates a thread",
      body: threads.CreateThread,
      response: Thread,
    },
  },
  "/threads/search": {
    post: {
      id: "searchThreads",
      summary: "Finds threads, a page at a time",
      body: threads.SearchThreads,
      response: z.array(threads.SelectedThread),
    },
  },
  "/threads/count": {
    post: {
      id: "countThreads",
      summary: "Counts threads",
      body: threads.CountThreads,
      response: Count,
    },
  },
  [THREAD]: {
    get: { id: "getThread", summary: "Gets a thread", response: Thread },
    patch: {
      id: "updateThread",
      summary: "Merges metadata into a thread's",
      body: threads.UpdateThread,
      response: Thread,
    },
    delete: { id: "deleteThread", summary: "Deletes a thread" },
  },
  [`${THREAD}/copy`]: {
    post: { id: "copyThread", summary: "Copies a thread", response: Thread },
  },
  [`${THREAD}/state`]: {
    get: { id: "getThreadState", summary: "Gets the state of a thread", response: ThreadState },
    post: {
      id: "updateThreadState",
      summary: "Writes to the state of a thread",
      body: threads.UpdateState,
      response: threads.StateWritten,
    },
  },
  [`${THREAD}/state/checkpoint`]: {
    post: {
      id: "postStateAtCheckpoint",
      summary: "Gets the state of a thread at a checkpoint that the body names",
      body: threads.StateAtCheckpoint,
      response: ThreadState,
    },
  },
  [`${THREAD}/state/{checkpoint_id}`]: {
    get: {
      id: "getStateAtCheckpoint",
      summary: "Gets the state of a thread at a checkpoint",
      response: ThreadState,
    },
  },
  [`${THREAD}/history`]: {
    post: {
      id: "searchThreadHistory",
      summary: "Gets the states of a thread, newest first",
      body: threads.ThreadHistory,
      response: z.array(ThreadState),
    },
    get: {
      id: "getThreadHistory",
      summary: "Gets the newest states of a thread",
      response: z.array(ThreadState),
    },
  },
  "/assistants": {
    post: {
      id: "createAssistant",
      summary: "Creates an assistant",
      body: assistants.CreateAssistant,
      response: Assistant,
    },
  },
  "/assistants/search": {
    post: {
      id: "searchAssistants",
      summary: "Finds assistants, a page at a time",
      body: assistants.SearchAssistants,
      response: z.array(Assistant),
    },
  },
  "/assistants/count": {
    post: {
      id: "countAssistants",
      summary: "Counts assistants",
      body: assistants.CountAssistants,
      response: Count,
    },
  },
  [ASSISTANT]: {
    get: { id: "getAssistant", summary: "Gets an assistant", response: Assistant },
    patch: {
      id: "updateAssistant",
      summary: "Makes a new version of an assistant",
      body: assistants.UpdateAssistant,
      response: Assistant,
    },
    delete: { id: "deleteAssistant", summary: "Deletes an assistant" },
  },
  [`${ASSISTANT}/versions`]: {
    post: {
      id: "listAssistantVersions",
      summary: "Lists the versions of an assistant, newest first",
      body: assistants.ListAssistantVersions,
      response: z.array(AssistantVersion),
    },
  },
  [`${ASSISTANT}/latest`]: {
    post: {
      id: "setLatestAssistantVersion",
      summary: "Makes a version of an assistant the current one",
      body: assistants.SetLatestVersion,
      response: Assistant,
    },
  },
};

/** The queries that operations have, by their ids. */
const QUERIES: Readonly<Record<string, z.ZodObject>> = {
  getThreadHistory: z.object({
    limit: z.int().min(1).default(10).describe("The largest number of states"),
    before: z.string().optional().describe("The id of a checkpoint: only older states"),
  }),
  deleteAssistant: z.object({
    delete_threads: z.boolean().default(false).describe("Whether its threads are deleted too"),
  }),
};

/** `GET /openapi.json` of the built-in agent server. */
export function openApiDocument(hasKey: boolean): object {
  const paths = Object.entries(OPERATIONS).map(([path, byMethod]) => [
    path,
    Object.fromEntries(
      Object.entries(byMethod).map(([method, operation]) => [method, describe(path, operation)]),
    ),
  ]);
  const key = { type: "apiKey", in: "header", name: "X-Api-Key" };
  return {
    openapi: "3.1.0",
    info: { title: "Agent server", version: packageVersion() },
    // Relative to this document: a proxy serves an agent server below a path.
    servers: [{ url: "./" }],
    ...(hasKey && { security: [{ "X-Api-Key": [] }] }),
    components: { securitySchemes: { "X-Api-Key": key } },
    paths: Object.fromEntries(paths),
  };
}

function describe(path: string, { id, summary, body, response }: Operation): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: `The ${name.replace("_id", "")}'s id`,
    schema: { type: "string" },
  }));
  const inQuery = Object.entries(QUERIES[id]?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    description: schema.description,
    schema: z.toJSONSchema(schema, { io: "input" }),
  }));
  const rejected = { description: "The request is refused", ...json(Problem, "output") };
  return {
    operationId: id,
    summary,
    tags: [tagOf(path)],
    parameters: [...inPath, ...inQuery],
    ...(body && { requestBody: json(body, "input") }),
    responses: {
      ...(response
        ? { 200: { description: "Success", ...json(response, "output") } }
        : { 204: { description: "It is deleted" } }),
      default: rejected,
    },
  };
}

function json(schema: z.ZodType, io: "input" | "output"): object {
  return {
    content: {
      "application/json": { schema: z.toJSONSchema(schema, { io, unrepresentable: "any" }) },
    },
  };
}

function tagOf(path: string): string {
  if (path.startsWith("/threads")) return "Threads";
  return path.startsWith("/assistants") ? "Assistants" : "Server";
}
