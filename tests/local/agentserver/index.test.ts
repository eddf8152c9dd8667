import { join } from "node:path";
import { expect } from "chai";
import { type RunningAgentServer, startAgentServer } from "../../../local/agentserver";
import { request, useFolder } from "./support";

describe("agent servers on one file", () => {
  const folder = useFolder();
  const running: RunningAgentServer[] = [];
  afterEach(() => Promise.all(running.splice(0).map((server) => server.close())));

  async function start(): Promise<RunningAgentServer> {
    const database = join(folder(), "threads.db");
    const server = await startAgentServer({ database, graphs: [], variables: [], commit: null });
    running.push(server);
    return server;
  }

  it("create one thread of an id that both are asked for at once", async () => {
    const servers = [await start(), await start()];
    const thread_id = "11111111-1111-4111-8111-111111111111";
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, turn) =>
        request(`${servers[turn % 2]?.url}/threads`, "POST", { thread_id, metadata: { turn } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(1);
    expect(statuses.filter((status) => status === 409)).to.have.length(19);
  });
});
