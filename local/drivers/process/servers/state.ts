import { ServerUnavailable } from "../../driver";
import type { Server } from "./server";

/** A revision without a server that could be asked: a pause after a crash, too many crashes, the end. */
export type Unavailable =
  | { readonly kind: "pausing"; readonly untilMs: number; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** What there is of a revision's server; an idle one starts at the next request. */
export type State =
  | Unavailable
  | { readonly kind: "idle" }
  | { readonly kind: "starting"; readonly origin: Promise<string> }
  | { readonly kind: "running"; readonly server: Server };

/** What a caller is told. After a pause it may come again: the server is started without being asked. */
export function unavailable(state: Unavailable, nowMs: number): ServerUnavailable {
  if (state.kind === "failed") return new ServerUnavailable(state.reason);
  const seconds = Math.max(Math.ceil((state.untilMs - nowMs) / 1000), 1);
  return new ServerUnavailable(`${state.reason}; it starts again in ${seconds} s`, seconds);
}
