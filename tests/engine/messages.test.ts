import { expect } from "chai";
import type { ExternalContainerDeploymentArgs } from "pulumi-agentserver";
import { until } from "../local/children";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { supportProgram } from "../support/program";

const STAGE_SECONDS = 3600;
const isOfRevision = (request: string) => /^GET .*\/revisions\/./.test(request);

describe("what is said on a deployment's line, on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;

  const args = (name: string): ExternalContainerDeploymentArgs => ({
    name,
    source: "external_container",
    sourceConfig: { resourceSpec: { cpu: 1, orchestratorCpu: 1 } },
    sourceRevisionConfig: { imageUri: "registry.example.com/acme/support:1" },
    env: { LANGSMITH_TENANT_ID: "theirs" },
  });
  const WARNINGS = [
    "variable LANGSMITH_TENANT_ID replaces the one that agent servers set themselves",
    'resourceSpec.orchestratorCpu is marked "do not use" by the service',
    "resourceSpec.cpu 1 is reserved twice: queueCpu defaults to the same value",
  ];
  const created = (name: string) =>
    `creates deployment '${name}' with a first revision and the variable LANGSMITH_TENANT_ID ` +
    "(where --replace or a taint recreates it, the old one is deleted first, its threads and database are deleted with it)";

  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), supportProgram(args("first")));
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("is each warning and the plan in words, once in the preview and once in the update", async () => {
    for (const { ok, messages, text } of [await stack.preview(), await stack.up()]) {
      expect(ok, text).to.equal(true);
      expect(messages).to.have.members([...WARNINGS, created("first")]);
    }
  });

  it("is each stage of the roll-out with the time it took so far", async () => {
    const sourceRevisionConfig = { imageUri: "registry.example.com/acme/support:2" };
    stack.program = supportProgram({ ...args("first"), sourceRevisionConfig });
    await test.restart({ stageSeconds: STAGE_SECONDS });
    test.platform.admin.clearRequests();
    const updating = stack.up();
    const looks = () => Object.keys(test.platform.admin.requests()).filter(isOfRevision);
    await until("a look at the new revision", () => looks().length > 0);
    await test.platform.admin.advanceClock(3 * STAGE_SECONDS);
    const { text } = await updating;
    await test.restart({ stageSeconds: 0.01 });
    expect(text).to.match(/updating \(\d+s\).* CREATING \(\d+ s\)/);
    expect(text).to.match(/updated \(.*DEPLOYED \(\d+ s\)/);
  });

  it("shows a stage as the service calls it, and obeys nothing of it", async () => {
    const sourceRevisionConfig = { imageUri: "registry.example.com/acme/support:3" };
    stack.program = supportProgram({ ...args("first"), sourceRevisionConfig });
    const { id } = await stack.deployment();
    const { latest_revision_id } = await test.get(id);
    const path = `/v2/deployments/${id}/revisions/${latest_revision_id}`;
    const { body } = await test.request("GET", path);
    test.platform.admin.addFault({
      match: { method: "GET", path: `/v2/deployments/${id}/revisions/*` },
      action: "status",
      status: 200,
      body: { ...Object(body), status: "ODD<{%fg 1%}>\x1b[1m" },
    });
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(text).to.contain(String.raw`ODD<\{%fg 1%}>\x1b[1m (`);
  });

  it("is said once though the engine checks a replacement twice", async () => {
    stack.program = supportProgram(args("second"));
    const { messages } = await stack.preview();
    expect(messages).to.have.members([
      ...WARNINGS,
      "replaced, since name can't be changed: deleted first, its threads and database are deleted with it",
    ]);
  });

  it("is nothing of errors that pass: a refresh tries again and ends well", async () => {
    stack.program = supportProgram(args("first"));
    const match = { method: "GET" };
    test.platform.admin.addFault({ match, times: 2, action: "status", status: 503 });
    test.platform.admin.addFault({ match, times: 1, action: "reset" });
    const { ok, text, messages } = await stack.refresh();
    expect(ok, text).to.equal(true);
    expect(messages).to.be.empty;
  });
});
