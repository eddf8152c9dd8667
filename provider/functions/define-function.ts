import {
  all,
  CustomResource,
  type Input,
  type InvokeOptions,
  type InvokeOutputOptions,
  isSecret,
  type Output,
  output,
  type ProviderResource,
  Resource,
  runtime,
  unsecret,
} from "@pulumi/pulumi";
import { systemClock } from "../../shared/clock";
import { recordOf, textsIn } from "../../shared/records";
import { messageOf } from "../../shared/errors";
import { redact } from "../../shared/redact";
import { Provider, providersNamedBy, settingsKeptBy } from "../program/provider";
import { newProcessCache } from "../resource/process-cache";
import { runError } from "../program/run-error";
import { present, type Props, UNKNOWN } from "../arguments/props";
import { isLater } from "../arguments/variables";
import { CallError } from "./call-error";
import type { Caller, Connections } from "./connections";
import type { AgentServerFunction, FunctionDeclaration } from "./invoke";
import { hasMocks, mockedForms } from "../program/mocks";

/**
 * Invoke options: the control plane is that of `provider`, else of the provider that a child of `parent` inherits. Without
 * either the stack's configuration and the environment name it.
 */
export type FunctionOptions = Pick<InvokeOptions, "provider" | "parent">;

/**
 * Options of an output form. The call waits for `dependsOn`, of a component for its children: in a preview that is to create
 * one, the result is unknown.
 */
export type OutputFunctionOptions = FunctionOptions & Pick<InvokeOutputOptions, "dependsOn">;

/** Options of an output form that calls an agent server, whose arguments name it. */
export type AgentServerFunctionOptions = Pick<OutputFunctionOptions, "dependsOn">;

/**
 * The arguments of a function's output form: each may be an output, and so may the items of an array. A URL may be the
 * output of a deployment, which can be null, and is refused then.
 */
export type OutputArgs<Args> = {
  [Name in keyof Args]: Input<
    WithInputs<Args[Name]> | (Name extends "deploymentUrl" ? null : never)
  >;
};
type WithInputs<Value> = Value extends readonly (infer Item)[] ? readonly Input<Item>[] : Value;

/** The process of the program, in which all its calls share their clients. */
const program: Caller = { processCache: newProcessCache(), clock: systemClock };

/**
 * Defines a function: its direct form, which returns a promise, and its output form, which accepts and returns outputs.
 * Under mocks the mock `call` returns the result, and of the native front end the engine. Else the first call loads what checks
 * the arguments and calls the service.
 */
export function defineFunction<
  Args extends object,
  Result,
  Service extends keyof Connections = "control plane",
>(declaration: FunctionDeclaration<Args, Result, Service>) {
  const { name, list } = declaration;
  const mocked = mockedForms<Result>(name, list !== undefined);
  const call = async (target: Target, args: Props, access: Props, hasSecret = false) => {
    try {
      if (target.isNative)
        return await mocked.direct(present({ ...args, apiKey: access["apiKey"] }), target.provider);
      const { invoke } = await import("./invoke.js");
      return await invoke(declaration, { caller: program, access, args: present(args) });
    } catch (error) {
      if (!target.isNative && !(error instanceof CallError)) throw error;
      // Pulumi shows this one without a stack trace.
      const cause = error instanceof CallError && !hasSecret ? { cause: error.cause } : {};
      throw runError(redact(messageOf(error), hasSecret ? textsIn(args) : []), cause);
    }
  };
  return {
    /** Rejects with a `RunError`, also while a setting of the provider is unknown. */
    direct: (args: Args, options?: FunctionOptions): Promise<Result> => {
      const target = targetOf(declaration, args, options);
      const { shown, access, provider } = target;
      if (hasMocks()) return mocked.direct(shown, provider);
      return holdingRunOpen(async () => {
        const later = Object.keys(shown).find((argument) => holdsLater(shown[argument]));
        if (later !== undefined && !target.isNative)
          throw runError(
            `${name}: ${later} has an output or a promise; use ${name}Output, which waits for it`,
          );
        const known: unknown = await runtime.serializeProperty("", access());
        if (known === UNKNOWN)
          throw runError(
            `${name}: an argument of the provider is known only during the update; use ${name}Output, which waits for it`,
          );
        return call(target, shown, recordOf(known));
      });
    },

    /** Unknown while an argument or a setting of the provider is; secret when an argument is. */
    output: (args: OutputArgs<Args>, options?: OutputFunctionOptions): Output<Result> => {
      const target = targetOf(declaration, args, options);
      const { shown, access, provider } = target;
      if (hasMocks()) return mocked.output(shown, provider);
      const known = output<object>(shown);
      const result = all([known, access(), idsBehind(shown, options?.dependsOn)]).apply(
        async ([values, settings]) =>
          call(target, recordOf(values), recordOf(settings), await isSecret(known)),
      );
      void holdingRunOpen(() => runtime.serializeProperty("", result));
      return result;
    },
  };
}

