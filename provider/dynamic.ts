import {
  createUrn,
  CustomResource,
  type CustomResourceOptions,
  getProject,
  getStack,
  type Input,
  type Inputs,
  isSecret,
  type Lifted,
  mergeOptions,
  type OutputInstance,
  type Resource,
  runtime,
  type URN,
} from "@pulumi/pulumi";
import { runError } from "./host/run-error";
import { optionInputs } from "./inputs/option-inputs";

/** A kind of resource. */
interface ResourceKind {
  /** The last part of its type token. */
  readonly type: string;
  /** The export of `provider/lifecycle` that serves it. */
  readonly lifecycle: keyof typeof import("./lifecycle");
  /** How a program adopts one that exists. @default it cannot */
  readonly adoption?: string;
}

/**
 * The text that Pulumi's dynamic-provider process runs to find the lifecycle. It stands in every user's state, and old
 * states are refreshed and destroyed through it: it never changes, nor do the subpath and the export names in it.
 * It resolves from the program's folder, so that it works in an installed package, in a link and in this repository.
 */
function providerText(lifecycle: ResourceKind["lifecycle"]): string {
  return `exports.handler = () => require("node:module").createRequire(process.cwd() + "/")("pulumi-agentserver/provider/lifecycle").${lifecycle};`;
}

/**
 * A resource served by Pulumi's dynamic provider. It is registered with a constant provider text instead of
 * `dynamic.Resource`'s serialised closure, which would put code, and all that the code captures, into the state.
 */
export abstract class DynamicResource extends CustomResource {
  constructor(
    { type, lifecycle, adoption }: ResourceKind,
    name: string,
    props: Inputs,
    options?: CustomResourceOptions,
  ) {
    if (options?.import) throw notImportable(type, name, adoption);
    if (runtime.getMonitor() === undefined) throw notConnected(type, name);
    const token = `pulumi-nodejs:dynamic/agentserver:${type}`;
    const hidden = {
      __provider: providerText(lifecycle),
      __urn: urnOf(name, token, options?.parent),
      ...optionInputs(options),
    };
    // Pulumi takes down a stack for each of the eighty promises of a resource, in case one is never settled: a third of
    // the time that a program of many resources takes. The place of the declaration it asks for with a limit of its own.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      super(token, name, { ...props, ...hidden }, options);
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

/** Pulumi's process for dynamic providers ends an import in a `TypeError`: it looks for the provider in the state. */
function notImportable(type: string, name: string, adoption: string | undefined): Error {
  const instead = adoption === undefined ? "" : `${adoption}, or `;
  return runError(
    `${type} '${name}': the option import does not work with dynamic resources; ${instead}read it with ${type}.get`,
  );
}

/** All outputs of a resource by name: only what stands among its properties becomes one. */
export type OutputsOf<Kind extends DynamicResource> = Readonly<
  Record<Exclude<keyof Kind, keyof DynamicResource>, undefined>
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

/**
 * The resource's URN, which the provider is not told otherwise: it derives names from it and reports on the resource's
 * own line. A plain string where that is all it takes: an output costs the program time for every resource.
 */
function urnOf(name: string, token: string, parent: Resource | undefined): Input<URN> {
  if (parent !== undefined) return createUrn(name, token, urnOfParent(parent));
  return `urn:pulumi:${getStack()}::${getProject()}::${token}::${name}`;
}

/**
 * The parent's URN as a promise. As an output it would depend on the parent, and so on all children of a component: two
 * siblings would wait for each other for ever. `isSecret` is Pulumi's public way to learn that an output has failed.
 */
function urnOfParent({ urn }: Resource): Promise<URN> {
  return new Promise((resolve, reject) => {
    isSecret(urn.apply(resolve)).catch(reject);
  });
}
