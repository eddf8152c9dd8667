import type { CustomResourceOptions, ID, Input } from "@pulumi/pulumi";
import { Provider as DynamicProvider } from "../../config/provider";
import { Assistant as DynamicAssistant, type AssistantArgs } from "../../assistant/resource";
import { Deployment as DynamicDeployment } from "../../deployment/resource";
import { Listener as DynamicListener } from "../../listener/resource";
import { OAuthProvider as DynamicOAuthProvider } from "../../oauth-provider/resource";
import { Thread as DynamicThread, type ThreadArgs } from "../../thread/resource";
import { nativeRegistration } from "./registration";

export * from "../../index";

/** `Deployment` of the native provider. */
export class Deployment extends DynamicDeployment {
  /** @internal */
  protected static override readonly registration = nativeRegistration;

  /** Reads an existing deployment by its id, without managing it. */
  static override get(name: string, id: Input<ID>, options?: CustomResourceOptions): Deployment {
    return new Deployment(name, undefined, { ...options, id });
  }
}

/** `Listener` of the native provider. */
export class Listener extends DynamicListener {
  /** @internal */
  protected static override readonly registration = nativeRegistration;

  /** Reads an existing listener by its id, without managing it. */
  static override get(name: string, id: Input<ID>, options?: CustomResourceOptions): Listener {
    return new Listener(name, undefined, { ...options, id });
  }
}

/** `OAuthProvider` of the native provider. */
export class OAuthProvider extends DynamicOAuthProvider {
  /** @internal */
  protected static override readonly registration = nativeRegistration;

  /** Reads an existing OAuth provider by its slug, without managing it. Its client secret is not read. */
  static override get(name: string, id: Input<ID>, options?: CustomResourceOptions): OAuthProvider {
    return new OAuthProvider(name, undefined, { ...options, id });
  }
}

/** `Thread` of the native provider. */
export class Thread extends DynamicThread {
  /** @internal */
  protected static override readonly registration = nativeRegistration;

  /** Reads an existing thread by its id and its server, without managing it. */
  static override get(
    name: string,
    id: Input<ID>,
    server: Pick<ThreadArgs, "deploymentUrl" | "apiKey">,
    options?: CustomResourceOptions,
  ): Thread {
    return new Thread(name, server, { ...options, id });
  }
}

/** `Assistant` of the native provider. */
export class Assistant extends DynamicAssistant {
  /** @internal */
  protected static override readonly registration = nativeRegistration;

  /** Reads an existing assistant by its id and its server, without managing it. */
  static override get(
    name: string,
    id: Input<ID>,
    server: Pick<AssistantArgs, "deploymentUrl" | "apiKey">,
    options?: CustomResourceOptions,
  ): Assistant {
    return new Assistant(name, { ...server, graphId: "" }, { ...options, id });
  }
}

/** `Provider` of the native provider's resources. */
export class Provider extends DynamicProvider {
  /** @internal */
  protected static override readonly registration = nativeRegistration;
}
