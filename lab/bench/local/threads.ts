import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { AgentServerSettings } from "../../../local/agentserver/settings";
import type { CreateThread } from "../../../sdk";
import { measure } from "../load";
import type { Run } from "../run";
import { CONNECTIONS, entryOf, get, type Operation, post, type Subject } from "./requests";

/** The threads that requests name. */
interface Threads {
  readonly ids: readonly string[];
  readonly customers: readonly string[];
}

const MAIN = require.resolve("../../../local/agentserver/main");
const GRAPH = { graph_id: "agent" };
const PAGE = 10;
/** Of threads that an operation creates. */
const CUSTOMER = "another customer";

const search = (filter: object) => post("/threads/search", { ...filter, limit: PAGE });

/** The measurements of threads; those that create come last, and their threads stay. */
export const THREAD_OPERATIONS: readonly Operation<Threads>[] = [
  { name: "state", request: ({ ids }, index) => get(`/threads/${entryOf(ids, index)}/state`) },
  {
    name: "history",
    request: ({ ids }, index) => post(`/threads/${entryOf(ids, index)}/history`, { limit: PAGE }),
  },
  { name: "search, no filter", request: () => search({}) },
  {
    name: "search by a customer's metadata",
    request: ({ customers }, index) =>
      search({ metadata: { customer: entryOf(customers, index) } }),
  },
  {
    name: "search by metadata that all threads have",
    request: () => search({ metadata: GRAPH }),
  },
  {
    name: "create, empty",
    request: () => post("/threads", { metadata: { ...GRAPH, customer: CUSTOMER } }),
  },
  {
    name: "create with a conversation",
    request: () => post("/threads", conversation(CUSTOMER)),
  },
];

/** Starts a built-in agent server and creates so many threads: a page for each customer. */
export async function startThreads(run: Run, count: number): Promise<Subject<Threads>> {
  const name = `${count.toLocaleString("en")} threads`;
  const database = join(run.folder, `${name}.db`);
  const graphs = [GRAPH.graph_id];
  const settings: AgentServerSettings = { database, graphs, variables: [], commit: null };
  const server = await run.start(MAIN, JSON.stringify(settings));
  const customers = Array.from({ length: Math.ceil(count / PAGE) }, (_, place) => `no. ${place}`);
  const ids: string[] = [];
  const create = () => {
    const thread_id = randomUUID();
    const customer = entryOf(customers, ids.push(thread_id));
    return post("/threads", { thread_id, ...conversation(customer) });
  };
  await measure(server, { connections: CONNECTIONS, requests: count }, create, run);
  return { name, server, entries: { ids, customers } };
}

/** A thread with a question and its answer. */
function conversation(customer: string): CreateThread {
  const said = (as_node: string, type: string, content: string) => ({
    updates: [{ as_node, values: { messages: [{ type, content }] } }],
  });
  const question = said("__start__", "human", "Where is my order 1042?");
  const answer = said("agent", "ai", "Your order 1042 is on its way and arrives tomorrow.");
  return { metadata: { ...GRAPH, customer }, supersteps: [question, answer] };
}
