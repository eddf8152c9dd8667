import type { Context } from "../host/context";

/**
 * Notes the id that a resource has in the state. The engine may delete it after the create of what takes its place: a new
 * thread must have another one.
 */
export function hold({ memory, urn = "" }: Context, id: string): void {
  memory.held.add(`${urn} ${id}`);
}

export function isHeld({ memory, urn = "" }: Context, id: string): boolean {
  return memory.held.has(`${urn} ${id}`);
}
