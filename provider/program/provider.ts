import {
  type Input,
  type Inputs,
  type InvokeOptions,
  mergeOptions,
  type Output,
  output,
  ProviderResource,
  type ResourceOptions,
  secret,
} from "@pulumi/pulumi";
import type { DialectName } from "../../sdk";
import { SECRETS, EXPLICIT, NAMESPACE, SETTINGS } from "../../settings/source";
import { runError } from "./run-error";
import { dynamicRegistration } from "./dynamic-registration";
import type { FrontEnd, Registration } from "./registration";

/** Arguments of a `Provider`: the settings, which a change sets in place. */
export interface ProviderArgs {
  /**
   * The URL of the control plane.
   * @default `AGENTSERVER_BASE_URL`, where neither URL nor credential nor workspace is set here
   */
  baseUrl?: Input<string> | undefined;
  /**
   * The API key. Always secret. Either this or `bearerToken`.
   * @default `AGENTSERVER_API_KEY`, where neither URL nor credential nor workspace is set here
   */
  apiKey?: Input<string> | undefined;
  /**
   * The bearer token, in place of an API key. Always secret.
   * @default `AGENTSERVER_BEARER_TOKEN`, where neither URL nor credential nor workspace is set here
   */
  bearerToken?: Input<string> | undefined;
  /**
   * Headers that a gateway in front of the control plane asks for, sent to its host alone. Always secret.
   * @default `AGENTSERVER_HEADERS`, a JSON object, where neither URL nor credential nor workspace is set here
   */
  headers?: Input<Record<string, Input<string>>> | undefined;
  /**
   * The id of the workspace, a UUID.
   * @default `AGENTSERVER_WORKSPACE_ID`, where neither URL nor credential nor workspace is set here
   */
  workspaceId?: Input<string> | undefined;
  /**
   * The names of the control plane's fields, values and paths.
   * @default `AGENTSERVER_DIALECT`, where neither URL nor credential nor workspace is set here; else "agentserver"
   */
  dialect?: Input<DialectName> | undefined;
  /**
   * Whether the paths are below `/api-host`.
   * @default false
   */
  selfHosted?: Input<boolean> | undefined;
  /**
   * Whether plain `http` to other hosts than this machine is allowed.
   * @default `AGENTSERVER_ALLOW_INSECURE_HTTP`, where neither URL nor credential nor workspace is set here; else false
   */
  allowInsecureHttp?: Input<boolean> | undefined;
  /**
   * In seconds: how long one request may take, to the control plane or to an agent server.
   * @default 30
   */
  requestTimeoutSeconds?: Input<number> | undefined;
  /**
   * In seconds: how long the wait for a revision or a deletion may take, where the resource does not set it.
   * @default 1800
   */
  waitTimeoutSeconds?: Input<number> | undefined;
  /**
   * Number of requests at the same time at most.
   * @default 16
   */
  maxConcurrentRequests?: Input<number> | undefined;
}

/** The module whose resources take each provider. */
const MODULES = new WeakMap<ProviderResource, FrontEnd>();

/**
 * A control plane, or a workspace of one, for resources with the option `provider`. The stack's configuration does not
 * apply to it. The environment applies only where neither URL nor credential nor workspace is set, so that no key is sent
 * to another host.
 *
 * @example
 * ```ts
 * import * as pulumi from "@pulumi/pulumi";
 * import * as agentserver from "pulumi-agentserver";
 *
 * const config = new pulumi.Config();
 * const eu = new agentserver.Provider("eu", {
 *   baseUrl: "https://eu.example.com",
 *   apiKey: config.requireSecret("euApiKey"),
 *   workspaceId: config.require("euWorkspaceId"),
 * });
 * const support = new agentserver.Deployment(
 *   "support",
 *   {
 *     source: "external_container",
 *     sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
 *   },
 *   { provider: eu },
 * );
 * export const url = support.url;
 * ```
 */
export class Provider extends ProviderResource {
  /** @internal */
  protected static readonly registration: Registration = dynamicRegistration;

  /** Declares a provider. Its resources report wrong settings. */
  constructor(name: string, args: ProviderArgs = {}, options?: ResourceOptions) {
    const { module, provider } = new.target.registration;
    const secretOutputs = SECRETS.map((setting) => provider.prefix + setting);
    super(
      provider.package,
      name,
      { ...settingsOf(args, provider.prefix), ...provider.inputs },
      mergeOptions({ additionalSecretOutputs: secretOutputs }, options),
    );
    MODULES.set(this, module);
  }

  /** @internal The module whose resources take a provider; undefined for one of another package. */
  static moduleOf(provider: ProviderResource): FrontEnd | undefined {
    return MODULES.get(provider);
  }
}

/** A parent hands a provider down by the package of a token: that of either front end. */
const PACKAGE_TOKENS = ["pulumi-nodejs:dynamic/agentserver:any", "agentserver:index:any"];

/** The provider that options name, else those that their parent hands down: one of each front end at most. */
export function providersNamedBy({
  provider,
  parent,
}: Pick<InvokeOptions, "provider" | "parent">): ProviderResource[] {
  if (provider !== undefined) return [provider];
  return PACKAGE_TOKENS.flatMap((token) => parent?.getProvider(token) ?? []);
}

/**
 * The settings of an explicit provider, as the engine has them: unknown in a preview where an argument is. Throws a
 * `RunError` for a provider of another package.
 */
export function settingsKeptBy(provider: ProviderResource): Output<Record<string, string>> {
  const settings: Record<string, Input<string>> = Object.fromEntries(
    Object.entries(provider)
      .filter(([name]) => name.startsWith(NAMESPACE) || name in SETTINGS)
      .map(([name, value]) => [name.startsWith(NAMESPACE) ? name : NAMESPACE + name, value]),
  );
  if (Object.keys(settings).length === 0 && Provider.moduleOf(provider) === undefined)
    throw runError("the option `provider` of a function must be a Provider of pulumi-agentserver");
  settings[EXPLICIT] = "true";
  return output(settings);
}

type Setting = string | number | boolean | Record<string, Input<string>>;

/**
 * The arguments by their settings' names, as strings: the provider process gets nothing else. One whose output is null or
 * undefined, as that of another stack may be, is left out.
 */
function settingsOf(args: ProviderArgs, prefix: string): Inputs {
  const given: Record<string, Input<Setting> | undefined> = { ...args };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const text = output(value).apply((known) => {
        if (known === undefined || known === null) return undefined;
        const written = typeof known === "object" ? JSON.stringify(known) : String(known);
        return SECRETS.includes(name) ? secret(written) : written;
      });
      return [prefix + name, text];
    }),
  );
}
