import {
  type Input,
  mergeOptions,
  type Output,
  output,
  ProviderResource,
  type ResourceOptions,
  secret,
} from "@pulumi/pulumi";
import type { DialectName } from "../../sdk";
import { EXPLICIT, NAMESPACE } from "./settings-source";
import { runError } from "../host/run-error";

/** The settings of a `Provider`; what is left out has its default. */
export interface ProviderArgs {
  /** The control plane. */
  baseUrl?: Input<string>;
  /** Always secret. */
  apiKey?: Input<string>;
  /** Instead of the key; always secret. */
  bearerToken?: Input<string>;
  workspaceId?: Input<string>;
  /** The names that the control plane knows things by. @default "agentserver" */
  dialect?: Input<DialectName>;
  /** Puts the paths under `/api-host`. @default false */
  selfHosted?: Input<boolean>;
  /** Allows plain `http` to other hosts than this machine. @default false */
  allowInsecureHttp?: Input<boolean>;
  /** @default 30 */
  requestTimeoutSeconds?: Input<number>;
  /** @default 1800 */
  waitTimeoutSeconds?: Input<number>;
  /** @default 16 */
  maxConcurrentRequests?: Input<number>;
}

/**
 * A control plane, or a workspace of one, besides that of the stack's configuration: for resources with the option
 * `provider`. The stack's configuration does not count for it, and the environment only where none of URL, key and
 * workspace is given here, so that no key reaches another host.
 *
 * @example
 * ```ts
 * const eu = new agentserver.Provider("eu", { baseUrl: "https://eu.example.com", apiKey, workspaceId });
 * const support = new agentserver.Deployment("support", args, { provider: eu });
 * ```
 */
export class Provider extends ProviderResource {
  constructor(name: string, args: ProviderArgs = {}, options?: ResourceOptions) {
    const secretOutputs = SECRET.map((setting) => NAMESPACE + setting);
    super(
      "pulumi-nodejs",
      name,
      { ...settingsOf(args), [EXPLICIT]: "true" },
      mergeOptions({ additionalSecretOutputs: secretOutputs }, options),
    );
  }
}

/**
 * The settings of a provider that a program made, as the engine has them: unknown in a preview where an argument is.
 * Throws a `RunError` for a provider that is none of ours.
 */
export function settingsKeptBy(provider: ProviderResource): Output<Record<string, string>> {
  const settings = Object.entries(provider).filter(([name]) => name.startsWith(NAMESPACE));
  if (settings.length === 0)
    throw runError("the provider of a look-up must be a Provider of pulumi-agentserver");
  return output(Object.fromEntries(settings));
}

const SECRET: readonly string[] = ["apiKey", "bearerToken"];

/** The arguments under the names that settings have, as texts, which is all that the provider process is given. */
function settingsOf(args: ProviderArgs): Record<string, Output<string>> {
  const given: Record<string, Input<string | number | boolean> | undefined> = { ...args };
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => {
        const text = output(value).apply(String);
        return [NAMESPACE + name, SECRET.includes(name) ? secret(text) : text];
      }),
  );
}
