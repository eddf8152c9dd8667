import { expect } from "chai";
import {
  AgentServer,
  Conflict,
  InvalidResponseError,
  NotFound,
  Unprocessable,
} from "pulumi-agentserver/sdk";
import { aClock } from "../support/builders";
import { json, startServer, type TestServer } from "../support/http";
import { rejection } from "../support/rejection";

const ID = "11111111-1111-4111-8111-111111111111";
const THREAD = {
  thread_id: ID,
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
  metadata: {},
  status: "idle",
};

describe("the client of an agent server, whichever one it is", () => {
  let server: TestServer | undefined;
  afterEach(() => server?.close());

  const against = async (respond: Parameters<typeof startServer>[0]) => {
    server = await startServer(respond);
    return new AgentServer({ url: server.url, clock: aClock() });
  };
  const answering = (status: number, body: unknown) =>
    against((_request, response) => json(response, status, body));
  const answeringText = (status: number, text: string) =>
    against((_request, response) => response.writeHead(status).end(text));

  it("takes config, values and metadata that are null or missing", async () => {
    const { threads } = await answering(200, { ...THREAD, metadata: null, values: null });
    expect(await threads.get(ID)).to.deep.include({ thread_id: ID, values: null });
  });

  it("takes no answer for a thread that only tells of one, and quotes it", async () => {
    const detail = `Thread ${ID} was created, but there were problems updating the state: no graph`;
    const { threads } = await answering(201, { detail });
    const error = await rejection(threads.create({ supersteps: [] }));
    expect(error).to.be.instanceOf(InvalidResponseError);
    expect(error.message).to.contain(detail);
  });

  it("reads a refusal in plain text", async () => {
    const { threads } = await answeringText(404, `Thread with ID ${ID} not found`);
    const error = await rejection(threads.get(ID));
    expect(error).to.be.instanceOf(NotFound);
    expect(error.message).to.equal(`get thread '${ID}': 404 Thread with ID ${ID} not found`);
  });

  it("reads a validation failure in either server's form, as 400 or as 422", async () => {
    const zod = { issues: [{ code: "invalid_type", path: ["limit"], message: "too small" }] };
    const { threads } = await answering(400, { success: false, error: zod });
    const fromJavaScript = await rejection(threads.search({ limit: 0 }));
    expect(fromJavaScript).to.be.instanceOf(Unprocessable);
    expect(fromJavaScript.message).to.equal("search threads: 400 limit: too small");
    await server?.close();
    const python = await answering(422, { detail: "Invalid thread ID: must be a UUID" });
    const fromPython = await rejection(python.threads.get("x"));
    expect(fromPython).to.be.instanceOf(Unprocessable);
    expect(fromPython.message).to.contain("422 Invalid thread ID: must be a UUID");
  });

  it("takes a deletion with and without a body for done", async () => {
    const { threads } = await answering(200, {});
    expect(await threads.delete(ID)).to.equal(undefined);
    await server?.close();
    const without = await answeringText(204, "");
    expect(await without.threads.delete(ID)).to.equal(undefined);
  });

  it("counts, renames and says what is taken already", async () => {
    const { threads } = await against(({ method, url }, response) =>
      url.endsWith("/count")
        ? json(response, 200, 4)
        : method === "PATCH"
          ? json(response, 200, { ...THREAD, metadata: { team: "b" } })
          : json(response, 409, { detail: `Thread with ID ${ID} already exists` }),
    );
    expect(await threads.count({ status: "idle" })).to.equal(4);
    expect((await threads.update(ID, { metadata: { team: "b" } })).metadata).to.have.keys("team");
    const taken = await rejection(threads.create({ thread_id: ID, if_exists: "raise" }));
    expect(taken).to.be.instanceOf(Conflict);
  });

  it("answers the values after a run", async () => {
    const messages = [{ type: "ai", content: "It arrives tomorrow." }];
    const { runs } = await answering(200, { messages, turns: 1 });
    const body = { assistant_id: "agent", input: { messages: [] } };
    const values = await runs.wait(ID, body);
    expect(values).to.deep.equal({ messages, turns: 1 });
    const [request] = server?.received ?? [];
    expect(request?.url).to.equal(`/threads/${ID}/runs/wait`);
    expect(JSON.parse(request?.body ?? "")).to.deep.equal(body);
  });

  it("gives up a run at its own time limit, without sending it twice", async () => {
    const { runs } = await against(() => undefined);
    const error = await rejection(
      runs.wait(ID, { assistant_id: "agent" }, { timeoutSeconds: 0.05 }),
    );
    expect(error.message).to.contain("no answer within 0.05 s");
    expect(server?.received).to.have.length(1);
  });
});
