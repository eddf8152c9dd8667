import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AgentServerSettings } from "../../../local/agentserver/settings";
import { openThreadDatabase } from "../../../local/agentserver/database";
import { Threads } from "../../../local/agentserver/threads";
import type { Servers } from "../servers";
import { conversation, customersOf, GRAPH_ID } from "./conversations";
import type { Subject } from "./operations";

const MAIN = require.resolve("../../../local/agentserver/main");
const AT_ONCE = 1000;

/** Starts a built-in agent server, in a process of its own, on a file with so many threads. */
export async function startBuiltIn(
  servers: Servers,
  count: number,
  signal: AbortSignal,
): Promise<Subject> {
  const database = join(servers.folder, `${count}.db`);
  const ids = await fill(database, count, signal);
  const settings: AgentServerSettings = {
    database,
    graphs: [GRAPH_ID],
    variables: [],
    commit: null,
  };
  const server = await servers.start(MAIN, JSON.stringify(settings));
  return { name: `${count.toLocaleString("en")} threads`, server, ids };
}

/** Makes threads in a new file just as `POST /threads` does, but for the many that are one transaction. */
async function fill(path: string, count: number, signal: AbortSignal): Promise<string[]> {
  const database = openThreadDatabase(path);
  const threads = new Threads(database);
  const ids: string[] = [];
  try {
    while (ids.length < count) {
      database.transaction(() => {
        for (const end = Math.min(ids.length + AT_ONCE, count); ids.length < end;)
          ids.push(threads.create(conversation(ids.length % customersOf(count))).thread_id);
      });
      await nextTurn(undefined, { signal });
    }
    return ids;
  } finally {
    database.close();
  }
}
