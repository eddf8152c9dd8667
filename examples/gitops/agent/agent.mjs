/** A support agent without a model: it knows two answers. */
export function graph({ messages }) {
  const question = messages.at(-1).content.toLowerCase();
  const content = question.includes("order")
    ? "Your order is on its way and arrives tomorrow."
    : "I can tell you where your order is.";
  return { messages: [{ type: "ai", content }] };
}
