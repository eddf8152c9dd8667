import { interpolate } from "@pulumi/pulumi";
import { expect } from "chai";
import type { DeploymentArgs } from "pulumi-agentserver";
import { describeFrontEnds, NATIVE } from "../support/front-ends";
import { type Program, type TestStack, useStack } from "../support/engine";
import type { TestPlatform } from "../support/platform";
import { gitArgs } from "../support/program";

/**
 * Deployments whose arguments come from the outputs of another one, `first`: a value, a value inside each of the maps, and
 * whole arguments. All stay the same whatever happens to `first`, but its URL.
 */
function chained(test: TestPlatform, first: DeploymentArgs): Program {
  return async ({ Deployment }) => {
    const git = gitArgs(test);
    const { url, tenantId } = new Deployment("first", first);
    const later = <Value>(value: Value) => tenantId.apply(() => value);
    const { integrationId, deploymentType } = git.sourceConfig;
    const named = new Deployment("named", { ...git, name: interpolate`a-${tenantId}` });
    const partly = new Deployment("partly", {
      ...git,
      sourceConfig: {
        integrationId: later(integrationId),
        repoUrl: interpolate`https://git.example.com/${tenantId}.git`,
        deploymentType,
      },
      sourceRevisionConfig: { ...git.sourceRevisionConfig, repoRef: later("main") },
      env: { UPSTREAM: url, LOG_LEVEL: "info" },
    });
    const wholly = new Deployment("wholly", {
      source: later("git_host" as const),
      sourceConfig: later(git.sourceConfig),
      sourceRevisionConfig: later(git.sourceRevisionConfig),
      env: later({ LOG_LEVEL: "info" }),
      secrets: later({ MODEL_API_KEY: "key" }),
      wait: later({ until: "deployed" as const }),
      onFailure: later("keep" as const),
      adoptExisting: later(false),
      smokeCheck: later(false),
      redeployOn: later(["1"]),
    });
    const image = new Deployment("image", {
      source: "external_container",
      sourceConfig: {
        resourceSpec: later({ cpu: 1, queueCpu: 1 }),
        listenerId: later(test.listenerId),
        listenerConfig: { k8sNamespace: later("agents") },
      },
      sourceRevisionConfig: { imageUri: later("registry.example.com/acme/agent:1.2") },
    });
    return { ids: [named.id, partly.id, wholly.id, image.id] };
  };
}

describeFrontEnds(
  "inputs that are not known yet, on the real engine",
  (frontEnd) => {
    let test: TestPlatform;
    let stack: TestStack;

    const declare = (repository: string, level: string) => {
      const { sourceConfig, ...args } = gitArgs(test);
      const repoUrl = `https://git.example.com/acme/${repository}.git`;
      const env = { LOG_LEVEL: level };
      stack.program = chained(test, { ...args, sourceConfig: { ...sourceConfig, repoUrl }, env });
    };
    const REST = ["named", "partly", "wholly", "image"];
    const all = (first: string, rest: string) =>
      Object.fromEntries([["first", first], ...REST.map((name) => [name, rest])]);

    useStack({ frontEnd }, (made) => {
      ({ test, stack } = made);
      declare("support", "info");
    });

    it("preview as a create, whatever is not known, and are there at the up", async () => {
      const { ok, text, steps } = await stack.preview();
      expect(ok, text).to.equal(true);
      expect(steps).to.deep.equal(all("create", "create"));
      const created = await stack.up();
      expect(created.ok, created.text).to.equal(true);
      expect((await stack.deployment("named")).outputs["name"]).to.equal(
        `a-${test.platform.workspaceId}`,
      );
    });

    it("preview no replacement while the other one is updated, and come to nothing", async () => {
      declare("support", "debug");
      // The native provider knows what stays as it is.
      const rest = frontEnd === NATIVE ? "same" : "update";
      expect((await stack.preview()).steps).to.deep.equal(all("update", rest));
      expect((await stack.up()).steps).to.deep.equal(all("update", "same"));
    });

    it("preview no replacement while the other one is replaced, and none comes", async () => {
      declare("moved", "debug");
      expect((await stack.preview()).steps).to.deep.equal(all("replace", "update"));
      const { ok, text, steps } = await stack.up();
      expect(ok, text).to.equal(true);
      expect(steps).to.deep.equal({ ...all("replace", "same"), partly: "update" });
      const upstream = await test.get((await stack.deployment("first")).id);
      const { secrets } = await test.get((await stack.deployment("partly")).id);
      expect(secrets).to.deep.include({ name: "UPSTREAM", value: upstream.url });
    });
  },
  { dynamic: "nightly", native: "nightly" },
);
