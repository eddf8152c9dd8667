import {
  CustomResource,
  type CustomResourceOptions,
  type Inputs,
  type Lifted,
  mergeOptions,
  type OutputInstance,
  runtime,
} from "@pulumi/pulumi";
import { dynamicRegistration } from "./dynamic";
import { runError } from "./host/run-error";
import type { Registration, ResourceKind } from "./registration";

/** A resource of this package. */
export abstract class AgentServerResource extends CustomResource {
  /** @internal */
  protected static readonly registration: Registration = dynamicRegistration;

  constructor(kind: ResourceKind, name: string, props: Inputs, given?: CustomResourceOptions) {
    const { registration } = new.target;
    const options = registration.options(kind, name, given);
    if (runtime.getMonitor() === undefined) throw notConnected(kind.type, name);
    const hidden = registration.hiddenInputs(kind, name, options);
    // Pulumi takes down a stack for each of the eighty promises of a resource, in case one is never settled: a third of
    // the time that a program of many resources takes. The place of the declaration it asks for with a limit of its own.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      super(registration.tokenOf(kind), name, { ...props, ...hidden }, options);
    } catch (error) {
      Error.stackTraceLimit = stackTraceLimit;
      if (error instanceof Error) Error.captureStackTrace(error, new.target);
      throw error;
    }
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/**
 * Pulumi's SDK lets a resource pass that no engine hears of, and the run ends well: the engine then deletes what it stands
 * for. In an inline program that is so in a callback of something that was made before the program was run.
 */
function notConnected(type: string, name: string): Error {
  return runError(
    `${type} '${name}' is created where no Pulumi engine is connected, so that \`pulumi up\` would take it for removed from the program; ` +
      "in an inline program of the Automation API create it in the program's own calls and not in a callback of a queue, a pool or an emitter " +
      "that was there before, and in unit tests call `pulumi.runtime.setMocks` first",
  );
}

/** All outputs of a resource by name: only what stands among its properties becomes one. */
export type OutputsOf<Kind extends AgentServerResource> = Readonly<
  Record<Exclude<keyof Kind, keyof AgentServerResource>, undefined>
>;

/** An output of an object that may be null: its members are outputs too, of undefined where it is null. */
export type NullableOutput<Value extends object> = OutputInstance<Value | null> &
  Lifted<{ readonly [Name in keyof Value]: Value[Name] | undefined }>;

/**
 * The options of a resource that is deleted first when it is replaced, unless `given` says `false`: forced replacements ask
 * no diff. A component passes its own option on, which may be undefined: that is the same as none.
 */
export function deleteBeforeReplaceByDefault(
  own: CustomResourceOptions,
  given?: CustomResourceOptions,
): CustomResourceOptions {
  const deleteBeforeReplace = given?.deleteBeforeReplace ?? true;
  return mergeOptions(own, { ...given, deleteBeforeReplace });
}
