import type { CreateThread } from "../../../sdk";

/** So many threads are each customer's: a page of them is full however many threads there are. */
const THREADS_OF_CUSTOMER = 10;

export const GRAPH_ID = "agent";

/** How many customers so many threads are of. */
export function customersOf(threads: number): number {
  return Math.ceil(threads / THREADS_OF_CUSTOMER);
}

/** The metadata of a customer's threads. */
export function ofCustomer(customer: number | string) {
  return { graph_id: GRAPH_ID, customer: `customer ${customer}` };
}

/** A thread with a question and its answer. */
export function conversation(customer: number | string): CreateThread {
  const said = (as_node: string, type: string, content: string) => ({
    updates: [{ as_node, values: { messages: [{ type, content }] } }],
  });
  return {
    metadata: ofCustomer(customer),
    supersteps: [
      said("__start__", "human", "Where is my order 1042?"),
      said("agent", "ai", "Your order 1042 is on its way and arrives tomorrow."),
    ],
  };
}
