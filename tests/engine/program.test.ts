import { AsyncResource } from "node:async_hooks";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ComponentResource } from "@pulumi/pulumi";
import { expect } from "chai";
import { Deployment } from "pulumi-agentserver";
import { recordOf } from "../../shared/records";
import { CliStack } from "../support/cli";
import { useStack } from "../support/engine";
import { gitArgs, supportProgram } from "../support/program";

describe("the place of a declaration", () => {
  const { test: local } = useStack();

  it("is what Pulumi records, and neither a constructor of the package nor what runs the program", async () => {
    const run = await CliStack.create(local.platform);
    await run.declare({ support: gitArgs(local) });
    const { code, text } = await run.run("up", "--yes", "--skip-preview");
    expect(code, text).to.equal(0);
    const [deployment] = await run.deployments();
    const sourcePosition = "project:///index.js#3,3";
    expect(deployment).to.include({ sourcePosition });
    expect(deployment?.stackTrace).to.deep.equal([{ sourcePosition }]);
    await run.remove();
  });
});

describe("a program that fails, and the deployment that it had", () => {
  /** Where work goes on that is not the program's own: it has none of Pulumi's settings. */
  const elsewhere = new AsyncResource("queue");
  let id = "";

  const { test, stack } = useStack({}, async () => {
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
