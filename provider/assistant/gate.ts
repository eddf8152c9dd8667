import { randomUUID } from "node:crypto";
import { type AgentServer, type Assistant, NotFound } from "../../sdk";
import type { UpdateAssistant } from "../../sdk/schema";
import { messageOf } from "../../shared/errors";
import { redact } from "../../shared/redact";
import { serverOf } from "../agent-server/server";
import { known } from "../arguments/decode";
import type { Problem } from "../arguments/problems";
import { hasUnknown, type Props, sameValue } from "../arguments/props";
import { type GateFailure, gateFailure, runsProblems } from "../gate/gate";
import { MARK } from "../gate/run";
import type { Context } from "../kind/context";
import { assistantArguments, type Declared } from "./diff";
import { idOf, markOf, toCreateRequest } from "./values";

/** The values that a run depends on. */
export type Candidate = Pick<Assistant, "config" | "context" | "graph_id">;

/** The values of a create. */
export function toCandidate(inputs: Props): Candidate {
  const { graph_id, config = {}, context = {} } = toCreateRequest(inputs, undefined);
  return { graph_id, config, context };
}

/** The values after a PATCH; undefined where it changes none that a run depends on. */
export function candidateOf(
  { graph_id, config, context }: Candidate,
  change: UpdateAssistant,
): Candidate | undefined {
  if ([change.graph_id, change.config, change.context].every((value) => value === undefined))
    return undefined;
  return {
    graph_id: change.graph_id ?? graph_id,
    config: change.config ?? config,
    context: change.context ?? context,
  };
}

/**
 * The member of a temporary assistant's metadata with the id of the assistant that it is for. No two states have that one, so
 * that none deletes what another is just asking.
 */
const OWNER = "pulumi_gate";

/**
 * Asks the gate of the values that an assistant is to have, on a temporary assistant, which is deleted in any case. Throws
 * where it is not passed: nothing has changed then.
 */
export async function passGate(
  server: AgentServer,
  declared: Declared,
  candidate: Candidate,
  context: Context,
  verb: "created" | "changed" = "changed",
): Promise<void> {
  const gate = known(declared.gate);
  if (gate === undefined) return;
  const { assistants } = server;
  const id = randomUUID();
  const secrets = [known(declared.apiKey) ?? "", ...privateTexts(candidate, gate.runs)];
  const redacted = (text: string): string => redact(text, secrets);
  try {
    await assistants.create({
      assistant_id: id,
      name: `gate of ${markOf(context.urn)}`,
      graph_id: candidate.graph_id,
      ...withoutEmpty({ config: candidate.config, context: candidate.context }),
      metadata: { ...MARK, [OWNER]: idOf(declared) },
    });
    const failure = await gateFailure({ server, gate, assistantId: id, redacted }, context);
    if (failure !== undefined) throw new Error(failureText(declared, failure, verb));
  } finally {
    await deleteIfThere(assistants, id).catch((error: unknown) =>
      context.log.warn(
        `the temporary assistant ${id} of the gate stays until the next one: ${messageOf(error)}`,
      ),
    );
  }
}

function failureText(declared: Declared, [reason, ...runs]: GateFailure, verb: string): string {
  return [
    `assistant '${known(declared.name) ?? idOf(declared)}' is not ${verb}, since its gate failed: ${reason}`,
    ...runs,
    "fix the values of the assistant or the runs of its gate, then run `pulumi up` again",
  ].join("\n      ");
}

/** Deletes what a crash has left of a gate of this assistant. */
export async function deleteLeftovers({ assistants }: AgentServer, id: string): Promise<void> {
  const left: string[] = [];
  for await (const { assistant_id } of assistants.searchAll({ metadata: { [OWNER]: id } }))
    left.push(assistant_id);
  for (const one of left) await deleteIfThere(assistants, one);
}

async function deleteIfThere(assistants: AgentServer["assistants"], id: string): Promise<void> {
  try {
    await assistants.delete(id);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
  }
}

/** Texts of the candidate that its gate does not show itself: an agent may repeat them, and they may be secret. */
function privateTexts({ config, context }: Candidate, shown: unknown): string[] {
  const text = JSON.stringify(shown);
  return textsIn([config, context]).filter(
    (value) => !text.includes(JSON.stringify(value).slice(1, -1)),
  );
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The Python server refuses `configurable` beside a context, even an empty one. */
function withoutEmpty<Members extends Readonly<Record<string, object>>>(
  members: Members,
): Partial<Members>;
function withoutEmpty(members: Readonly<Record<string, object>>): object {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => Object.keys(value).length > 0),
  );
}

/** The problem of a new gate on a server that is there and has no runs. */
export async function gateProblems(
  olds: Props,
  inputs: Props,
  { clock }: Context,
): Promise<Problem[]> {
  const isSame = ["gate", "deploymentUrl"].every((name) => sameValue(olds[name], inputs[name]));
  const news = assistantArguments.decode(inputs);
  if (isSame || known(news.gate) === undefined) return [];
  if (known(news.deploymentUrl) === undefined || hasUnknown(inputs["apiKey"])) return [];
  return runsProblems(serverOf(news, clock), "gate");
}
