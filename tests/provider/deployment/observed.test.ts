import { expect } from "chai";
import type { Deployment } from "pulumi-agentserver/sdk";
import { aDeployment } from "../../support/builders";
import { observedInputs } from "../../support/deployment";
import { GIT_INPUTS, IMAGE_INPUTS } from "../../support/inputs";

describe("the inputs that a deployment on the service stands for", () => {
  const { integrationId, repoUrl, deploymentType } = GIT_INPUTS.sourceConfig;
  const source_config = {
    integration_id: integrationId,
    repo_url: repoUrl,
    deployment_type: deploymentType,
  };

  it("take silence and a resolved ref for no drift", () => {
    const inputs = {
      ...GIT_INPUTS,
      sourceConfig: { ...GIT_INPUTS.sourceConfig, installCommand: "npm ci" },
      env: { A: "1" },
    };
    const there = aDeployment({
      source_config,
      source_revision_config: { repo_ref: "a".repeat(40), graph_config_path: "langgraph.json" },
      secrets: null,
    });
    expect(observedInputs(inputs, there)).to.deep.equal({ ...inputs, name: there.name });
  });

  it("take another branch, another variable and a missing one for drift", () => {
    const inputs = { ...GIT_INPUTS, env: { A: "1", B: "2" }, secrets: { C: "3" } };
    const there = aDeployment({
      source_config,
      source_revision_config: { repo_ref: "other", graph_config_path: "langgraph.json" },
      secrets: [
        { name: "A", value: "changed" },
        { name: "C", value: "3" },
        { name: "D", value: "new" },
      ],
    });
    expect(observedInputs(inputs, there)).to.deep.include({
      sourceRevisionConfig: { repoRef: "other", graphConfigPath: "langgraph.json" },
      env: { A: "changed" },
      secrets: { C: "3", D: "new" },
    });
  });

  it("take variables that services add themselves for no drift, unless the program sets them", () => {
    const observed = (secrets: Record<string, string>) =>
      observedInputs(
        { ...GIT_INPUTS, env: { A: "1" }, secrets },
        aDeployment({
          source_config,
          secrets: [
            { name: "A", value: "1" },
            { name: "PORT", value: "8000" },
            { name: "LANGSMITH_HOST_PROJECT_ID", value: "theirs" },
          ],
        }),
      )["secrets"];
    expect(observed({})).to.deep.equal({});
    expect(observed({ LANGSMITH_HOST_PROJECT_ID: "ours" })).to.deep.equal({
      LANGSMITH_HOST_PROJECT_ID: "theirs",
    });
  });

  it("take the namespace that a service chose for no drift, and another one for drift", () => {
    const observed = (listenerConfig: object, k8s_namespace: string | null) =>
      observedInputs(
        { ...IMAGE_INPUTS, sourceConfig: { listenerConfig } },
        aDeployment({
          source: "external_container",
          source_config: { listener_config: { k8s_namespace } },
        }),
      )["sourceConfig"];
    expect(observed({}, "agents")).to.deep.equal({ listenerConfig: {} });
    const declared = { k8sNamespace: "agents" };
    expect(observed(declared, null)).to.deep.equal({ listenerConfig: declared });
    expect(observed(declared, "b")).to.deep.equal({ listenerConfig: { k8sNamespace: "b" } });
  });

  it("take what a service fills in for no drift: defaults, and what was left out deep in a pod", () => {
    const sidecar = { name: "proxy", image: "i", env: [{ name: "A" }] };
    const resourceSpec = { cpu: 1, queueCpu: null, sidecars: [sidecar], labels: { team: "a" } };
    const inputs = { ...IMAGE_INPUTS, sourceConfig: { resourceSpec, customUrl: null } };
    const filled = { ...sidecar, command: null, env: [{ name: "A", value: "", valueFrom: null }] };
    const observed = (more: object) =>
      observedInputs(
        inputs,
        aDeployment({
          source: "external_container",
          source_config: {
            custom_url: "https://agent.example.com",
            resource_spec: {
              cpu: 1,
              cpu_limit: 2,
              queue_cpu: 1,
              sidecars: [filled],
              labels: { team: "a" },
              ...more,
            },
          },
          source_revision_config: { image_uri: IMAGE_INPUTS.sourceRevisionConfig.imageUri },
        }),
      );
    expect(observed({})).to.deep.equal({ ...inputs, name: "support" });
    for (const other of [
      { labels: { team: "a", by: "another" } },
      { labels: null },
      { sidecars: [filled, { name: "second", image: "i" }] },
      { sidecars: [{ ...filled, image: "another" }] },
      { sidecars: [{ ...filled, env: [{ name: "A", value: "1" }] }] },
      { sidecars: [{ ...filled, env: {} }] },
    ])
      expect(observed(other), JSON.stringify(other)).not.to.deep.equal({
        ...inputs,
        name: "support",
      });
  });

  it("take a member of a size that was taken away for drift, and silence of the size for none", () => {
    const inputs = { ...IMAGE_INPUTS, sourceConfig: { resourceSpec: { cpu: 1 } } };
    const observed = (config: Partial<Deployment["source_config"]>) => {
      const image = { source: "external_container", source_config: config } as const;
      return observedInputs(inputs, aDeployment(image));
    };
    const taken = observed({ resource_spec: { cpu: null } });
    expect(taken["sourceConfig"]).to.deep.equal({ resourceSpec: {} });
    for (const silent of [{}, { resource_spec: null }])
      expect(observed(silent)["sourceConfig"]).to.deep.equal(inputs.sourceConfig);
  });

  it("take building on push for drift where it was left out, and nothing for what it is anyway", () => {
    const observed = (builds: boolean | null, more = {}) => {
      const inputs = { ...GIT_INPUTS, sourceConfig: { ...GIT_INPUTS.sourceConfig, ...more } };
      const config = { ...source_config, build_on_push: builds };
      const { sourceConfig } = observedInputs(inputs, aDeployment({ source_config: config }));
      return { declared: inputs.sourceConfig, seen: sourceConfig };
    };
    expect(observed(true).seen).to.have.property("buildOnPush", true);
    for (const more of [{}, { buildOnPush: false }]) {
      const { declared, seen } = observed(false, more);
      expect(seen).to.deep.equal(declared);
    }
    expect(observed(null).seen).to.deep.equal(observed(null).declared);
  });

  it("take silence of the build command and the listener's configuration for no drift", () => {
    const own = { buildCommand: "npm run build", listenerConfig: { k8sNamespace: "agents" } };
    const inputs = { ...GIT_INPUTS, sourceConfig: { ...GIT_INPUTS.sourceConfig, ...own } };
    const { sourceConfig } = observedInputs(inputs, aDeployment({ source_config }));
    expect(sourceConfig).to.deep.equal(inputs.sourceConfig);
    const shown = {
      ...source_config,
      build_command: "make",
      listener_config: { k8s_namespace: "b" },
    };
    expect(
      observedInputs(inputs, aDeployment({ source_config: shown }))["sourceConfig"],
    ).to.deep.include({ buildCommand: "make", listenerConfig: { k8sNamespace: "b" } });
  });
});
