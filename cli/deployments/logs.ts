import { type Deployment, isTransient } from "../../sdk";
import type { LogType } from "../../sdk/schema";
import { factsOf } from "../../sdk/status";
import { systemClock } from "../../shared/clock";
import { messageOf } from "../../shared/errors";
import { indented, oneLine, printable } from "../../shared/printable";
import { type ConnectionOptions } from "../connection";
import { type Context, withControlPlane } from "../control-plane";
import { findDeployment, findRevision } from "./find";
import { CommandFailure } from "../failure";
import { type Beginning, LogReader } from "./log-reader";
import { note, printJson, type Terminal } from "../terminal/terminal";
import { momentOf } from "../values";

/** Options of the command `logs`. */
export interface LogsOptions extends ConnectionOptions {
  /** The deployment's name, the beginning of it, or its id. */
  readonly deployment: string;
  /** @default the newest revision; for `server` the one that serves */
  readonly revisionId?: string | undefined;
  /** `server`: what the agent server prints. @default build, then deploy */
  readonly type?: LogType | "server" | undefined;
  /** Whether to print further lines as they come. */
  readonly follow: boolean;
  /** A time span or a time. */
  readonly since?: string | undefined;
  /** Only so many lines of each log, the newest. */
  readonly tail?: number | undefined;
  readonly json: boolean;
}

const POLL_MS = 1000;
/** The longest time without a connection to the control plane while a log is followed. */
const PATIENCE_MS = 60_000;

/** Prints the logs of a revision. */
export async function printLogs(options: LogsOptions, terminal: Terminal): Promise<void> {
  await withControlPlane(options, terminal, async (context) => {
    const deployment = await findDeployment(context, options.deployment, "beginning of the name");
    const printer = new LogPrinter(context, options, deployment);
    await (options.follow ? printer.follow() : printer.print());
    if (printer.count === 0 && !options.follow) note(terminal, printer.whyEmpty());
  });
}

/** Prints the logs of one deployment. */
class LogPrinter {
  readonly #context: Context;
  readonly #options: LogsOptions;
  #deployment: Deployment;
  #readers: LogReader[] = [];
  /** The revision whose logs are read. */
  #revisionId: string | undefined;
  count = 0;

  constructor(context: Context, options: LogsOptions, deployment: Deployment) {
    this.#context = context;
    this.#options = options;
    this.#deployment = deployment;
  }

  async print(): Promise<void> {
    await this.#begin();
    await this.#printRest();
  }

  /** Why there is no line. */
  whyEmpty(): string {
    if (this.#revisionId !== undefined) return "no log lines yet";
    return "no revision serves; without `--type server` the log of the newest one is printed";
  }

  /** Prints until the revision is done; of a server, until the process ends. */
  async follow(): Promise<void> {
    await this.#begin();
    for (let silentMs: number | undefined; ; await systemClock.sleep(POLL_MS)) {
      try {
        if (await this.#isDone()) return;
        silentMs = undefined;
      } catch (error) {
        silentMs ??= systemClock.now();
        if (!isTransient(error) || systemClock.now() - silentMs > PATIENCE_MS) throw error;
        note(this.#context.terminal, `${messageOf(error)}; trying again`);
      }
    }
  }

  /** Prints what is new; whether nothing will follow. */
  async #isDone(): Promise<boolean> {
    const { client } = this.#context;
    const { id } = this.#deployment;
    if (this.#options.type !== "server") {
      const { status } = await client.revisions.get(id, this.#revisionId ?? "");
      // The log of a revision is complete when the revision is done.
      await this.#printRest();
      return !["in progress", "unknown"].includes(factsOf(status).phase);
    }
    await this.#printRest();
    this.#deployment = await client.deployments.get(id);
    await this.#open({});
    return false;
  }

  async #printRest(): Promise<void> {
    const { terminal } = this.#context;
    for (const reader of this.#readers)
      for await (const line of reader.lines()) {
        const time = line.timestamp === null ? [] : oneLine(line.timestamp);
        if (this.#options.json) printJson(terminal, line);
        else terminal.out(`${[time, indented(printable(line.message))].flat().join(" ")}\n`);
        this.count += 1;
      }
  }

  async #begin(): Promise<void> {
    const { since, tail } = this.#options;
    const now = this.#context.client.serverNow();
    await this.#open({ tail, since: since === undefined ? undefined : momentOf(since, now) });
  }

  /** Opens the logs of the revision that was asked for, or of the one that is newest or serves now. */
  async #open(beginning: Beginning): Promise<void> {
    const { client } = this.#context;
    const { type, revisionId: asked } = this.#options;
    const { id, name, latest_revision_id: newest, active_revision_id: active } = this.#deployment;
    if (asked !== undefined && this.#revisionId === undefined)
      await findRevision(this.#context, this.#deployment, asked);
    const revisionId = asked ?? (type === "server" ? active : newest) ?? undefined;
    if (revisionId === undefined && type !== "server")
      throw new CommandFailure(`deployment '${name}' does not have a revision yet`);
    if (revisionId === undefined || revisionId === this.#revisionId) return;
    this.#revisionId = revisionId;
    // The output of an agent server is in the log of the deploy that started it.
    const types: LogType[] =
      type === undefined ? ["build", "deploy"] : [type === "server" ? "deploy" : type];
    this.#readers = types.map(
      (each) => new LogReader(client, { deploymentId: id, revisionId, type: each }, beginning),
    );
  }
}
