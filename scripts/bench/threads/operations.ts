import { z } from "zod";
import { send, sendAll, type Request } from "../load";
import type { Operation, Subject as Measured } from "../rounds";
import type { Address } from "../servers";
import { conversation, customersOf, GRAPH_ID, ofCustomer } from "./conversations";

/** A server with the ids of its threads. */
export interface Subject extends Measured {
  readonly ids: readonly string[];
}

/** Coprime to every size there is: it leads through all threads, and never to a neighbour of the one before. */
const STRIDE = 7919;
const PAGE = 10;
const MOST_OF_A_SEARCH = 1000;
const CLIENTS = 8;
/** The customer of threads that are removed again. */
const MADE = "of a round";

const Found = z.array(z.object({ thread_id: z.string() }));

/** What is measured of threads. */
export const OPERATIONS: readonly Operation<Subject>[] = [
  {
    name: "create, empty",
    share: 0.5,
    request: () => create({ metadata: ofCustomer(MADE) }),
    undo: removeMade,
  },
  {
    name: "create with a conversation",
    share: 0.5,
    request: () => create(conversation(MADE)),
    undo: removeMade,
  },
  {
    name: "state",
    request: ({ ids }, index) => ({
      method: "GET",
      path: `/threads/${idOf(ids, index)}/state`,
      status: 200,
    }),
  },
  {
    name: "history",
    request: ({ ids }, index) => ({
      method: "POST",
      path: `/threads/${idOf(ids, index)}/history`,
      body: { limit: PAGE },
      status: 200,
    }),
  },
  { name: "search, no filter", request: () => search({}) },
  {
    name: "search by a customer's metadata",
    request: ({ ids }, index) => {
      const { customer } = ofCustomer((index * STRIDE) % customersOf(ids.length));
      return search({ metadata: { customer } });
    },
  },
  {
    name: "search by metadata that all threads have",
    request: () => search({ metadata: { graph_id: GRAPH_ID } }),
  },
];

/** The request that makes a thread. */
export function create(body: object): Request {
  return { method: "POST", path: "/threads", body, status: 200 };
}

function search(filter: object): Request {
  const body = { ...filter, limit: PAGE };
  return { method: "POST", path: "/threads/search", body, status: 200 };
}

function idOf(ids: readonly string[], index: number): string {
  return ids[(index * STRIDE) % ids.length] ?? "";
}

async function removeMade(server: Address, signal: AbortSignal): Promise<void> {
  const { customer } = ofCustomer(MADE);
  const path = "/threads/search";
  const body = { metadata: { customer }, limit: MOST_OF_A_SEARCH, select: ["thread_id"] };
  const answer = await send(server, { method: "POST", path, body, status: 200 }, { signal });
  const requests = Found.parse(JSON.parse(answer)).map(({ thread_id }): Request => ({
    method: "DELETE",
    path: `/threads/${thread_id}`,
    status: 204,
  }));
  await sendAll(server, requests, { clients: CLIENTS, signal });
}
