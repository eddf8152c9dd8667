import { AsyncResource } from "node:async_hooks";
import { execFile } from "node:child_process";
import { basename } from "node:path";
import { promisify } from "node:util";
import { ComponentResource } from "@pulumi/pulumi";
import { expect } from "chai";
import { Deployment } from "pulumi-agentserver";
import { recordOf } from "../../shared/records";
import { expectDone } from "../support/run";
import { CliStack } from "../support/cli";
import { type TestStack, useStack } from "../support/engine";
import type { TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

describe("a program that declares a deployment", () => {
  const seen = { stacks: 0, limit: 0, error: "" };
  let local: TestPlatform;

  useStack({}, async ({ test, stack }) => {
    local = test;
    stack.program = async () => {
      seen.error = stackOf(() => new Deployment("", gitArgs(test)));
      seen.stacks = stacksTakenBy(() => new Deployment("support", gitArgs(test)));
      seen.limit = Error.stackTraceLimit;
    };
    await expectDone(stack.preview());
  });

  it("captures no stack for every promise of the resource, only the place of the declaration, and keeps the limit of its own", () => {
    expect(seen.stacks).to.equal(1);
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

describe("a program that fails, and the deployment that it had", () => {
  /** Where work goes on that is not the program's own: it has none of Pulumi's settings. */
  const elsewhere = new AsyncResource("queue");
  let test: TestPlatform;
  let stack: TestStack;
  let id = "";

  useStack({}, async (made) => {
    ({ test, stack } = made);
    stack.program = supportProgram(gitArgs(test));
    await stack.up();
    ({ id } = await stack.deployment());
  });

  const keeps = async (program: () => unknown) => {
    stack.program = async () => recordOf(await program());
    const { ok, text, messages } = await stack.up();
    expect(ok, text).to.equal(false);
    expect((await test.get(id)).status).to.equal("READY");
    expect((await stack.deployment()).id).to.equal(id);
    return [text, ...messages].join("\n");
  };

  it("does not lose it where it is declared in a callback of a queue that was there before", async () => {
    const declared = () => ({ id: new Deployment("support", gitArgs(test)).id });
    expect(await keeps(() => elsewhere.runInAsyncScope(declared))).to.contain(
      "Deployment 'support' is created where no Pulumi engine is connected",
    );
  });

  it("does not lose it to an error that has the code of a cancelled call", async () => {
    // A command that fails rejects with its exit code, which Pulumi's SDK may take for gRPC's.
    const failing = () => promisify(execFile)(process.execPath, ["-e", "process.exit(1)"]);
    expect(await keeps(failing)).to.contain("process.exit(1)");
  });

  it("ends with the error of a component's registration, or of a parent whose create failed", async () => {
    const twice = () => {
      new ComponentResource("test:index:Team", "shop");
      const parent = new ComponentResource("test:index:Team", "shop");
      new Deployment("support", gitArgs(test));
      new Deployment("shop-mail", gitArgs(test), { parent });
    };
    expect(await keeps(twice))
      .to.contain("Duplicate resource URN")
      .and.contain("test:index:Team::shop");
    await test.create({ name: "taken" });
    const below = () => {
      new Deployment("support", gitArgs(test));
      const parent = new Deployment("taken", { ...gitArgs(test), name: "taken" });
      new Deployment("taken-mail", gitArgs(test), { parent });
    };
    expect(await keeps(below)).to.contain("adoptExisting");
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
