import type { OutputInstance } from "@pulumi/pulumi";
import type {
  Assistant,
  Cron,
  GetAssistantResult,
  GetAssistantSchemasResult,
  GetAssistantVersionResult,
  GetCronResult,
  GetThreadResult,
  GetThreadStateCheckpoint,
  GetThreadStateResult,
  ListenerArgs,
  SourceConfigArgs,
  SourceRevisionConfigArgs,
  Thread,
} from "pulumi-agentserver";
import type { Camel } from "../../provider/arguments/casing";
import type * as sdk from "../../sdk";
import type { CreateListener, SourceConfigRequest, SourceRevisionConfig } from "../../sdk";

// Compiles only while the arguments have the fields of the wire's schema, with the same types, and the results of threads
// and assistants its members. An error names the field
// that an interface lacks, or that only the interface has: `resourceSpec.cacheMemoryLimitMb: number`.

type WireConfig = Camel<SourceConfigRequest>;
type WireRevisionConfig = Camel<SourceRevisionConfig>;
type WireListener = Omit<Camel<CreateListener>, "version">;

export type Lacking = [
  None<Lacks<SourceConfigArgs, WireConfig>>,
  None<Lacks<SourceRevisionConfigArgs, WireRevisionConfig>>,
  None<Lacks<ListenerArgs, WireListener>>,
];
export type Unknown = [
  None<Lacks<WireConfig, SourceConfigArgs>>,
  None<Lacks<WireRevisionConfig, SourceRevisionConfigArgs>>,
  None<Lacks<WireListener, Omit<ListenerArgs, "adoptExisting">>>,
];

/** A thread's values are a conversation: its resource keeps none of them. */
export type LackingResults = [
  None<LacksNames<Assistant, sdk.Assistant>>,
  None<LacksNames<GetAssistantResult, sdk.Assistant>>,
  None<LacksNames<GetAssistantVersionResult, sdk.AssistantVersion>>,
  None<LacksNames<GetAssistantSchemasResult, sdk.AssistantSchemas>>,
  None<LacksNames<GetCronResult, sdk.Cron>>,
  None<LacksNames<Cron, Omit<sdk.Cron, "cron_id">>>,
  None<LacksNames<GetThreadResult, sdk.Thread>>,
  None<LacksNames<Thread, Omit<sdk.Thread, "values">>>,
  None<LacksNames<GetThreadStateResult, sdk.ThreadState>>,
  None<LacksNames<GetThreadStateCheckpoint, sdk.Checkpoint>>,
];

type LacksNames<Type, Wire> = Exclude<keyof Camel<Wire>, keyof Type>;
type None<Names extends never> = Names;
type Lacks<Type, Other> = Exclude<Fields<Other>, Fields<Type>>;

/** Every field at any depth, with its type. */
type Fields<Type> = {
  [Name in keyof Type & string]-?: FieldsAt<Name, ValueOf<Type[Name]>>;
}[keyof Type & string];
type FieldsAt<Path extends string, Type> = unknown extends Type
  ? `${Path}: unknown`
  : Type extends string
    ? `${Path}: ${Type}`
    : Type extends number
      ? `${Path}: number`
      : Type extends boolean
        ? `${Path}: boolean`
        : Type extends (infer Item)[]
          ? FieldsAt<`${Path}[]`, ValueOf<Item>>
          : `${Path}.${Fields<Type>}`;

/** A value that is there and known. */
type ValueOf<Type> = unknown extends Type
  ? unknown
  : Exclude<Type, null | undefined | Promise<unknown> | OutputInstance<unknown>>;
