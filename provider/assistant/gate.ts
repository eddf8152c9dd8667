import { randomUUID } from "node:crypto";
import { type AgentServer, type Assistant, isAmbiguous } from "../../sdk";
import type { UpdateAssistant } from "../../sdk/schema";
import { messageOf } from "../../shared/errors";
import { redact } from "../../shared/redact";
import { deleteFound, reach } from "../agent-server/server";
import { known } from "../arguments/decode";
import type { Props } from "../arguments/props";
import { askedOnce, type GateFailure, gateFailure } from "../gate/gate";
import { MARK, OWNER } from "../gate/run";
import type { Context } from "../resource/context";
import { inLines } from "../resource/errors";
import type { Declared } from "./diff";
import { idOf, markOf, toCreateRequest } from "./values";
import { filterMembers, textsIn } from "../../shared/records";
import { momentIn } from "../../shared/moment";

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

/** A gate ends within this time, so that a temporary assistant of twice this age belongs to none. */
const LIMIT_MS = 24 * 3_600_000;

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
  const secrets = [
    known(declared.apiKey) ?? "",
    ...privateTexts(candidate, gate.runs),
    ...deploymentSecrets(declared, context),
  ];
  const redacted = (text: string): string => redact(text, secrets);
  const deadline = Math.min(context.deadline ?? Infinity, context.clock.now() + LIMIT_MS);
  const owner = idOf(declared);
  const failure = await askedOnce(context, JSON.stringify([owner, candidate, gate]), () =>
    withTemporary(server, declared, candidate, context, (assistantId) =>
      gateFailure({ owner, server, gate, assistantId, redacted }, { ...context, deadline }),
    ),
  );
  if (failure !== undefined) throw new Error(failureText(declared, failure, verb));
}

/** Runs something with a temporary assistant, once what crashes have left of others is deleted. */
async function withTemporary<Result>(
  server: AgentServer,
  declared: Declared,
  { graph_id, config, context: values }: Candidate,
  { urn, log }: Context,
  ask: (id: string) => Promise<Result>,
): Promise<Result> {
  const id = randomUUID();
  const remove = () =>
    deleteIfThere(server, id).catch((error: unknown) =>
      log.warn(
        `the temporary assistant ${id} of the gate stays until the next one: ${messageOf(error)}`,
      ),
    );
  const creating = server.assistants.create({
    assistant_id: id,
    name: `gate of ${markOf(urn)}`,
    graph_id,
    ...withoutEmpty({ config, context: values }),
    metadata: { ...MARK, [OWNER]: idOf(declared) },
  });
  const temporary = await creating.catch(async (error: unknown) => {
    if (isAmbiguous(error)) await remove();
    throw error;
  });
  try {
    await deleteLeftovers(server, [idOf(declared)], temporary);
    return await ask(id);
  } finally {
    await remove();
  }
}

function failureText(declared: Declared, [reason, ...runs]: GateFailure, verb: string): string {
  return inLines([
    `assistant '${known(declared.name) ?? idOf(declared)}' is not ${verb}, since its gate failed: ${reason}`,
    ...runs,
    "fix the values of the assistant or the runs of its gate, then run `pulumi up` again",
  ]);
}

/**
 * Deletes what crashes have left of gates of these assistants; and of all other gates on the server that must have ended when
 * the assistant `candidate` was created, by the server's clock alone.
 */
export async function deleteLeftovers(
  server: AgentServer,
  assistantIds: readonly unknown[],
  candidate?: Assistant,
): Promise<void> {
  const left: string[] = [];
  const endedMs = momentIn(candidate?.created_at ?? "") - 2 * LIMIT_MS;
  for await (const one of server.assistants.searchAll({ metadata: MARK })) {
    const isOver = momentIn(one.created_at) < endedMs;
    const { assistant_id: id, metadata } = one;
    if ((assistantIds.includes(metadata[OWNER]) || isOver) && id !== candidate?.assistant_id)
      left.push(id);
  }
  for (const id of left) await deleteIfThere(server, id);
}

/** Deletes a temporary assistant with the threads of its runs, which a crash has left too. */
async function deleteIfThere(server: AgentServer, id: string): Promise<void> {
  const deletion = server.assistants.delete(id, { deleteThreads: true });
  await deleteFound(deletion, { id }, () => reach(server));
}

/** Texts of the candidate that its gate does not show itself: an agent may repeat them, and they may be secret. */
function privateTexts({ config, context }: Candidate, shown: unknown): string[] {
  const text = JSON.stringify(shown);
  return textsIn([config, context]).filter(
    (value) => !text.includes(JSON.stringify(value).slice(1, -1)),
  );
}

/** Secrets of the deployment that serves the agent, whose errors may quote them, where this process has that one too. */
function deploymentSecrets({ deploymentId }: Declared, { processCache }: Context): string[] {
  const { existing, owners, retryRecords } = processCache;
  const urn = owners.otherOwner(known(deploymentId) ?? "") ?? "";
  return textsIn([existing.get(urn)?.["secrets"], retryRecords.get(urn)?.inputs["secrets"]]);
}

/** The Python server refuses `configurable` beside a context, even an empty one. */
function withoutEmpty<Members extends Readonly<Record<string, object>>>(
  members: Members,
): Partial<Members>;
function withoutEmpty(members: Readonly<Record<string, object>>): object {
  return filterMembers(members, (value) => Object.keys(value).length > 0);
}
