import type { dynamic } from "@pulumi/pulumi";
import type { Row } from "../arguments/argument";
import type { Props } from "../arguments/props";
import type { Context } from "./context";

/**
 * The lifecycle of a resource. It has the verbs of `dynamic.ResourceProvider` and knows nothing of the process that calls
 * them.
 */
export interface Lifecycle {
  /** The rows of its arguments, for the schema of other languages. */
  readonly arguments: readonly Row[];
  /** Paths of the inputs that are always secret. */
  readonly secretInputs: readonly string[];
  /** Paths of the outputs that are always secret. */
  readonly secretOutputs: readonly string[];
  check(olds: Props, news: Props, context: Context): Promise<dynamic.CheckResult<Props>>;
  diff(id: string, olds: Props, news: Props, context: Context): dynamic.DiffResult;
  create(inputs: Props, context: Context): Promise<{ id: string; outs: Props }>;
  /** The outputs as a preview shows them: what only the update knows is unknown. Without `olds` those of a create. */
  preview(news: Props, olds?: Props): Props;
  read(id: string, props: Props, context: Context): Promise<dynamic.ReadResult<Props>>;
  update(id: string, olds: Props, news: Props, context: Context): Promise<{ outs: Props }>;
  delete(id: string, props: Props, context: Context): Promise<void>;
}
