import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { secret } from "@pulumi/pulumi";
import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import { type RunningAgentServer, startAgentServer } from "../../local/agentserver";
import { expectDone } from "../support/run";
import { describeFrontEnds, NATIVE, itOnlyOn } from "../support/front-ends";
import { TestStack } from "../support/engine";

const CANARY = "value-CANARY-of-a-secret";
/** Settings that lead nowhere: an assistant needs no control plane. */
const NOWHERE = {
  "agentserver:baseUrl": { value: "https://control.example.com" },
  "agentserver:apiKey": { value: "key", secret: true },
  "agentserver:workspaceId": { value: "11111111-1111-4111-8111-111111111111" },
};

describeFrontEnds(
  "assistants of an agent server, on the real engine",
  (frontEnd) => {
    let folder: string;
    let server: RunningAgentServer;
    let stack: TestStack;
    const assistants = () => new AgentServer({ url: server.url }).assistants;

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), "agentserver-"));
      const database = join(folder, "threads.db");
      server = await startAgentServer({ database, graphs: ["agent"], variables: [], commit: null });
      stack = await TestStack.create(NOWHERE, async () => undefined, frontEnd);
    });
    afterEach(async () => {
      await stack.remove();
      await server.close();
      await rm(folder, { recursive: true });
    });

    it("keeps a secret of its context out of the state, also after a refresh", async () => {
      const context = { prompt: "Hallo", token: secret(CANARY) };
      stack.program = async ({ Assistant }) => {
        const args = { deploymentUrl: server.url, graphId: "agent", context, apiKey: CANARY };
        return { context: new Assistant("support-de", args).context };
      };
      await expectDone(stack.up());
      await expectDone(stack.refresh());
      expect((await stack.preview()).changes).to.deep.equal({ same: 2 });
      expect(await stack.stateFiles()).not.to.contain("CANARY");
      const [found] = await assistants().search({ name: "support-de" });
      expect(found?.context).to.deep.equal({ prompt: "Hallo", token: CANARY });
    });

    itOnlyOn(NATIVE, frontEnd)(
      "is imported with the key of the environment, which no state has",
      async () => {
        const apiKey = `key-${CANARY}`;
        const database = join(folder, "threads.db");
        const settings = { database, graphs: ["agent"], variables: [], commit: null };
        const keyed = await startAgentServer({ ...settings, apiKey });
        const { assistant_id: id } = await assistants().create({ graph_id: "agent" });
        const url = `${keyed.url}/assistants/${id}`;
        const refused = await stack.import("Assistant", "support-de", url);
        expect(refused.code).not.to.equal(0);
        expect(refused.text).to.contain("for an import set AGENTSERVER_AGENT_API_KEY");
        process.env["AGENTSERVER_AGENT_API_KEY"] = apiKey;
        const { code, text } = await stack.import("Assistant", "support-de", url);
        delete process.env["AGENTSERVER_AGENT_API_KEY"];
        await keyed.close();
        expect(code, text).to.equal(0);
        expect(text).not.to.contain("CANARY");
        const imported = (await stack.resources()).find((one) => one.id === id);
        expect(imported?.outputs).to.deep.include({ apiKey: null });
      },
    );

    itOnlyOn(NATIVE, frontEnd)("is imported by its URL, as a thread is", async () => {
      const values = { graph_id: "agent", name: "by hand", context: { prompt: "Hallo" } };
      const made = await assistants().create({ ...values, config: { recursion_limit: 9 } });
      const { threads } = new AgentServer({ url: server.url });
      const thread = await threads.create({ metadata: { graph_id: "agent", team: "a" } });
      for (const [kind, name, path] of [
        ["Assistant", "support-de", `assistants/${made.assistant_id}`],
        ["Thread", "fixture", `threads/${thread.thread_id}`],
      ] as const) {
        const { code, text } = await stack.import(kind, name, `${server.url}/${path}`);
        expect(code, text).to.equal(0);
      }
      const ids = (await stack.resources()).map(({ id }) => id);
      expect(ids).to.have.members([made.assistant_id, thread.thread_id]);
      const { assistant_id: assistantId } = made;
      stack.program = async ({ Assistant, Thread }) => {
        const at = { deploymentUrl: server.url, graphId: "agent" };
        const { name, context } = values;
        new Assistant("support-de", {
          ...at,
          assistantId,
          name,
          context,
          config: { recursionLimit: 9 },
        });
        new Thread("fixture", { ...at, metadata: { team: "a" } });
      };
      const { changes, text } = await stack.preview();
      expect(changes, text).to.deep.equal({ same: 3 });
      expect((await stack.refresh()).changes).to.deep.equal({ same: 3 });
      expect((await assistants().get(assistantId)).version).to.equal(1);
    });
  },
  { dynamic: "long", native: "nightly" },
);
