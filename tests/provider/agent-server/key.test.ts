import { expect } from "chai";
import { assistantLifecycle } from "../../../provider/assistant/operations";
import { threadLifecycle } from "../../../provider/thread/operations";
import { useAgentServer } from "../../local/agentserver/support";
import { impatientClock } from "../../support/clock";
import { json, type TestServer } from "../../support/http";
import { contextOf } from "../../support/lifecycle";
import { rejection } from "../../support/rejection";
import { startRelay } from "../../support/relay";

const NOWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const ADVICE =
  "a refresh and a destroy use the key of the last `pulumi up`: if that was changed, run one plain `pulumi up`, without --refresh";

describe("the agent server's own key that changes there", () => {
  const server = useAgentServer();
  let front: TestServer;
  let key: string;
  beforeEach(async () => {
    key = "first";
    front = await startRelay(`http://127.0.0.1:${server.port()}`, ({ headers }, response, pass) =>
      headers["x-api-key"] === key ? pass() : json(response, 401, { detail: "invalid key" }),
    );
  });
  afterEach(() => front.close());

  const context = () => ({ ...contextOf(NOWHERE), clock: impatientClock() });
  const assistantId = "11111111-1111-4111-8111-111111111111";
  for (const [kind, lifecycle, more] of [
    ["a thread", threadLifecycle, {}],
    ["an assistant", assistantLifecycle, { assistantId, name: "Support" }],
  ] as const)
    it(`refuses a refresh and a destroy of ${kind}, whose errors name the plain up that ends that`, async () => {
      const args = { deploymentUrl: front.url, graphId: "agent", ...more };
      const { id, outs } = await lifecycle.create({ ...args, apiKey: key }, context());
      key = "second";
      for (const verb of ["read", "delete"] as const) {
        const { message } = await rejection(lifecycle[verb](id, outs, context()));
        expect(message).to.contain("401 invalid key").and.contain(ADVICE);
        expect(message.includes("for an import set AGENTSERVER_AGENT_API_KEY")).to.equal(
          verb === "read",
        );
      }
      const up = await lifecycle.update(id, outs, { ...args, apiKey: key }, context());
      const { props = {} } = await lifecycle.read(id, up.outs, context());
      await lifecycle.delete(id, props, context());
    });

  it("is the program's own in a create and an update, whose errors name only it", async () => {
    const args = { deploymentUrl: front.url, graphId: "agent", apiKey: "second" };
    const { message } = await rejection(threadLifecycle.create(args, context()));
    expect(message).to.contain("check apiKey").and.not.contain("plain");
  });
});
