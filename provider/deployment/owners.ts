import type { Memory } from "../host/memory";
import { isRecord, textOf } from "../../shared/records";
import { note, notesOfOthers } from "../host/run";
import { messageOf } from "../../shared/errors";

/** A resource that has a deployment, or wants it. */
export interface Claim {
  readonly id: string;
  /** A resource may have two, since its outputs keep the one from before a rename; "" where one is not known. */
  readonly urns: readonly string[];
  /** Why the resource does not have the deployment, where it only wants it. */
  readonly lack?: string | undefined;
}

/** Notes that a resource has the deployment. */
export function claim(memory: Memory, id: string, ...urns: readonly (string | undefined)[]): void {
  try {
    tell(memory, { id, urns: urns.map((urn) => urn ?? "") });
  } catch {
    // What the resource has must not be lost for that the processes of other providers don't learn of it.
  }
}

/** Notes that a resource wants the deployment, and why it lacks it; throws where the other processes can't learn of it. */
export function want(memory: Memory, id: string, urn: string | undefined, lack: string): void {
  try {
    tell(memory, { id, urns: [urn ?? ""], lack });
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(
      `take over deployment '${id}': the processes of the program's other providers can't be told: ${reason}; set TMPDIR to a folder that can be written`,
      { cause: error },
    );
  }
}

/** To this process, and then to the others. */
function tell({ claims }: Memory, made: Claim): void {
  add(claims, made);
  note(JSON.stringify(made));
}

/** The resource that has the deployment, where that is surely another one than this. */
export function otherOwner(
  memory: Memory,
  id: string,
  urn: string | undefined,
): string | undefined {
  return others(memory, id, urn).find(({ lack }) => lack === undefined)?.urn;
}

/** Another resource that wants the deployment, and why it lacks it; undefined where this one surely has it. */
export function otherWish(memory: Memory, id: string, urn: string | undefined) {
  const isOwn = claimsOn(memory, id).some(
    (made) => made.lack === undefined && made.urns.includes(urn ?? ""),
  );
  return isOwn ? undefined : others(memory, id, urn).find(({ lack }) => lack !== undefined);
}

function others(memory: Memory, id: string, urn = "") {
  return claimsOn(memory, id)
    .filter(({ urns }) => !urns.includes(urn))
    .map(({ urns, lack }) => ({ urn: urns.find((owner) => owner !== ""), lack }))
    .filter(({ urn: owner }) => owner !== undefined);
}

function claimsOn({ claims }: Memory, id: string): Claim[] {
  const known = new Map(claims);
  for (const line of notesOfOthers(id)) add(known, claimIn(line));
  return [...known.values()].filter((made) => made.id === id);
}

function add(known: Map<string, Claim>, made: Claim | undefined): void {
  if (made !== undefined) known.set(`${made.id} ${made.urns[0]}`, made);
}

/** Undefined for a line that is being written at this very time. */
function claimIn(line: string): Claim | undefined {
  try {
    const made: unknown = JSON.parse(line);
    if (!isRecord(made) || !Array.isArray(made["urns"])) return undefined;
    return { id: String(made["id"]), urns: made["urns"].map(String), lack: textOf(made["lack"]) };
  } catch {
    return undefined;
  }
}

/** Reserves a name for a resource that is about to make a deployment; the other resource that has it, if there is one. */
export function reserve({ makers }: Memory, place: string, urn = ""): string | undefined {
  const maker = makers.get(place) ?? urn;
  makers.set(place, maker);
  return maker === urn ? undefined : maker;
}

/** Gives up what `reserve` has reserved. */
export function release({ makers }: Memory, place: string): void {
  makers.delete(place);
}
