import { AgentServer, NotFound } from "../../sdk";
import { AssistantId } from "../../sdk/schema";
import { recordOf, textOf } from "../../shared/records";
import { cronsOf } from "./crons";
import { type Answer, startProxy } from "./proxy";

/**
 * A stand-in for the runs and crons that the built-in agent server does not have: the answer of each run is the model in its
 * assistant's context, at once. All else is the built-in server's.
 */
export async function startRuns(target: string, now: () => number) {
  const crons = cronsOf(now);
  const { assistants } = new AgentServer({ url: target });
  const answer = (status: number, values: unknown): Answer => ({
    status,
    headers: { date: new Date(now()).toUTCString() },
    body: Buffer.from(values === undefined ? "" : JSON.stringify(values)),
  });
  const run = async (text: string): Promise<Answer> => {
    const id = textOf(recordOf(JSON.parse(text))["assistant_id"]) ?? "";
    try {
      // A graph's name is that of its default assistant, which has no context.
      const isDefault = !AssistantId.safeParse(id).success;
      const { context } = isDefault ? { context: {} } : await assistants.get(id);
      const content = textOf(recordOf(context)["model"]) ?? "";
      return answer(200, { messages: [{ type: "ai", content }] });
    } catch (error) {
      if (error instanceof NotFound) return answer(404, { detail: "assistant not found" });
      throw error;
    }
  };
  const server = await startProxy(target);
  server.handler = async ({ method, path, body }, reach) => {
    const [name = ""] = path.split("?");
    if (name === "/info") return answer(200, { version: "1", flags: {} });
    if (/^(\/threads\/[^/]+)?\/runs\/wait$/.test(name)) return run(body.toString());
    const said = crons(method, name, body.toString());
    return said ? answer(said.status, said.values) : reach();
  };
  return { url: server.url, close: async () => server.close() };
}
