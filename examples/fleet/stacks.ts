import { CommandError, LocalWorkspace, Stack, StackNotFoundError } from "@pulumi/pulumi/automation";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FinalFailure } from "./run";
import type { Tenant } from "./tenants";

/** The inputs of an update that all tenants share. */
const SHARED_INPUTS = ["bin/index.js", "Pulumi.yaml", "package-lock.json"];

/** Requests in flight and stacks at a time, of one run. */
interface Limits {
  readonly requests: number;
  readonly parallel: number;
}

/** The line of a stack file with the limit of requests, which is an option of the run. */
const LIMIT = /^ *agentserver:maxConcurrentRequests:.*\n/m;

/** The stacks of the tenants: those of one Pulumi project. */
export class Stacks {
  readonly #workspace: LocalWorkspace;
  readonly #requests: number;

  private constructor(workspace: LocalWorkspace, requests: number) {
    this.#workspace = workspace;
    this.#requests = requests;
  }

  /**
   * Opens the Pulumi project in a folder. The processes of `parallel` stacks share the `requests`: none knows of the others,
   * so each gets its part.
   */
  static async open(workDir: string, limits: Limits): Promise<Stacks> {
    mkdirSync(join(workDir, "logs"), { recursive: true });
    const part = Math.floor(limits.requests / limits.parallel);
    return new Stacks(await LocalWorkspace.create({ workDir }), part);
  }

  async names(): Promise<string[]> {
    return (await this.#workspace.listStacks()).map(({ name }) => name);
  }

  /**
   * Brings a tenant's stack to its entry in the list. Returns the URL of its agent; undefined where the last update
   * succeeded with the same inputs, and none was started. With `always` one is started in any case.
   */
  async up(tenant: Tenant, { always }: { always: boolean }): Promise<string | undefined> {
    const { name } = tenant;
    const stack = await shortened(Stack.createOrSelect(name, this.#workspace));
    const last = await stack.info(false);
    const hasSucceeded = last?.kind === "update" && last.result === "succeeded";
    if (!always && hasSucceeded && last.message === this.#inputsOf(tenant)) return undefined;
    await this.#configure(stack, tenant);
    const message = this.#inputsOf(tenant);
    const { outputs } = await shortened(stack.up({ message, ...this.#logOf(name) }));
    return String(outputs["url"]?.value);
  }

  /** What `up` would do with a tenant: `1 update`. Undefined where that is nothing. */
  async preview(tenant: Tenant): Promise<string | undefined> {
    const { name } = tenant;
    const stack = await Stack.select(name, this.#workspace).catch((error: unknown) => {
      if (!(error instanceof StackNotFoundError)) throw error;
    });
    if (!stack) return "its stack is created";
    await this.#configure(stack, tenant);
    const { changeSummary } = await shortened(stack.preview(this.#logOf(name)));
    const changes = Object.entries(changeSummary).filter(([kind]) => kind !== "same");
    return changes.map(([kind, count]) => `${count} ${kind}`).join(", ") || undefined;
  }

  /** No secret is set here: the Automation API puts values on a command line, where other processes can read them. */
  #configure(stack: Stack, { version, deploymentType }: Tenant): Promise<void> {
    return shortened(
      stack.setAllConfig({
        version: { value: version },
        deploymentType: { value: deploymentType },
        "agentserver:maxConcurrentRequests": { value: String(this.#requests) },
      }),
    );
  }

  /** Destroys what a tenant has, then removes the stack with its configuration. */
  async destroy(name: string): Promise<string> {
    const stack = await shortened(Stack.select(name, this.#workspace));
    await shortened(stack.destroy(this.#logOf(name)));
    await shortened(this.#workspace.removeStack(name));
    return "destroyed";
  }

  /**
   * The inputs of a tenant's update as a digest, secrets encrypted. It is the update's message, so Pulumi's history shows
   * with which inputs an update succeeded.
   */
  #inputsOf(tenant: Tenant): string {
    const digest = createHash("sha256").update(JSON.stringify(tenant));
    for (const file of [...SHARED_INPUTS, `Pulumi.${tenant.name}.yaml`]) {
      const path = join(this.#workspace.workDir, file);
      const text = existsSync(path) ? readFileSync(path, "utf8") : "";
      digest.update(`\n${file}\n`).update(text.replace(LIMIT, ""));
    }
    return `inputs ${digest.digest("hex").slice(0, 16)}`;
  }

  /** Appends what Pulumi prints to `logs/<tenant>.log`. */
  #logOf(name: string) {
    const path = join(this.#workspace.workDir, "logs", `${name}.log`);
    const append = (text: string) => appendFileSync(path, text);
    append(`\n${new Date().toISOString()}\n`);
    return { onOutput: append, onError: append };
  }
}

/** Pulumi says this of a program that threw, of a value that its configuration lacks, and of arguments that are refused. */
const PROGRAM_FAILED =
  /Running program .+ failed|Missing required configuration variable|has a problem:/;

/** Passes a result on. A command of Pulumi's that failed becomes an error of one line: its first reason. */
async function shortened<Result>(command: Promise<Result>): Promise<Result> {
  try {
    return await command;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const reasons = [...error.message.matchAll(/error: (?:\d+ errors? occurred:\s+\* )?(.+)/g)];
    const [first] = reasons
      .map(([, reason = ""]) => reason)
      .filter((reason) => !/^\d+ errors? occurred:$|^\w+ failed$/.test(reason));
    const Failure = PROGRAM_FAILED.test(error.message) ? FinalFailure : Error;
    throw new Failure(first ?? error.message, { cause: error });
  }
}
