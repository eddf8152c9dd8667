import type { Random } from "../random";

export type Kind = "Deployment" | "Listener" | "OAuthProvider" | "Thread";

const RESOURCE_TYPES: readonly [Kind, ...Kind[]] = [
  "Deployment",
  "Deployment",
  "Deployment",
  "Listener",
  "Listener",
  "Thread",
  "Thread",
  "OAuthProvider",
];
const MOST_RESOURCES = 8;

/** One resource of a program. Its arguments follow from its numbers: another number is another value. */
export interface Wish {
  readonly kind: Kind;
  readonly name: string;
  readonly isImage: boolean;
  readonly isNamed: boolean;
  readonly deletesFirst: boolean;
  /** Of values that are changed in place. */
  value: number;
  /** Of its secret. */
  secret: number;
  /** Of a value whose change replaces it. */
  identity: number;
  adoptExisting: boolean;
}

/** The place where a program's things are. */
export interface Site {
  readonly integrationId: string;
  readonly workspaceId: string;
  /** The agent server, behind its proxy. */
  readonly agentServerUrl: string;
}

export function firstWishes(random: Random): Wish[] {
  const count = 1 + random.below(MOST_RESOURCES);
  return Array.from({ length: count }, (_, at) => {
    const kind = random.pick(RESOURCE_TYPES);
    const isImage = random.chance(0.3);
    return {
      kind,
      name: `${kind.toLowerCase()}-${at}`,
      isImage,
      // An image is replaced where its name changes, for it has no other identity.
      isNamed: random.chance(0.3) || isImage,
      deletesFirst: kind === "Deployment" || random.chance(0.5),
      value: 0,
      secret: 0,
      identity: 0,
      adoptExisting: false,
    };
  });
}

/** Changes one resource at least; returns what changes of each. */
export function changeWishes(wishes: readonly Wish[], random: Random): string[] {
  const first = random.below(wishes.length);
  const changed = wishes.filter((_, at) => at === first || random.chance(0.5));
  return changed.map((wish) => {
    const what = random.pick(["value", "value", "secret", "identity"]);
    wish[what] += 1;
    return `${wish.name}: another ${what}`;
  });
}

/** The name of the environment variable that holds the secret of a resource. */
export function secretOf({ name }: Pick<Wish, "name">, number: number): string {
  return `FAULTS_${name.toUpperCase().replaceAll("-", "_")}_${number}`;
}

/** A value of each secret now, and after a change of it, by the names of their environment variables. */
export function secretsOf(wishes: readonly Wish[], seed: number): Record<string, string> {
  const secrets = wishes.flatMap((wish) =>
    [0, 1].map((number) => {
      const secret = `canary+${seed}/${wish.name}&${number}=%"end`;
      return [secretOf(wish, number), secret] as const;
    }),
  );
  return Object.fromEntries(secrets);
}

/** The part of a resource that the service shows, as `Thing.values` has it. */
export function valuesOf(wish: Wish, { workspaceId }: Site, secret: string) {
  const { kind, name, value, identity } = wish;
  switch (kind) {
    case "Deployment":
      return {
        code: wish.isImage ? imageOf(wish) : `${repositoryOf(wish)} release-${value}`,
        variables: { KEY: secret, LEVEL: String(value) },
      };
    case "Listener":
      return { computeId: `${name}-${identity}`, namespaces: [`agents-${value}`] };
    case "OAuthProvider":
      return { providerId: `${name}-${identity}`, name: `Tracker ${value}` };
    case "Thread":
      return { metadata: metadataOf(wish, workspaceId), messages: [`question ${identity}`] };
  }
}

/** The arguments and options of a resource, its secret being the name of an environment variable. */
export function declarationOf(wish: Wish, site: Site) {
  const { kind, deletesFirst } = wish;
  const options = deletesFirst ? { deleteBeforeReplace: true } : {};
  return { kind, args: argumentsOf(wish, site), options };
}

function argumentsOf(wish: Wish, { integrationId, workspaceId, agentServerUrl }: Site) {
  const { kind, name, value, identity } = wish;
  const secret = { fromEnvironment: secretOf(wish, wish.secret) };
  switch (kind) {
    case "Deployment":
      return {
        ...(wish.isNamed && { name: `${name}-${wish.isImage ? identity : 0}` }),
        ...(wish.adoptExisting && { adoptExisting: true }),
        ...codeOf(wish, integrationId),
        env: { LEVEL: String(value) },
        secrets: { KEY: secret },
      };
    case "Listener":
      return {
        computeType: "k8s",
        computeId: `${name}-${identity}`,
        computeConfig: { k8sNamespaces: [`agents-${value}`] },
      };
    case "OAuthProvider":
      return {
        providerId: `${name}-${identity}`,
        name: `Tracker ${value}`,
        clientId: "client",
        clientSecret: secret,
        authUrl: "https://id.example.com/authorize",
        tokenUrl: "https://id.example.com/token",
      };
    case "Thread": {
      const messages = [{ type: "human", content: `question ${identity}` }];
      return {
        deploymentUrl: agentServerUrl,
        apiKey: secret,
        graphId: "agent",
        metadata: metadataOf(wish, workspaceId),
        supersteps: [{ updates: [{ asNode: "__start__", values: { messages } }] }],
      };
    }
  }
}

function codeOf(wish: Wish, integrationId: string) {
  if (wish.isImage)
    return {
      source: "external_container",
      sourceConfig: { resourceSpec: {} },
      sourceRevisionConfig: { imageUri: imageOf(wish) },
    };
  return {
    source: "git_host",
    sourceConfig: { integrationId, repoUrl: repositoryOf(wish), deploymentType: "dev" },
    sourceRevisionConfig: { repoRef: `release-${wish.value}`, graphConfigPath: "langgraph.json" },
  };
}

function imageOf({ value }: Wish): string {
  return `registry.example.com/support:${value}`;
}

function repositoryOf({ identity }: Wish): string {
  return `https://git.example.com/support-${identity}.git`;
}

function metadataOf({ name, value }: Wish, workspaceId: string) {
  return { label: String(value), resource: name, run: workspaceId };
}
