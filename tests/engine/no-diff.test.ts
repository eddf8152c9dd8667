import { expect } from "chai";
import { everyGitArgument, everyImageArgument } from "../support/every-field";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, programOf } from "../support/program";
import { describeNightly } from "../support/tiers";

/** Each is what a default is derived from. */
const SIZES = { resourceSpec: { cpu: 1.25, memoryMb: 500, minScale: 1, maxScale: 3, dbCpu: 1 } };

describeNightly("no permanent diff on the real engine", () => {
  let test: TestPlatform;
  let stack: TestStack;

  const SAME = {
    everyGit: "same",
    everyImage: "same",
    git: "same",
    image: "same",
    pushed: "same",
    sized: "same",
  };
  const requests = () => Object.keys(test.platform.admin.requests());

  before(async () => {
    test = await startTestPlatform();
    const sourceRevisionConfig = { imageUri: "registry.example.com/acme/agent:1.2" };
    stack = await TestStack.create(
      settingsFor(test.platform),
      programOf({
        git: { args: gitArgs(test) },
        image: { args: { source: "external_container", sourceRevisionConfig } },
        pushed: { args: { source: "internal_container" } },
        sized: {
          args: { source: "external_container", sourceConfig: SIZES, sourceRevisionConfig },
        },
        everyGit: { args: everyGitArgument(test) },
        everyImage: { args: everyImageArgument(test) },
      }),
    );
    const { ok, text } = await stack.up();
    expect(ok, text).to.equal(true);
    test.platform.admin.clearRequests();
  });
  after(async () => {
    await stack.remove();
    await test.close();
  });

  it("shows none right after the creation, whether every optional field is given or none", async () => {
    const { steps, messages } = await stack.up();
    expect(steps).to.deep.equal(SAME);
    expect(requests()).to.deep.equal([]);
    expect(messages.filter((message) => !message.includes('"do not use"'))).to.deep.equal([]);
  });

  it("shows none in a refresh, though the service filled in its defaults and rounded", async () => {
    const { steps, text } = await stack.refresh();
    expect(steps, text).to.deep.equal(SAME);
  });

  it("shows none after the refresh, and has sent nothing", async () => {
    const { steps, text } = await stack.up();
    expect(steps, text).to.deep.equal(SAME);
    expect(requests().filter((request) => !request.startsWith("GET "))).to.deep.equal([]);
    for (const { outputs } of await stack.deployments())
      expect(outputs["revisions"]).to.have.length(1);
  });
});
