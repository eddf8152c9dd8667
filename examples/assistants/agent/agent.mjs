import { MessagesAnnotation, StateGraph } from "@langchain/langgraph";

/** The answers of a support agent without a model, by the language of its assistant. Ask your model here. */
const ANSWERS = {
  de: ["Welche Bestellung meinen Sie?", (order) => `Ihre Bestellung ${order} ist unterwegs.`],
  en: ["Which order do you mean?", (order) => `Your order ${order} is on its way.`],
  fr: ["Quelle commande ?", (order) => `Votre commande ${order} est en route.`],
};

function answer({ messages }, { context = {} }) {
  const [ask, found] = ANSWERS[context.language ?? "en"];
  const order = /\d+/.exec(String(messages.at(-1)?.content))?.[0];
  return { messages: [{ type: "ai", content: order ? found(order) : ask }] };
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode("agent", answer)
  .addEdge("__start__", "agent")
  .addEdge("agent", "__end__")
  .compile();
