import { expect } from "chai";
import { Deployment } from "pulumi-agentserver";
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { recordOf } from "../../shared/records";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";

/** Runs what it is given one after the other, as its own work and not as that of who gives it. */
class Queue {
  readonly #waiting: (() => void)[] = [];
  #wake = (): void => undefined;
  #isOpen = true;

  constructor() {
    void this.#work();
  }

  add<Result>(work: () => Result): Promise<Result> {
    const done = new Promise<Result>((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
    });
    this.#wake();
    return done;
  }

  close(): void {
    this.#isOpen = false;
    this.#wake();
  }

  async #work(): Promise<void> {
    while (this.#isOpen) {
      for (const work of this.#waiting.splice(0)) work();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

describe("an inline program of the Automation API", () => {
  const queue = new Queue();
  let test: TestPlatform;
  let stack: TestStack;
  let id = "";

  before(async () => {
    test = await startTestPlatform();
    stack = await TestStack.create(settingsFor(test.platform), supportProgram(gitArgs(test)));
    await stack.up();
    ({ id } = await stack.deployment());
  });
  after(async () => {
    queue.close();
    await stack.remove();
    await test.close();
  });

  const loses = async (program: () => Promise<unknown>) => {
    stack.program = async () => recordOf(await program());
    const { ok, text, messages } = await stack.up();
    expect(ok, text).to.equal(false);
    expect((await test.get(id)).status).to.equal("READY");
    expect((await stack.deployment()).id).to.equal(id);
    return [text, ...messages].join("\n");
  };

  it("does not lose a deployment that it creates in a callback of a queue that was there before", async () => {
    const printed = await loses(() =>
      queue.add(() => ({ id: new Deployment("support", gitArgs(test)).id })),
    );
    expect(printed).to.contain(
      "Deployment 'support' is created where no Pulumi engine is connected",
    );
  });

  it("does not lose it to an error that has the code of a cancelled call", async () => {
    // A command that fails rejects with its exit code, which Pulumi's SDK may take for gRPC's.
    const printed = await loses(() =>
      promisify(execFile)(process.execPath, ["-e", "process.exit(1)"]),
    );
    expect(printed).to.contain("process.exit(1)");
  });
});
