import type { Props } from "../arguments/props";

/** The operation failed after the service had accepted it: the engine keeps id and outputs and shows the reasons. */
export class InitializationFailure extends Error {
  override readonly name = "InitializationFailure";
  readonly id: string;
  readonly properties: Props;
  readonly reasons: readonly string[];

  constructor(id: string, properties: Props, reasons: readonly string[]) {
    super(reasons.join("\n"));
    this.id = id;
    this.properties = properties;
    this.reasons = reasons;
  }
}
