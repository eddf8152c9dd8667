import { expect } from "chai";
import type { ExternalContainerDeploymentArgs } from "pulumi-agentserver";
import { describeFrontEnds, DYNAMIC, lossThrough, itOnlyOn } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { programOf, supportProgram } from "../support/program";

describeFrontEnds("what is said on a deployment's line, on the real engine", (frontEnd) => {
  const itDynamic = itOnlyOn(DYNAMIC, frontEnd);
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

  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(
      settingsFor(test.platform),
      supportProgram(args("first")),
      frontEnd,
    );
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("is each warning of a create, in the preview and in the update, and the size in the preview", async () => {
    const preview = await stack.preview();
    expect(preview.ok, preview.text).to.equal(true);
    expect(preview.messages).to.have.members([...WARNINGS, "size: server 1 CPU, queue 1 CPU"]);
    const { ok, messages, text } = await stack.up();
    expect(ok, text).to.equal(true);
    expect(messages).to.have.members(WARNINGS);
  });

  it("is the plan in a preview, which leaves no trace and is not repeated in the update", async () => {
    const sourceRevisionConfig = { imageUri: "registry.example.com/acme/support:2" };
    stack.program = supportProgram({ ...args("first"), sourceRevisionConfig });
    const preview = await stack.preview();
    expect(preview.messages).to.deep.equal(["an update creates a new revision: imageUri"]);
    const { messages } = await stack.up();
    expect(messages).to.be.empty;
    const { inputs } = await stack.deployment();
    expect(inputs).not.to.have.property("__preview");
  });

  it("is nothing where nothing changes: warnings come with what they are about", async () => {
    const { ok, messages, text } = await stack.preview();
    expect(ok, text).to.equal(true);
    expect(messages).to.be.empty;
  });

  it("is said once though the engine checks a replacement twice", async () => {
    stack.program = supportProgram(args("second"));
    const { messages } = await stack.preview();
    expect(messages).to.have.members([
      `replaced, since name can't be changed: ${lossThrough(frontEnd)}`,
    ]);
  });

  itDynamic("is one line about a replacement that replaceOnChanges asks for", async () => {
    const sourceRevisionConfig = { imageUri: "registry.example.com/acme/support:4" };
    const options = { replaceOnChanges: ["sourceRevisionConfig.imageUri"] };
    stack.program = programOf({
      support: { args: { ...args("first"), sourceRevisionConfig }, options },
    });
    const { steps, messages } = await stack.preview();
    expect(steps).to.deep.equal({ support: "replace" });
    expect(messages).to.deep.equal([
      "replaced, since replaceOnChanges names sourceRevisionConfig.imageUri: deleted first, its threads and database are deleted with it",
    ]);
  });

  itDynamic("is a warning of customTimeouts, with the argument to set instead", async () => {
    const options = { customTimeouts: { create: "1s" } };
    const sourceRevisionConfig = { imageUri: "registry.example.com/acme/support:2" };
    stack.program = programOf({
      support: { args: { ...args("first"), sourceRevisionConfig }, options },
    });
    for (const expected of [
      [
        "the option customTimeouts has no effect, since Pulumi does not pass it to this provider; set wait.timeoutSeconds instead",
      ],
      [],
    ]) {
      const { steps, messages, text } = await stack.up();
      expect(steps, text).to.deep.equal({ support: "same" });
      expect(messages).to.deep.equal(expected);
    }
  });

  itDynamic("is in words that the option import is refused", async () => {
    const options = { import: "11111111-1111-4111-8111-111111111111" };
    stack.program = programOf({ support: { args: args("first"), options } });
    const { ok, text } = await stack.preview();
    expect(ok).to.equal(false);
    expect(text)
      .to.contain(
        "Deployment 'support': the option import does not work with dynamic resources; use Deployment of pulumi-agentserver/native, set its name and adoptExisting: true to adopt the deployment, or read it with Deployment.get",
      )
      .and.not.contain("TypeError");
  });

  it("is nothing of drift at a refresh, which the engine shows and which creates no revision", async () => {
    const { id } = await stack.deployment();
    await test.request("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { image_uri: "registry.example.com/acme/support:9" },
    });
    await test.untilRevision(id, "DEPLOYED");
    const { ok, text, steps, messages } = await stack.refresh();
    expect(ok, text).to.equal(true);
    expect(steps).to.deep.equal({ support: "update" });
    expect(messages).to.be.empty;
  });

  it("is once why a refresh fails", async () => {
    test.platform.admin.addFault({
      match: { method: "GET" },
      times: 9,
      action: "status",
      status: 403,
    });
    const { ok, messages } = await stack.refresh();
    test.platform.admin.clearFaults();
    expect(ok).to.equal(false);
    expect(messages.filter((message) => message.includes("get deployment"))).to.have.length(1);
    expect(messages.filter((message) => /: *$/.test(message))).to.be.empty;
  });
});
