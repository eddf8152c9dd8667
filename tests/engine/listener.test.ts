import { expect } from "chai";
import { Deployment, Listener } from "pulumi-agentserver";
import { Listener as Answer } from "../../sdk/schema";
import { expectDone } from "../support/run";
import { useStack } from "../support/engine";
import { parsed } from "../support/values";
import { describeLong } from "../support/tiers";

const LISTENERS = "/v2/listeners";

describeLong("a listener and a deployment that it places, on the real engine", () => {
  const declare = (computeId: string, ...k8sNamespaces: string[]) => {
    stack.program = async () => {
      const { id, computeConfig } = new Listener("cluster", {
        computeType: "k8s",
        computeId,
        computeConfig: { k8sNamespaces },
      });
      const k8sNamespace = computeConfig.apply((config) => config.k8sNamespaces?.[0] ?? "");
      const support = new Deployment("support", {
        source: "external_container",
        sourceConfig: { listenerId: id, listenerConfig: { k8sNamespace }, resourceSpec: {} },
        sourceRevisionConfig: { imageUri: "registry.example.com/acme/support:1" },
        env: id.apply(() => ({ LOG_LEVEL: "info" })),
        wait: id.apply(() => ({ until: "deployed" as const })),
      });
      return { cluster: id, support: support.id };
    };
  };
  const listener = async () => parsed(Answer, (await test.listeners())[0]);
  const deployments = async () => (await test.deployments()).map(({ id }) => id);

  const { test, stack } = useStack({}, () => declare("cluster-1", "agents"));

  it("creates one listener though the response to its POST is lost, and places the deployment by it", async () => {
    const match = { method: "POST", path: LISTENERS };
    test.platform.admin.addFault({ match, times: 1, action: "drop-after" });
    await expectDone(stack.up());
    expect(test.platform.admin.requests()).to.include({ "POST /v2/listeners": 1 });
    expect(await test.listeners()).to.have.length(1);
    const { id } = await listener();
    expect((await stack.listeners()).map((state) => state.id)).to.deep.equal([id]);
    const { source_config } = await test.get((await stack.deployment()).id);
    const expected = { listener_id: id, listener_config: { k8s_namespace: "agents" } };
    expect(source_config).to.deep.include(expected);
  });

  it("replaces both when the compute id changes: the new listener first, the old one last", async () => {
    const old = { listener: (await listener()).id, deployment: (await stack.deployment()).id };
    declare("cluster-2", "agents", "batch");
    const { messages } = await stack.preview();
    expect(messages.join("\n"))
      .to.contain("replaced, since computeId can't be changed: the new listener is created first")
      .and.contain(
        "may be replaced, depending on a value known only during the update (listenerId)",
      );
    const { steps } = await expectDone(stack.up());
    expect(steps).to.deep.equal({ cluster: "replace", support: "replace" });
    const made = await listener();
    expect(await test.listeners()).to.have.length(1);
    expect(made).to.include({ compute_id: "cluster-2" }).and.not.include({ id: old.listener });
    const { id } = await stack.deployment();
    expect(await deployments()).to.deep.equal([id]);
    expect(id).not.to.equal(old.deployment);
    expect((await test.get(id)).source_config.listener_id).to.equal(made.id);
    await expectDone(stack.destroy());
    expect([await test.listeners(), await deployments()]).to.deep.equal([[], []]);
  });
});
