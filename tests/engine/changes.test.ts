import { asset } from "@pulumi/pulumi";
import { expect } from "chai";
import type {
  DeploymentArgs,
  ExternalContainerDeploymentArgs,
  GitHostDeploymentArgs,
} from "pulumi-agentserver";
import { z } from "zod";
import { Listener } from "../../sdk/schema";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, programOf } from "../support/program";
import { parsed } from "../support/values";
import { describeLong } from "../support/tiers";

/** The effect of a change: the engine's step, the revisions that are there then, and the PATCHes sent for it. */
const REPLACED = { step: "replace", revisions: 1, patches: 0 };
const REVISION = { step: "update", revisions: 2, patches: 1 };
const SETTING = { step: "update", revisions: 1, patches: 1 };
const NOTHING_SENT = { step: "update", revisions: 1, patches: 0 };

interface Row {
  readonly before: DeploymentArgs;
  readonly after: DeploymentArgs;
  readonly effect: { step: string; revisions: number; patches: number };
}

const row = (before: DeploymentArgs, after: DeploymentArgs, effect: Row["effect"]): Row => ({
  before,
  after,
  effect,
});

const image = (sourceConfig = {}, tag = "1"): ExternalContainerDeploymentArgs => ({
  source: "external_container",
  sourceConfig,
  sourceRevisionConfig: { imageUri: `registry.example.com/acme/agent:${tag}` },
});
const sized = (resourceSpec: object) => image({ resourceSpec });
const placed = (listenerId: string, k8sNamespace: string) =>
  image({ listenerId, listenerConfig: { k8sNamespace } });

/** Every kind of change, by the argument that changes. */
function table(test: TestPlatform, otherListenerId: string): Record<string, Row> {
  const { source, sourceConfig, sourceRevisionConfig } = gitArgs(test);
  const git = (more: Partial<GitHostDeploymentArgs> = {}, config = {}, revision = {}) => ({
    source,
    sourceConfig: { ...sourceConfig, ...config },
    sourceRevisionConfig: { ...sourceRevisionConfig, ...revision },
    ...more,
  });
  const { listenerId } = test;
  return {
    name: row(git({ name: "one" }), git({ name: "two" }), REPLACED),
    source: row(git(), image(), REPLACED),
    repoUrl: row(git(), git({}, { repoUrl: "https://git.example.com/acme/moved.git" }), REPLACED),
    deploymentType: row(git(), git({}, { deploymentType: "prod" }), REPLACED),
    listenerId: row(placed(listenerId, "agents"), placed(otherListenerId, "agents"), REPLACED),
    k8sNamespace: row(placed(listenerId, "agents"), placed(listenerId, "default"), REPLACED),

    repoRef: row(git(), git({}, {}, { repoRef: "next" }), REVISION),
    graphConfigPath: row(git(), git({}, {}, { graphConfigPath: "agent/graph.json" }), REVISION),
    imageUri: row(image(), image({}, "2"), REVISION),
    variableAdded: row(git(), git({ env: { A: "1" } }), REVISION),
    variableChanged: row(git({ secrets: { A: "1" } }), git({ secrets: { A: "2" } }), REVISION),
    variableRemoved: row(git({ env: { A: "1", B: "2" } }), git({ env: { A: "1" } }), REVISION),
    sizeAdded: row(sized({ cpu: 1, queueCpu: 1 }), sized({ cpu: 1, queueCpu: 2 }), REVISION),
    sizeChanged: row(image(), sized({ memoryMb: 512 }), REVISION),
    redeployOn: row(git({ redeployOn: "a" }), git({ redeployOn: { b: 1 } }), REVISION),
    redeployOnContent: row(
      git({ redeployOn: [new asset.StringAsset("a")] }),
      git({ redeployOn: [new asset.StringAsset("b")] }),
      REVISION,
    ),
    installCommand: row(git(), git({}, { installCommand: "npm ci" }), REVISION),
    buildCommand: row(git(), git({}, { buildCommand: "npm run build" }), REVISION),

    buildOnPush: row(git(), git({}, { buildOnPush: true }), SETTING),
    customUrl: row(image(), image({ customUrl: "https://agent.example.com" }), SETTING),

    sizeDropped: row(sized({ memoryMb: 512 }), sized({}), NOTHING_SENT),
    variableHidden: row(git({ env: { A: "1" } }), git({ secrets: { A: "1" } }), NOTHING_SENT),
    redeployOnGiven: row(git(), git({ redeployOn: 1 }), NOTHING_SENT),
    redeployOnRemoved: row(git({ redeployOn: 1 }), git(), NOTHING_SENT),
    wait: row(git(), git({ wait: { until: "deployed" } }), NOTHING_SENT),
    onFailure: row(git(), git({ onFailure: "keep" }), NOTHING_SENT),
    adoptExisting: row(git(), git({ adoptExisting: true }), NOTHING_SENT),
    smokeCheck: row(git(), git({ smokeCheck: false }), NOTHING_SENT),
  };
}

describeLong("every change of an argument on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;
  let rows: Record<string, Row> = {};

  const declare = (state: "before" | "after") => {
    const args = Object.entries(rows).map(
      ([name, change]) => [name, { args: change[state] }] as const,
    );
    stack.program = programOf(Object.fromEntries(args));
  };
  const steps = (stepOf: (row: Row) => string) =>
    Object.fromEntries(Object.entries(rows).map(([name, change]) => [name, stepOf(change)]));

  before(async () => {
    test = await startTestPlatform();
    const { body } = await test.request("POST", "/v2/listeners", {
      compute_type: "k8s",
      compute_id: "other",
      compute_config: { k8s_namespaces: ["agents"] },
    });
    rows = table(test, parsed(Listener, body).id);
    stack = await TestStack.create(settingsFor(test.platform), async () => undefined);
    declare("before");
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    declare("after");
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("is previewed as what it comes to", async () => {
    const { ok, text, steps: previewed, messages } = await stack.preview();
    expect(ok, text).to.equal(true);
    expect(previewed).to.deep.equal(steps(({ effect }) => effect.step));
    expect(messages).to.include(
      "resourceSpec.memoryMb is removed from the program and keeps its value 512",
    );
  });

  it("replaces, creates one revision, changes settings, or sends nothing, as the table says", async () => {
    test.platform.admin.clearRequests();
    const { ok, text, steps: done } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(done).to.deep.equal(steps(({ effect }) => effect.step));
    const revisions = (await stack.deployments()).map(({ name, outputs }) => {
      return [name, parsed(z.array(z.unknown()), outputs["revisions"]).length];
    });
    expect(Object.fromEntries(revisions)).to.deep.equal(
      Object.fromEntries(
        Object.entries(rows).map(([name, { effect }]) => [name, effect.revisions]),
      ),
    );
    const patches = Object.entries(test.platform.admin.requests())
      .filter(([request]) => request.startsWith("PATCH "))
      .reduce((sum, [, count]) => sum + count, 0);
    const expected = Object.values(rows).reduce((sum, { effect }) => sum + effect.patches, 0);
    expect(patches).to.equal(expected);
  });

  it("shows nothing afterwards, also when what the service says is read again", async () => {
    const { steps: previewed, text } = await stack.preview({ refresh: true });
    expect(previewed, text).to.deep.equal(steps(() => "same"));
  });
});
