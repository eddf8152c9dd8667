import { expect } from "chai";
import { Deployment, Listener, Thread } from "pulumi-agentserver";
import { AgentServer } from "pulumi-agentserver/sdk";
import { settingsFor, TestStack } from "../support/engine";
import {
  asWritten,
  expectKeptForm,
  releasesOf,
  THIS_RELEASE,
  type Words,
} from "../support/old-states";
import { startTestPlatform, type TestPlatform } from "../support/platform";

const program = (team: string, k8sNamespaces: string[]) => async () => {
  const cluster = new Listener("cluster", {
    computeType: "k8s",
    computeId: "cluster-1",
    computeConfig: { k8sNamespaces },
  });
  const support = new Deployment("support", {
    source: "external_container",
    sourceConfig: {
      listenerId: cluster.id,
      listenerConfig: { k8sNamespace: "agents" },
      resourceSpec: {},
    },
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/agent:1.2" },
  });
  const messages = [{ id: "message-1", type: "human", content: "Where is my order 1042?" }];
  const conversation = new Thread("conversation", {
    deploymentUrl: support.url,
    apiKey: "a key of a test",
    graphId: "agent",
    metadata: { team },
    supersteps: [{ updates: [{ asNode: "__start__", values: { messages } }] }],
  });
  return { threadId: conversation.threadId };
};

for (const release of releasesOf("thread"))
  describe(`a state by ${release} of a listener, a deployment and its thread, on the real engine`, () => {
    let test: TestPlatform;
    let stack: TestStack;
    let words: Words;
    const id = (word: string) => words.find(([given]) => given === word)?.[1] ?? "";

    before(async () => {
      test = await startTestPlatform({ driver: "process" });
      stack = await TestStack.create(settingsFor(test.platform), program("a", ["agents"]));
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      words = await particulars();
    });
    after(async () => {
      await stack.remove();
      await test.close();
    });
    async function particulars(): Promise<Words> {
      const live = await test.get((await stack.deployment()).id);
      const url = live.url ?? "";
      const [thread] = await new AgentServer({ url }).threads.search();
      const state = await new AgentServer({ url }).threads.state(thread?.thread_id ?? "");
      return [
        ["<id>", live.id],
        ["<name>", live.name],
        ["<revision>", live.latest_revision_id ?? ""],
        ["<workspace>", live.tenant_id],
        ["<listener>", live.source_config.listener_id ?? ""],
        ["<thread>", thread?.thread_id ?? ""],
        ["<checkpoint>", state.checkpoint_id ?? ""],
        ["<base url>", test.platform.url],
        ["<time>", live.created_at],
      ];
    }

    if (release === THIS_RELEASE)
      it("has the form that is kept as a fixture: another form needs a new release", async () =>
        expectKeptForm("thread", await stack.resources(), words));

    it("is refreshed without a change", async () => {
      await stack.rewrite(asWritten(release, "thread", words));
      expect((await stack.refresh()).changes).to.deep.equal({ same: 4 });
    });

    it("is updated in place: the thread's metadata and the listener's namespaces", async () => {
      await stack.rewrite(asWritten(release, "thread", words));
      stack.program = program("b", ["agents", "batch"]);
      const { steps, text } = await stack.up();
      const expected = { cluster: "update", support: "same", conversation: "update" };
      expect(steps, text).to.deep.equal(expected);
      const { threads } = new AgentServer({ url: (await test.get(id("<id>"))).url ?? "" });
      expect((await threads.get(id("<thread>"))).metadata).to.include({ team: "b" });
      const { body } = await test.request("GET", `/v2/listeners/${id("<listener>")}`);
      expect(body).to.have.nested.property("compute_config.k8s_namespaces").with.length(2);
    });

    it("is destroyed, the thread while its deployment is still there", async () => {
      await stack.rewrite(asWritten(release, "thread", words));
      const { ok, text, messages } = await stack.destroy();
      expect(ok, text).to.equal(true);
      expect(messages.join()).not.to.contain("was not deleted");
      for (const path of [`deployments/${id("<id>")}`, `listeners/${id("<listener>")}`])
        expect((await test.request("GET", `/v2/${path}`)).status, path).to.equal(404);
    });
  });
