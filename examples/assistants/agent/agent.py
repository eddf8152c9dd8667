import re

from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

# The answers of a support agent without a model, by the language of its assistant. Ask your model here.
ANSWERS = {
    "de": ("Welche Bestellung meinen Sie?", "Ihre Bestellung {} ist unterwegs."),
    "en": ("Which order do you mean?", "Your order {} is on its way."),
    "fr": ("Quelle commande ?", "Votre commande {} est en route."),
}


class Context(TypedDict, total=False):
    language: str
    prompt: str
    model: str


def answer(state: MessagesState, runtime: Runtime[Context]) -> dict:
    ask, found = ANSWERS[(runtime.context or {}).get("language", "en")]
    order = re.search(r"\d+", str(state["messages"][-1].content))
    content = found.format(order[0]) if order else ask
    return {"messages": [{"type": "ai", "content": content}]}


graph = (
    StateGraph(MessagesState, context_schema=Context)
    .add_node("agent", answer)
    .add_edge(START, "agent")
    .add_edge("agent", END)
    .compile()
)
