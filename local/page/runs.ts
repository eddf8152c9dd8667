import { API_KEY_VARIABLE } from "../agentserver/authentication";
import type { StoredDeployment } from "../store";
import type { AgentReader, ReadThread } from "./agent-reader";
import type { PageParts, PlatformFacts } from "./parts";
import { shellWord } from "./words";

/** A command, and what it is for. */
export interface Command {
  readonly purpose: string;
  readonly text: string;
}

type Target = Pick<StoredDeployment, "url" | "secrets">;

/**
 * A graph that the agent server runs; undefined for the built-in one, which runs none. Asked for once for each revision:
 * each request writes lines into the agent's log.
 */
export async function graphOf(
  { graphs }: Pick<PageParts, "graphs">,
  { active_revision_id }: Pick<StoredDeployment, "active_revision_id">,
  open: () => Promise<AgentReader>,
): Promise<string | undefined> {
  if (active_revision_id === null) return undefined;
  const known = graphs.get(active_revision_id);
  if (known) return known.graph;
  try {
    const agent = await open();
    const [assistant] = (await agent.hasRuns()) ? await agent.assistants({ limit: 1 }) : [];
    const graph = assistant?.graph_id;
    graphs.set(active_revision_id, { graph });
    return graph;
  } catch {
    // The server may just be shutting down: the view goes without it, and the next one asks again.
    return undefined;
  }
}

/** Commands that run the agent on a thread. A run of an interrupted thread resumes it. */
export function threadCommands(
  facts: PlatformFacts,
  deployment: Target,
  { thread_id, status }: Pick<ReadThread, "thread_id" | "status">,
  graph: string,
): Command[] {
  const path = `/threads/${thread_id}/runs/wait`;
  const resume = { assistant_id: graph, command: { resume: "yes" } };
  const run = { assistant_id: graph, input: aMessage("Hello") };
  return [
    ...(status === "interrupted"
      ? [{ purpose: "Resume it with an answer", text: curl(facts, deployment, path, resume) }]
      : []),
    { purpose: "Say something and wait", text: curl(facts, deployment, path, run) },
  ];
}

/** A command that runs the agent without a thread. */
export function runCommand(facts: PlatformFacts, deployment: Target, graph: string): Command {
  const run = { assistant_id: graph, input: aMessage("Hello") };
  const text = curl(facts, deployment, "/runs/wait", run);
  return { purpose: "Talk to the agent", text };
}

/** A request to the agent server, with the key that it or the platform asks for, by the name of its variable. */
export function curl(
  { agentAuth }: PlatformFacts,
  { url, secrets }: Target,
  path: string,
  body?: object,
): string {
  const ofServer = secrets.some(({ name }) => name === API_KEY_VARIABLE);
  const key = agentAuth ? "AGENTSERVER_API_KEY" : ofServer ? API_KEY_VARIABLE : undefined;
  const words = [
    "curl",
    shellWord(url + path),
    ...(key === undefined ? [] : [`-H "X-Api-Key: $${key}"`]),
    ...(body === undefined ? [] : [`--json ${shellWord(JSON.stringify(body))}`]),
  ];
  return words.join(" ");
}

function aMessage(content: string) {
  return { messages: [{ role: "user", content }] };
}
