import type { EngineEvent } from "@pulumi/pulumi/automation";
import { expect } from "chai";
import { isOurs, logicalName, shortName } from "./state";
import { messageOf } from "../../shared/errors";

/** The result of one run of the engine. */
export interface Run {
  readonly ok: boolean;
  /** Number of resources by what happened to them, or would: `create`, `update`, `same`, … */
  readonly changes: Readonly<Record<string, number>>;
  /** The step of each resource of ours, done or planned, by logical name; `replace` for all parts of a replacement. */
  readonly steps: Readonly<Record<string, string>>;
  /** The step of every resource but the stack, done or planned, by types and name: `Team$Deployment support`. */
  readonly resources: Readonly<Record<string, string>>;
  /** Everything that the engine printed, and the error's text. */
  readonly text: string;
  /** Lasting messages about resources, without those for debugging. */
  readonly messages: readonly string[];
}

type Watching = { onEvent: (event: EngineEvent) => void };

/** The engine's own debugging lines arrive as diagnostics too. */
const DIAGNOSTICS = new Set<string>(["error", "warning", "info", "info#err"]);

/** Runs the engine and records its events; a run that fails is not thrown. */
export async function watch(
  work: (watching: Watching) => Promise<{ stdout: string }>,
): Promise<Run> {
  let changes: Run["changes"] = {};
  const messages: string[] = [];
  const steps: Record<string, string> = {};
  const resources: Record<string, string> = {};
  const onEvent = (event: EngineEvent): void => {
    const { diagnosticEvent: diagnostic } = event;
    if (diagnostic && !diagnostic.ephemeral && DIAGNOSTICS.has(diagnostic.severity))
      messages.push(diagnostic.message.trim());
    changes = event.summaryEvent?.resourceChanges ?? changes;
    const { metadata } = event.resOutputsEvent ?? event.resourcePreEvent ?? {};
    if (metadata === undefined || metadata.type === "pulumi:pulumi:Stack") return;
    const step = metadata.op.includes("replace") ? "replace" : metadata.op;
    resources[shortName(metadata.urn)] = step;
    if (isOurs(metadata.type)) steps[logicalName(metadata.urn)] = step;
  };
  try {
    const { stdout: text } = await work({ onEvent });
    return { ok: true, messages, steps, resources, changes, text };
  } catch (error) {
    const text = messageOf(error);
    return { ok: false, messages, steps, resources, text, changes: {} };
  }
}

/** The run of a command that must succeed. */
export async function expectDone(run: Promise<Run>): Promise<Run> {
  const done = await run;
  expect(done.ok, `${done.text}\n${done.messages.join("\n")}`).to.equal(true);
  return done;
}
