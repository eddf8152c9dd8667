import { expect } from "chai";
import { threadLifecycle as lifecycle } from "../../../provider/thread/operations";
import type { Props } from "../../../provider/arguments/props";
import { AgentServer } from "pulumi-agentserver/sdk";
import { useAgentServer } from "../../local/agentserver/support";
import { impatientClock } from "../../support/clock";
import { startServer, type TestServer } from "../../support/http";
import { afterKill, contextOf } from "../../support/lifecycle";
import { rejection } from "../../support/rejection";

const NOWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const updates = (content: string) => ({
  updates: [{ asNode: "agent", values: { messages: [{ type: "ai", content }] } }],
});

/** As the real servers are: what a create has made before one of its supersteps failed stays. */
describe("a thread on a server that keeps what a failed create has made", () => {
  const server = useAgentServer();
  let front: TestServer;
  let said: string[];
  /** The answers to the next creates, once the empty thread or the one with a part of its supersteps is there. */
  let failures: { status: number; body: string; applied: number }[];
  let offersDeletion: boolean;

  beforeEach(async () => {
    said = [];
    failures = [];
    offersDeletion = true;
    front = await startServer(async ({ method, url, body }, response) => {
      const failure = method === "POST" && url === "/threads" ? failures.shift() : undefined;
      if (method === "DELETE" && !offersDeletion) {
        response.writeHead(405).end();
        return;
      }
      const { supersteps, ...given } = failure ? JSON.parse(body) : { supersteps: [] };
      const part = { ...given, supersteps: supersteps.slice(0, failure?.applied) };
      const answer = await server.send(method, url, failure ? part : body || undefined);
      if (failure) response.writeHead(failure.status).end(failure.body);
      else response.writeHead(answer.status).end(JSON.stringify(answer.body));
    });
  });
  afterEach(() => front.close());

  const threads = () => new AgentServer({ url: front.url }).threads;
  const create = (more: Props = {}, isAfterKill = false) => {
    const inputs = {
      deploymentUrl: front.url,
      graphId: "agent",
      supersteps: [updates("hello"), updates("anything else?")],
      ...more,
    };
    const context = { ...contextOf(NOWHERE, said), clock: impatientClock() };
    return lifecycle.create(inputs, isAfterKill ? afterKill(context, inputs, inputs) : context);
  };
  const PYTHON = {
    status: 201,
    body: JSON.stringify({ detail: "Thread 1 was created, but there were problems: no graph" }),
    applied: 0,
  };
  const JAVASCRIPT = { status: 500, body: "Internal Server Error", applied: 1 };

  it("does not adopt a part that could not be removed at once, but deletes it and creates the whole", async () => {
    failures = [JAVASCRIPT];
    offersDeletion = false;
    await rejection(create());
    expect(await threads().count()).to.equal(1);
    offersDeletion = true;
    const { id } = await create({}, true);
    expect(said.join()).to.match(/deletes thread .* which has only a part/);
    expect((await threads().state(id)).values["messages"]).to.have.length(2);
    expect(await threads().count()).to.equal(1);
  });

  it("makes the whole beside a part that can't be removed", async () => {
    failures = [PYTHON];
    offersDeletion = false;
    await rejection(create());
    const { id } = await create();
    expect((await threads().state(id)).values["messages"]).to.have.length(2);
    expect(await threads().count()).to.equal(2);
  });

  it("takes the whole thread whose answer was lost", async () => {
    failures = [{ ...JAVASCRIPT, applied: 2 }];
    const { id } = await create();
    expect((await threads().state(id)).values["messages"]).to.have.length(2);
    expect(await threads().count()).to.equal(1);
  });
});