/** Whether a value has a part that is known only when the engine runs. */
function holdsLater(value: unknown): boolean {
  if (isLater(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(holdsLater);
}

/** Defines a function of an agent server, whose arguments name the server: it takes no provider. */
export function defineAgentServerFunction<Args extends object, Result>(
  declaration: AgentServerFunction<Args, Result>,
): {
  direct: (args: Args) => Promise<Result>;
  output: (args: OutputArgs<Args>, options?: AgentServerFunctionOptions) => Output<Result>;
} {
  return defineFunction(declaration);
}

/** The access of a call to its service. */
interface Target {
  /** The arguments that are checked, and shown to mocks. */
  readonly shown: Props;
  /** Settings, or a key. Secret ones do not make the result secret. */
  readonly access: () => Output<object>;
  /** The provider that mocks are shown. */
  readonly provider?: ProviderResource | undefined;
  /** Whether the call passes through the engine to the native provider. */
  readonly isNative: boolean;
}

/** Whether the form that is called is one of the native front end. */
let isNative = false;

/** A form of a function for the native front end: its calls pass through the engine. */
export function throughEngine<Form extends (...given: never[]) => unknown>(form: Form): Form {
  return new Proxy(form, {
    apply(target, _self, given) {
      isNative = true;
      try {
        return Reflect.apply(target, undefined, given);
      } finally {
        isNative = false;
      }
    },
  });
}

function targetOf(
  { name, service }: { readonly name: string; readonly service: keyof Connections },
  given: object,
  options: FunctionOptions = {},
): Target {
  if (service === "agent server") {
    const { apiKey, ...args } = recordOf(given);
    const access = () => unsecret(output({ ...runtime.allConfig(), apiKey }));
    return { shown: args, access, isNative };
  }
  const named = providersNamedBy(options);
  const provider = isNative ? named.find((one) => Provider.moduleOf(one) === NATIVE) : named[0];
  if (isNative && options.provider !== undefined && provider === undefined)
    throw runError(`the option \`provider\` of ${name} must be a Provider of ${NATIVE}`);
  if (!isNative && provider === undefined) refuseDisabled(name);
  const settings = () =>
    provider === undefined ? output(runtime.allConfig()) : settingsKeptBy(provider);
  return { shown: recordOf(given), access: () => unsecret(settings()), provider, isNative };
}

const NATIVE = "pulumi-agentserver/native";

/** The engine refuses default providers where the stack's configuration does. A call that does not pass through it refuses itself. */
function refuseDisabled(name: string): void {
  const disabled = runtime.allConfig()["pulumi:disable-default-providers"] ?? "";
  if (["*", "agentserver", "pulumi-nodejs"].some((one) => disabled.includes(JSON.stringify(one))))
    throw runError(
      `${name}: pulumi:disable-default-providers forbids the settings of the stack and the environment; set the option provider`,
    );
}

/**
 * The ids of the resources that arguments come from and that a call depends on. A preview knows the name of a deployment that
 * does not exist yet. Its id is unknown, so the result is too, as with Pulumi's own functions.
 */
async function idsBehind(args: unknown, dependsOn: unknown): Promise<Output<string>[]> {
  const sources = await resourcesIn(args);
  const awaited = (await resourcesIn(dependsOn)).flatMap(withChildren);
  return [...sources, ...awaited].map((resource) =>
    CustomResource.isInstance(resource) ? resource.id : resource.urn,
  );
}

async function resourcesIn(value: unknown): Promise<Resource[]> {
  const resources = new Set<Resource>();
  await runtime.serializeProperty("", value, resources);
  return [...resources];
}

/** A component is there before its children are: Pulumi's `dependsOn` waits for these. */
function withChildren(resource: Resource): Resource[] {
  if (CustomResource.isInstance(resource)) return [resource];
  const children: unknown = Reflect.get(resource, "__childResources");
  const known =
    children instanceof Set ? [...children].filter((child) => Resource.isInstance(child)) : [];
  return [resource, ...known.flatMap(withChildren)];
}

/** Keeps the run open. Otherwise the engine ends it during a call whose result no resource waits for. */
async function holdingRunOpen<Result>(work: () => Promise<Result>): Promise<Result> {
  const done = runtime.rpcKeepAlive();
  try {
    return await work();
  } finally {
    done();
  }
}
