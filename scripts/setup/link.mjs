import { lstatSync, mkdirSync, readlinkSync, renameSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";

export const leadsTo = (link, target) =>
  lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true &&
  readlinkSync(link) === target;

/** Replaces the link in one step: another process may be about to start what it leads to. */
export function pointTo(link, target) {
  const draft = `${link}.${process.pid}`;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(target, draft);
  renameSync(draft, link);
}
