import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";

// Components whose outputs other programs take as strings.

interface Endpoint {
  readonly url: pulumi.Output<string>;
  readonly revision: pulumi.Output<string>;
}

function image(imageUri: pulumi.Input<string>): agentserver.ExternalContainerDeploymentArgs {
  return { source: "external_container", sourceRevisionConfig: { imageUri } };
}

export class Support extends pulumi.ComponentResource implements Endpoint {
  public readonly url: pulumi.Output<string>;
  public readonly revision: pulumi.Output<string>;

  constructor(name: string, args: { image: string }, opts?: pulumi.ComponentResourceOptions) {
    super("acme:index:Support", name, args, opts);
    const deployment = new agentserver.Deployment(name, image(args.image), { parent: this });
    this.url = deployment.url;
    this.revision = deployment.activeRevisionId;
    this.registerOutputs({ url: this.url, revision: this.revision });
  }
}

export class Docs extends pulumi.ComponentResource {
  public readonly page: pulumi.Output<string>;
  public readonly host: pulumi.Output<string>;

  constructor(name: string, opts?: pulumi.ComponentResourceOptions) {
    super("acme:index:Docs", name, {}, opts);
    const { url } = new agentserver.Deployment(name, image("docs:1"), { parent: this });
    this.page = pulumi.interpolate`${url}/docs`;
    this.host = url.apply((text) => new URL(text).host);
    this.registerOutputs({ page: this.page, host: this.host });
  }
}

export class Tenants extends pulumi.ComponentResource {
  public readonly urls: Record<string, pulumi.Output<string>> = {};

  constructor(names: string[], opts?: pulumi.ComponentResourceOptions) {
    super("acme:index:Tenants", "tenants", {}, opts);
    for (const name of names) {
      const { url } = new agentserver.Deployment(name, image(`${name}:1`), { parent: this });
      this.urls[name] = url;
    }
  }
}

export class Gateway extends pulumi.ComponentResource {
  public readonly routes: pulumi.Output<string>[];

  constructor(name: string, args: { upstreams: pulumi.Input<string>[]; peer: Endpoint }) {
    super("acme:index:Gateway", name, args);
    this.routes = [...args.upstreams, args.peer.url].map((url) => pulumi.output(url));
  }
}

export class Fixture extends pulumi.ComponentResource {
  public readonly threadId: pulumi.Output<string>;
  public readonly deploymentUrl: pulumi.Output<string>;

  constructor(name: string, args: { deployment: agentserver.Deployment }) {
    super("acme:index:Fixture", name);
    const { url: deploymentUrl } = args.deployment;
    const thread = new agentserver.Thread(name, { deploymentUrl }, { parent: this });
    this.threadId = thread.threadId;
    this.deploymentUrl = thread.deploymentUrl;
  }
}

export class Languages extends pulumi.ComponentResource {
  public readonly assistants: { id: pulumi.Output<string>; version: pulumi.Output<number> }[];

  constructor(name: string, args: { deploymentUrl: pulumi.Input<string>; languages: string[] }) {
    super("acme:index:Languages", name);
    const { deploymentUrl } = args;
    this.assistants = args.languages.map((language) => {
      const assistant = new agentserver.Assistant(
        `${name}-${language}`,
        { deploymentUrl, graphId: "agent", context: { language } },
        { parent: this },
      );
      return { id: assistant.assistantId, version: assistant.version };
    });
  }
}

export class Cluster extends pulumi.ComponentResource {
  public readonly listenerId: pulumi.Output<string>;
  public readonly url: pulumi.Output<string>;

  constructor(name: string, args: { computeId: pulumi.Input<string> }) {
    super("acme:index:Cluster", name);
    const { computeId } = args;
    const listener = new agentserver.Listener(
      name,
      { computeType: "k8s", computeId, computeConfig: { k8sNamespaces: ["agents"] } },
      { parent: this },
    );
    this.listenerId = listener.id;
    const sourceConfig = { listenerId: listener.id, listenerConfig: { k8sNamespace: "agents" } };
    const placed = { ...image("agent:1"), sourceConfig };
    this.url = new agentserver.Deployment(name, placed, { parent: this }).url;
  }
}

export class Login extends pulumi.ComponentResource {
  public readonly slug: pulumi.Output<string>;

  constructor(name: string, args: Omit<agentserver.OAuthProviderArgs, "providerId">) {
    super("acme:index:Login", name);
    const providerId = `acme-${name}`;
    const provider = new agentserver.OAuthProvider(name, { ...args, providerId }, { parent: this });
    this.slug = provider.providerId;
  }
}

export class Existing extends pulumi.ComponentResource implements Endpoint {
  public readonly url: pulumi.Output<string>;
  public readonly revision: pulumi.Output<string>;
  public readonly label: pulumi.Output<string>;

  constructor(name: string, args: { id: pulumi.Input<string> }, provider: agentserver.Provider) {
    super("acme:index:Existing", name, args, { provider });
    const found = agentserver.Deployment.get(name, args.id, { parent: this });
    this.url = found.url;
    this.revision = found.latestRevisionId;
    this.label = pulumi.all([found.url, found.name]).apply(([url, own]) => `${own}: ${url}`);
  }
}

export class Pair extends pulumi.ComponentResource {
  public readonly front: agentserver.Deployment;
  public readonly urls: pulumi.Output<string[]>;

  constructor(name: string, args: { env?: Record<string, pulumi.Input<string>> } = {}) {
    super("acme:index:Pair", name);
    const back = new agentserver.Deployment(`${name}-back`, image("back:1"), { parent: this });
    this.front = new agentserver.Deployment(
      `${name}-front`,
      { ...image("front:1"), env: { ...args.env, BACK: back.url, REV: back.activeRevisionId } },
      { parent: this, dependsOn: [back] },
    );
    this.urls = pulumi.all([back.url, this.front.url]);
  }
}

const support: Endpoint = new Support("support", { image: "support:1" });
export const gateway = new Gateway("gateway", { upstreams: [support.url], peer: support });
