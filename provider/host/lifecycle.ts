import type { dynamic } from "@pulumi/pulumi";
import type { Props } from "../inputs/props";
import type { Context } from "./context";

/**
 * What happens to a resource. It has the verbs of `dynamic.ResourceProvider` and knows nothing of the process that calls
 * them.
 */
export interface Lifecycle {
  check(olds: Props, news: Props, context: Context): Promise<dynamic.CheckResult<Props>>;
  diff(id: string, olds: Props, news: Props, context: Context): dynamic.DiffResult;
  create(inputs: Props, context: Context): Promise<{ id: string; outs: Props }>;
  read(id: string, props: Props, context: Context): Promise<dynamic.ReadResult<Props>>;
  update(id: string, olds: Props, news: Props, context: Context): Promise<{ outs: Props }>;
  delete(id: string, props: Props, context: Context): Promise<void>;
}
