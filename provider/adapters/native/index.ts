import { Provider as DynamicProvider } from "../../program/provider";
import { Assistant as DynamicAssistant } from "../../assistant/resource";
import { Cron as DynamicCron } from "../../cron/resource";
import { Deployment as DynamicDeployment } from "../../deployment/resource";
import { Listener as DynamicListener } from "../../listener/resource";
import { OAuthProvider as DynamicOAuthProvider } from "../../oauth-provider/resource";
import { Thread as DynamicThread } from "../../thread/resource";
import { throughEngine } from "../../functions/define-function";
import * as dynamic from "../../index";
import { nativeRegistration } from "./registration";

// Before `export *`, which leaves out the names that are there.
for (const [name, form] of Object.entries(dynamic))
  if (!("prototype" in form)) exports[name] = throughEngine(form);

export * from "../../index";

/** `Deployment` of the native provider. */
export class Deployment extends DynamicDeployment {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Listener` of the native provider. */
export class Listener extends DynamicListener {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `OAuthProvider` of the native provider. */
export class OAuthProvider extends DynamicOAuthProvider {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Thread` of the native provider. */
export class Thread extends DynamicThread {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Assistant` of the native provider. */
export class Assistant extends DynamicAssistant {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Cron` of the native provider. */
export class Cron extends DynamicCron {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}

/** `Provider` of the native provider's resources. */
export class Provider extends DynamicProvider {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}
