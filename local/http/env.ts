import type { HttpBindings } from "@hono/node-server";
import type { Dialect } from "../../sdk/dialect";
import type { Workspace } from "../store";

/** Variables of a handler's context. */
export interface Env {
  Bindings: HttpBindings;
  Variables: { workspace: Workspace; dialect: Dialect };
}
