import { expect } from "chai";
import type { Deployment } from "pulumi-agentserver/sdk";
import type { Props } from "../../../provider/arguments/props";
import { observedOf } from "../../../provider/deployment/service/observe";
import { aDeployment, aRevision, variablesOf } from "../../support/builders";
import { observedInputs } from "../../support/deployment";
import { GIT_INPUTS, IMAGE_INPUTS, withConfig } from "../../support/inputs";

const { integrationId, repoUrl, deploymentType } = GIT_INPUTS.sourceConfig;
const source_config = {
  integration_id: integrationId,
  repo_url: repoUrl,
  deployment_type: deploymentType,
};
const git = (members: object): Props => withConfig(GIT_INPUTS, members);
const image = (members: object): Props => withConfig(IMAGE_INPUTS, members);

describe("the inputs that a deployment on the service stands for", () => {
  const observed = (inputs: Props, there: Partial<Deployment>) =>
    observedInputs(inputs, aDeployment({ source_config, ...there }));
  /** What is seen of a configuration where the service shows this one. */
  const configOf = (inputs: Props, shown: Deployment["source_config"]) =>
    observed(inputs, { source_config: shown })["sourceConfig"];

  it("take silence and a resolved ref for no drift", () => {
    const inputs = { ...git({ installCommand: "npm ci" }), env: { A: "1" } };
    const source = { repo_ref: "a".repeat(40), graph_config_path: "langgraph.json" };
    const seen = observed(inputs, { source_revision_config: source, secrets: null });
    expect(seen).to.deep.equal({ ...inputs, name: "support" });
  });

  it("take a source that the service leaves out from the latest revision, wherever that shows it", () => {
    const at = (repo_ref: string) => ({ source_revision_config: { repo_ref } });
    for (const [there, revision, seen] of [
      [{}, { repo_ref: "v1" }, "v1"],
      [{}, at("v1"), "v1"],
      [at("main"), at("v1"), "main"],
      [{}, { ...at("v1"), id: "another" }, undefined],
    ] as const) {
      const { deployment } = observedOf(aDeployment(there), [aRevision(revision)]);
      expect(deployment.source_revision_config.repo_ref ?? undefined).to.equal(seen);
    }
  });

  it("take another branch, another variable and a missing one for drift", () => {
    const inputs = { ...GIT_INPUTS, env: { A: "1", B: "2" }, secrets: { C: "3" } };
    const source_revision_config = { repo_ref: "other", graph_config_path: "langgraph.json" };
    const secrets = variablesOf({ A: "changed", C: "3", D: "new" });
    expect(observed(inputs, { source_revision_config, secrets })).to.deep.include({
      sourceRevisionConfig: { repoRef: "other", graphConfigPath: "langgraph.json" },
      env: { A: "changed" },
      secrets: { C: "3", D: "new" },
    });
    const plain = observed({ ...GIT_INPUTS, env: { A: "1" } }, { secrets });
    expect(plain).to.deep.include({ env: { A: "changed" }, secrets: { C: "3", D: "new" } });
  });

  it("take variables that services add themselves for no drift, unless the program sets them", () => {
    const there = variablesOf({ A: "1", PORT: "8000", LANGSMITH_HOST_PROJECT_ID: "theirs" });
    const seen = (secrets: Props) =>
      observed({ ...GIT_INPUTS, env: { A: "1" }, secrets }, { secrets: there })["secrets"];
    expect(seen({})).to.deep.equal({});
    expect(seen({ LANGSMITH_HOST_PROJECT_ID: "ours" })).to.deep.equal({
      LANGSMITH_HOST_PROJECT_ID: "theirs",
    });
  });

  it("take the namespace that a service chose for no drift, and another one for drift", () => {
    for (const [declared, k8s_namespace, seen] of [
      [{}, "agents", {}],
      [{ k8sNamespace: "agents" }, null, { k8sNamespace: "agents" }],
      [{ k8sNamespace: "agents" }, "b", { k8sNamespace: "b" }],
    ] as const)
      expect(
        configOf(image({ listenerConfig: declared }), { listener_config: { k8s_namespace } }),
      ).to.deep.equal({ listenerConfig: seen });
  });

  it("take what a service fills in for no drift: defaults, and what was left out deep in a pod", () => {
    const sidecar = { name: "proxy", image: "i", env: [{ name: "A" }] };
    const labels = { team: "a" };
    const resourceSpec = { cpu: 1, queueCpu: null, sidecars: [sidecar], labels };
    const declared = { resourceSpec, customUrl: null };
    const filled = { ...sidecar, command: null, env: [{ name: "A", value: "", valueFrom: null }] };
    const shown = { cpu: 1, cpu_limit: 2, queue_cpu: 1, sidecars: [filled], labels };
    const seen = (more: object) =>
      configOf(image(declared), {
        custom_url: "https://agent.example.com",
        resource_spec: { ...shown, ...more },
      });
    expect(seen({})).to.deep.equal(declared);
    for (const other of [
      { labels: { team: "a", by: "another" } },
      { labels: null },
      { sidecars: [filled, { name: "second", image: "i" }] },
      { sidecars: [{ ...filled, image: "another" }] },
      { sidecars: [{ ...filled, env: [{ name: "A", value: "1" }] }] },
      { sidecars: [{ ...filled, env: {} }] },
    ])
      expect(seen(other), JSON.stringify(other)).not.to.deep.equal(declared);
  });

  it("take a member of a size that was taken away for drift, and silence of the size for none", () => {
    const declared = { resourceSpec: { cpu: 1 } };
    for (const [shown, seen] of [
      [{ resource_spec: { cpu: null } }, { resourceSpec: {} }],
      [{}, declared],
      [{ resource_spec: null }, declared],
    ] as const)
      expect(configOf(image(declared), shown)).to.deep.equal(seen);
  });

  it("take building on push for drift where it was left out, and nothing for what it is anyway", () => {
    for (const [declared, build_on_push, isSeen] of [
      [{}, true, true],
      [{}, false, false],
      [{ buildOnPush: false }, false, false],
      [{}, null, false],
    ] as const) {
      const inputs = git(declared);
      const seen = isSeen ? git({ buildOnPush: build_on_push }) : inputs;
      const shown = configOf(inputs, { ...source_config, build_on_push });
      expect(shown).to.deep.equal(seen["sourceConfig"]);
    }
  });

  it("take silence of the build command and the listener's configuration for no drift", () => {
    const inputs = git({ buildCommand: "make", listenerConfig: { k8sNamespace: "agents" } });
    expect(configOf(inputs, source_config)).to.deep.equal(inputs["sourceConfig"]);
    const shown = { build_command: "make all", listener_config: { k8s_namespace: "b" } };
    const expected = { buildCommand: "make all", listenerConfig: { k8sNamespace: "b" } };
    expect(configOf(inputs, { ...source_config, ...shown })).to.deep.include(expected);
  });
});
