import {
  CustomResource,
  type CustomResourceOptions,
  type Inputs,
  type Lifted,
  type OutputInstance,
  runtime,
} from "@pulumi/pulumi";
import { Provider, providersNamedBy } from "./provider";
import { dynamicRegistration } from "./dynamic-registration";
import { runError } from "./run-error";
import type { ResourceType } from "../resource-types";
import type { FrontEnd, Registration } from "./registration";
import { namesOfSecrets, withSecretInputs } from "./secret-inputs";
import { findSourcePosition } from "./source-position";

/** A resource of this package. */
export abstract class AgentServerResource extends CustomResource {
  /** @internal */
  protected static readonly registration: Registration = dynamicRegistration;
  /** @internal */
  protected static readonly kind: ResourceType;

  /** The type token of the class, by which `validateResourceOfType` of `@pulumi/policy` knows its resources. */
  static get __pulumiType(): string {
    return this.registration.tokenOf(this.kind);
  }

  constructor(name: string, props: Inputs, given: CustomResourceOptions = {}) {
    const { registration, kind } = new.target;
    const options = registration.options(kind, name, deletedFirstByDefault(kind, given));
    if (runtime.getMonitor() === undefined) throw notConnected(kind.type, name);
    const foreign = foreignModule(registration, given);
    if (foreign !== undefined)
      throw runError(
        `${kind.type} '${name}' is imported from ${registration.module}, and its provider from ${foreign}: the two are different Pulumi packages; import both from one of them`,
      );
    const inputs = withSecretInputs(props, kind.secrets.inputs);
    const ofRegistration = registration.hiddenInputs(kind, name, options);
    const hidden = { ...ofRegistration, __secrets: namesOfSecrets(props) };
    const restore = findSourcePosition();
    try {
      super(registration.tokenOf(kind), name, { ...inputs, ...hidden }, options);
    } catch (error) {
      restore();
      if (error instanceof Error) Error.captureStackTrace(error, new.target);
      throw error;
    }
    restore();
  }
}

/**
 * The module of the provider that a resource is given and can't have. Where a component hands down the other front end's
 * alone, the resource would silently go to the control plane of the stack's settings.
 */
function foreignModule(
  { module }: Registration,
  given: CustomResourceOptions,
): FrontEnd | undefined {
  const modules = providersNamedBy(given).map((provider) => Provider.moduleOf(provider));
  return modules.includes(module) ? undefined : modules.find((other) => other !== undefined);
}

/**
 * Without a monitor Pulumi's SDK drops a registration silently, and the engine then deletes the resource. In an inline
 * program a callback of an object that was created before the program's run has no monitor.
 */
function notConnected(type: string, name: string): Error {
  return runError(
    `${type} '${name}' is created where no Pulumi engine is connected, so that \`pulumi up\` would take it for removed from the program; ` +
      "in an inline program of the Automation API create it in the program's own calls and not in a callback of a queue, a pool or an emitter " +
      "that was there before, and in unit tests call `pulumi.runtime.setMocks` first",
  );
}

/** All outputs of a resource by name: only what stands among its properties becomes one. */
export type OutputsOf<Class extends AgentServerResource> = Readonly<
  Record<Exclude<keyof Class, keyof AgentServerResource>, undefined>
>;

/** An output of an object that may be null: its members are outputs too, of undefined where it is null. */
export type NullableOutput<Value extends object> = OutputInstance<Value | null> &
  Lifted<{ readonly [Name in keyof Value]: Value[Name] | undefined }>;

/** A component passes its own option on, which may be undefined: that is the same as none. */
export function deletedFirstByDefault(
  { isDeletedFirst }: Pick<ResourceType, "isDeletedFirst">,
  given: CustomResourceOptions,
): CustomResourceOptions {
  if (!isDeletedFirst) return given;
  return { ...given, deleteBeforeReplace: given.deleteBeforeReplace ?? true };
}
