import { randomUUID } from "node:crypto";
import { z } from "zod";
import { CreateAssistant, CreateRun } from "../../sdk/schema";
import { json, startServer } from "./http";
import { parsed } from "./values";

/** A server with runs whose agent a test writes. */
export type RunServer = Awaited<ReturnType<typeof startRunServer>>;

/** The text of a question, and the assistant that is asked; never for a run that never ends. */
type Agent = (question: string, assistant: CreateAssistant | undefined) => unknown;

const AT = "2026-01-01T00:00:00.000Z";

/** Starts a scripted server with runs. As on the real ones the head of a run's response comes at once, with its handle. */
export async function startRunServer(agent: Agent) {
  const threads = new Map<string, z.infer<typeof Thread>>();
  const assistants = new Map<string, CreateAssistant>();
  const createdAt = new Map<string, string>();
  const clock = { now: AT };
  const cancelled: string[] = [];
  const running = { now: 0, most: 0 };
  const shown = (values: CreateAssistant) => ({
    ...anAssistant(values),
    created_at: createdAt.get(values.assistant_id ?? ""),
  });
  const server = await startServer((request, response) => {
    const { method, url, body } = request;
    const [, kind = "", id = "", , runId = ""] = url.split("?")[0]?.split("/") ?? [];
    if (url === "/info") return json(response, 200, { version: "1", flags: { crons: false } });
    if (method === "POST" && url.endsWith("/runs/wait")) {
      const run = randomUUID();
      const { assistant_id, input } = parsed(CreateRun, JSON.parse(body));
      const question = parsed(Input, input).messages[0]?.content ?? "";
      response.writeHead(200, { "content-location": `/threads/${id}/runs/${run}` });
      response.flushHeaders();
      running.now += 1;
      running.most = Math.max(running.most, running.now);
      void Promise.resolve(agent(question, assistants.get(assistant_id))).then((values) => {
        running.now -= 1;
        response.end(`\n${JSON.stringify(values)}`);
      });
      return;
    }
    if (url.includes("/cancel")) {
      cancelled.push(runId);
      return response.writeHead(204).end();
    }
    if (method === "DELETE") {
      threads.delete(id);
      assistants.delete(id);
      return response.writeHead(204).end();
    }
    if (method === "POST" && url === "/threads") {
      const thread = parsed(Thread, { created_at: clock.now, ...JSON.parse(body) });
      threads.set(thread.thread_id, thread);
      return json(response, 200, aThread(thread));
    }
    if (url === "/threads/search")
      return json(response, 200, matching(threads.values(), body).map(aThread));
    if (url.endsWith("/count")) return json(response, 200, 0);
    if (kind === "threads") return json(response, 200, { values: {}, next: [] });
    if (method === "POST" && url === "/assistants") {
      const created = parsed(CreateAssistant, JSON.parse(body));
      assistants.set(created.assistant_id ?? "", created);
      createdAt.set(created.assistant_id ?? "", clock.now);
      return json(response, 200, shown(created));
    }
    if (url === "/assistants/search")
      return json(response, 200, matching(assistants.values(), body).map(shown));
    const found = assistants.get(id);
    if (found === undefined) return json(response, 404, { detail: "Not Found" });
    if (method === "PATCH")
      assistants.set(id, parsed(CreateAssistant, { ...found, ...JSON.parse(body) }));
    return json(response, 200, shown(assistants.get(id) ?? found));
  });
  return {
    ...server,
    /** Threads and assistants that are there, by id. */
    threads,
    assistants,
    /** Its clock, which stands still. */
    clock,
    /** Runs that were cancelled. */
    cancelled,
    /** The most runs that went on at a time. */
    mostAtOnce: () => running.most,
  };
}

const Input = z.object({ messages: z.array(z.object({ content: z.string() })) });
const Metadata = z.record(z.string(), z.unknown());
const Thread = z.object({
  thread_id: z.string(),
  created_at: z.string(),
  metadata: Metadata.optional(),
});
const Search = z.object({ metadata: Metadata.default({}) });

/** Those with the one member of metadata that a search asks for, if any. */
function matching<
  Thing extends { readonly metadata?: Readonly<Record<string, unknown>> | undefined },
>(things: Iterable<Thing>, search: string): Thing[] {
  const { metadata } = parsed(Search, JSON.parse(search));
  const members = Object.entries(metadata);
  return [...things].filter((one) =>
    members.every(([key, value]) => one.metadata?.[key] === value),
  );
}

const aThread = (thread: z.infer<typeof Thread>) => ({
  metadata: {},
  ...thread,
  updated_at: AT,
  status: "idle",
});

const anAssistant = (values: CreateAssistant) => ({
  name: "",
  description: null,
  config: {},
  context: {},
  metadata: {},
  version: 1,
  created_at: AT,
  updated_at: AT,
  ...values,
});

/** The values after a run that came to an answer. */
export const answer = (content: string) => ({
  messages: [
    { type: "human", content: "?" },
    { type: "ai", content },
  ],
});

/** The input of a run. */
export const question = (content: string) => ({ messages: [{ role: "user", content }] });
