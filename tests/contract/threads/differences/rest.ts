import { aConversation, human, NOBODY, type Subject } from "../subject";
import { recordOf } from "../../../../shared/records";
import { type Difference, outcomeOf, statusesOf } from "./difference";

const INPUT = { messages: [human("Where is order 7?")] };

async function run(server: Subject, assistant_id: string, threadId?: string) {
  const id = threadId ?? (await aConversation(server)).thread_id;
  return outcomeOf(server.client.runs.wait(id, { assistant_id, input: INPUT }));
}

/** Differences in runs, refusals and the rest. */
export const OF_THE_REST: readonly Difference[] = [
  {
    what: "runs",
    look: (server) => run(server, "agent"),
    on: {
      "built-in": ["404, which names the servers that have them", "NotFound"],
      javascript: ["there", "done"],
      python: ["there", "done"],
    },
  },
  {
    what: "a run of an assistant that is not there",
    look: (server) => run(server, "nobody"),
    on: {
      "built-in": ["404", "NotFound"],
      javascript: ["404", "NotFound"],
      python: ["422", "Unprocessable"],
    },
  },
  {
    what: "a run on a thread that is not there",
    look: (server) => run(server, "agent", NOBODY),
    on: {
      "built-in": ["404", "NotFound"],
      javascript: ["422", "Unprocessable"],
      python: ["404", "NotFound"],
    },
  },
  {
    what: "pruning, storage and commands of threads",
    finds: /\/(?:prune|storage|commands)$/,
    look: async (server) => {
      const [storage, commands] = await statusesOf(
        server,
        ["GET", "/storage"],
        ["POST", "/commands", {}],
      );
      const { status } = await server.send("POST", "/threads/prune", { thread_ids: [NOBODY] });
      return [status, storage, commands];
    },
    on: {
      "built-in": ["404", [404, 404, 404]],
      javascript: ["commands alone", [404, 404, 400]],
      python: ["there", [200, 200, 400]],
    },
  },
  {
    what: "the status of a refusal: a wrong member, a body that is not JSON",
    look: async (server) => {
      const bodies = [{ metadata: 5 }, "{"].map((body) => server.send("POST", "/threads", body));
      return (await Promise.all(bodies)).map(({ status }) => status);
    },
    on: {
      "built-in": ["422, 422", [422, 422]],
      javascript: ["400, 400", [400, 400]],
      python: ["422, 422", [422, 422]],
    },
  },
  {
    what: "the body of an error",
    look: async (server) => {
      const { body } = await server.send("GET", `/threads/${NOBODY}`);
      return typeof body === "string" ? "text" : Object.keys(recordOf(body));
    },
    on: {
      "built-in": ['`{"detail": "…"}`', ["detail"]],
      javascript: ["text; of a wrong member zod's JSON", "text"],
      python: ['`{"detail": "…"}`', ["detail"]],
    },
  },
  {
    what: "a method that a path does not have",
    look: async (server) => (await server.send("PUT", `/threads/${NOBODY}`, {})).status,
    on: {
      "built-in": ["405", 405],
      javascript: ["404", 404],
      python: ["405", 405],
    },
  },
  {
    what: "`GET /info`",
    look: async (server) => {
      const { body } = await server.send("GET", "/info");
      return ["graphs", "variables", "commit", "flags"].filter((name) => name in recordOf(body));
    },
    on: {
      "built-in": [
        "version, graphs, names of variables, commit, flags",
        ["graphs", "variables", "commit", "flags"],
      ],
      javascript: ["version and flags", ["flags"]],
      python: ["version and flags", ["flags"]],
    },
  },
];
