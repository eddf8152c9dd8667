import type { SuperstepArgs } from "pulumi-agentserver";

/** The turns of a conversation; a customer begins. */
export interface Conversation {
  readonly customer: string;
  readonly turns: readonly { readonly human?: string; readonly ai?: string }[];
}

/** The conversations that a demo starts from, by the names that their threads have in the stack. */
export const conversations: Readonly<Record<string, Conversation>> = {
  delivered: {
    customer: "ada",
    turns: [
      { human: "Where is my order 1042?" },
      { ai: "It was delivered yesterday at 14:05." },
      { human: "Found it, thank you!" },
    ],
  },
  delayed: {
    customer: "grace",
    turns: [
      { human: "Order 1077 should have been here on Monday." },
      { ai: "I am sorry: the carrier lost a day. It arrives tomorrow." },
    ],
  },
  refund: {
    customer: "linus",
    turns: [
      { human: "The lamp of order 1013 is broken." },
      { ai: "Would you rather have a new one or your money back?" },
      { human: "My money, please." },
      { ai: "Done: 39.90 € are on their way to you." },
    ],
  },
};

/** A conversation as the steps that lead to it: what people say comes in at the start, the rest from the graph's node. */
export function supersteps({ turns }: Conversation): SuperstepArgs[] {
  const input = { updates: [{ asNode: "__input__", values: {} }] };
  return [
    input,
    ...turns.map(({ human, ai }) =>
      human ? said("__start__", "human", human) : said("agent", "ai", ai ?? ""),
    ),
  ];
}

function said(asNode: string, type: string, content: string): SuperstepArgs {
  return { updates: [{ asNode, values: { messages: [{ type, content }] } }] };
}
