import type { OutputInstance } from "@pulumi/pulumi";
import type * as agentserver from "pulumi-agentserver";
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
  None<Lacks<agentserver.SourceConfigArgs, WireConfig>>,
  None<Lacks<agentserver.SourceRevisionConfigArgs, WireRevisionConfig>>,
  None<Lacks<agentserver.ListenerArgs, WireListener>>,
];
export type Unknown = [
  None<Lacks<WireConfig, agentserver.SourceConfigArgs>>,
  None<Lacks<WireRevisionConfig, agentserver.SourceRevisionConfigArgs>>,
  None<Lacks<WireListener, Omit<agentserver.ListenerArgs, "adoptExisting">>>,
];

/** A thread's values are a conversation: its resource keeps none of them. */
export type LackingResults = [
  None<LacksNames<agentserver.Assistant, sdk.Assistant>>,
  None<LacksNames<agentserver.GetAssistantResult, sdk.Assistant>>,
  None<LacksNames<agentserver.GetAssistantVersionResult, sdk.AssistantVersion>>,
  None<LacksNames<agentserver.GetAssistantSchemasResult, sdk.AssistantSchemas>>,
  None<LacksNames<agentserver.GetCronResult, sdk.Cron>>,
  None<LacksNames<agentserver.Cron, Omit<sdk.Cron, "cron_id">>>,
  None<LacksNames<agentserver.GetThreadResult, sdk.Thread>>,
  None<LacksNames<agentserver.Thread, Omit<sdk.Thread, "values">>>,
  None<LacksNames<agentserver.GetThreadStateResult, sdk.ThreadState>>,
  None<LacksNames<agentserver.GetThreadStateCheckpoint, sdk.Checkpoint>>,
];

/** What may be left out may be undefined too, as `config.get` returns it to programs with `exactOptionalPropertyTypes`. */
export type Refusing = [
  None<Refuses<agentserver.GetIntegrationArgs>>,
  None<Refuses<agentserver.GetListenerArgs>>,
  None<Refuses<agentserver.ListDeploymentsArgs>>,
  None<Refuses<agentserver.ListRevisionsArgs>>,
  None<Refuses<agentserver.SearchAssistantsArgs>>,
  None<Refuses<agentserver.ListAssistantVersionsArgs>>,
  None<Refuses<agentserver.SearchCronsArgs>>,
  None<Refuses<agentserver.SearchThreadsArgs>>,
  None<Refuses<agentserver.GetThreadStateArgs>>,
  None<Refuses<agentserver.GetThreadHistoryArgs>>,
  None<Refuses<Parameters<sdk.Threads["searchAll"]>[0]>>,
  None<Refuses<Parameters<sdk.Threads["history"]>[1]>>,
  None<Refuses<Parameters<sdk.Crons["search"]>[0]>>,
  None<Refuses<Parameters<sdk.Assistants["search"]>[0]>>,
  None<Refuses<Parameters<sdk.Assistants["versions"]>[1]>>,
  None<Refuses<Parameters<sdk.Assistants["delete"]>[1]>>,
  None<Refuses<Parameters<sdk.Revisions["wait"]>[2]>>,
  None<Refuses<Parameters<sdk.OAuthTokens["wait"]>[1]>>,
  None<Refuses<Parameters<sdk.OAuthTokens["list"]>[0]>>,
];

type Refuses<Args, Given = NonNullable<Args>> = {
  [Name in keyof Given]-?: object extends Pick<Given, Name>
    ? Record<Name, undefined> extends Pick<Given, Name>
      ? never
      : Name
    : never;
}[keyof Given];

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
