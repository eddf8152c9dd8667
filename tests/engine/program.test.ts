import { expect } from "chai";
import { Deployment } from "pulumi-agentserver";
import { basename } from "node:path";
import { CliStack } from "../support/cli";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs } from "../support/program";

describe("a program that declares a deployment", () => {
  const seen = { stacks: 0, limit: 0, error: "" };
  let local: TestPlatform;
  let stack: TestStack;

  before(async () => {
    local = await startTestPlatform();
    const program = async () => {
      seen.error = stackOf(() => new Deployment("", gitArgs(local)));
      seen.stacks = stacksTakenBy(() => new Deployment("support", gitArgs(local)));
      seen.limit = Error.stackTraceLimit;
    };
    stack = await TestStack.create(settingsFor(local.platform), program);
    const { ok, text } = await stack.preview();
    expect(ok, text).to.equal(true);
  });

  after(async () => {
    await stack.remove();
    await local.close();
  });

  it("captures no stack for every promise of the resource, only the place of the declaration", () => {
    expect(seen.stacks).to.equal(1);
  });

  it("finds errors of its own as long as ever", () => {
    expect(seen.limit).to.equal(Error.stackTraceLimit).and.to.be.greaterThan(0);
  });

  it("is the source position that Pulumi records, and not a constructor of the package", async () => {
    const run = await CliStack.create(local.platform);
    await run.declare({ support: gitArgs(local) });
    const { code, text } = await run.run("up", "--yes", "--skip-preview");
    expect(code, text).to.equal(0);
    const [deployment] = await run.deployments();
    expect(deployment?.sourcePosition).to.equal("project:///index.js#3,3");
    await run.remove();
  });

  it("gets an error that names the wrong place", () => {
    const [words, place] = seen.error.split("\n");
    expect(words).to.contain("Missing resource name argument");
    expect(place).to.contain(basename(__filename, ".js"));
  });
});

/** Number of stacks whose places some work writes down. */
function stacksTakenBy(work: () => unknown): number {
  const before = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace") ?? {
    value: undefined,
  };
  let stacks = 0;
  Error.prepareStackTrace = (error, places) => {
    if (places.length > 0) stacks += 1;
    return String(error);
  };
  try {
    work();
    return stacks;
  } finally {
    Object.defineProperty(Error, "prepareStackTrace", before);
  }
}

function stackOf(work: () => unknown): string {
  try {
    work();
    return "";
  } catch (error) {
    return error instanceof Error ? (error.stack ?? "") : "";
  }
}
