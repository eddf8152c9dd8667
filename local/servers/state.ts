import { ServerUnavailable, type Revision } from "../drivers/driver";
import type { Server } from "./server";

/** A deployment without a server that could be asked: none yet, a pause after a crash, too many crashes. */
export type Unavailable =
  | { readonly kind: "vacant" }
  | { readonly kind: "pausing"; readonly untilMs: number; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

/** What there is of a deployment's server; an idle one starts at the next request. */
export type State =
  | Unavailable
  | { readonly kind: "idle"; readonly revision: Revision }
  | { readonly kind: "starting"; readonly origin: Promise<string> }
  | { readonly kind: "running"; readonly revision: Revision; readonly server: Server };

/** What a caller is told. After a pause it may come again: the server is started without being asked. */
export function unavailable(state: Unavailable, nowMs: number): ServerUnavailable {
  if (state.kind === "vacant")
    return new ServerUnavailable("no revision of this deployment runs yet");
  if (state.kind === "failed") return new ServerUnavailable(state.reason);
  const seconds = Math.max(Math.ceil((state.untilMs - nowMs) / 1000), 1);
  return new ServerUnavailable(`${state.reason}; it starts again in ${seconds} s`, seconds);
}
