import type { StackState } from "./stack-state";

/**
 * Shares what is read among those who ask at the same time. Nobody gets what was read before it asked: that may not show
 * its own create yet.
 */
export function sharedReader(
  read: (urn: string, isPreview?: boolean) => Promise<StackState>,
): (urn: string, isPreview?: boolean) => Promise<StackState> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<StackState> | undefined;
  return (urn, isPreview) => {
    if (next !== undefined) return next;
    const reading = running.then(() => {
      next = undefined;
      return read(urn, isPreview);
    });
    running = reading.catch(() => undefined);
    return (next = reading);
  };
}
