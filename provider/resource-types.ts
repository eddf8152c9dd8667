/** Facts of a resource type that its class, its lifecycle, the schema for other languages and the tests share. */
export interface ResourceType {
  /** The last part of its type tokens. */
  readonly type: string;
  /** Its name in messages. */
  readonly noun: string;
  /** The function that lists those that exist, and the members of each that are its id and its name to people. */
  readonly listing: { readonly by: string; readonly id: string; readonly name: string };
  /** Its endpoint on an agent server, where an id alone does not say on which one it is. @default it is on the control plane */
  readonly endpoint?: string;
  /** The export of `provider/lifecycle` that serves it: it stands in users' states. */
  readonly lifecycle: string;
  /** The way in which a program adopts one that exists. @default it cannot */
  readonly adoption?: string;
  /** Its secret properties. */
  readonly secrets: Secrets;
  /** Whether its name is free only after the old one is deleted: forced replacements ask no diff. */
  readonly isDeletedFirst: boolean;
}

/** The properties that are always secret. */
export interface Secrets {
  /** Paths of inputs, in which `*` stands for each member. The outputs of these paths are secret too. */
  readonly inputs: readonly string[];
  /** Names of other outputs. */
  readonly outputs: readonly string[];
}

/**
 * The resource types, a row each. For a new row the compiler names what is missing: its lifecycle in `lifecycle.ts` and
 * `lifecycles.ts`, and its classes in `index.ts` and `adapters/native/index.ts`.
 */
export const RESOURCE_TYPES = {
  Deployment: {
    type: "Deployment",
    noun: "deployment",
    listing: { by: "listDeployments", id: "id", name: "name" },
    lifecycle: "deployment",
    adoption: "set its name and adoptExisting: true to adopt the deployment",
    secrets: { inputs: ["secrets.*", "smokeCheck.apiKey"], outputs: ["lastGoodInputs"] },
    isDeletedFirst: true,
  },
  Listener: {
    type: "Listener",
    noun: "listener",
    listing: { by: "listListeners", id: "id", name: "computeId" },
    lifecycle: "listener",
    adoption: "set adoptExisting: true to adopt the listener",
    secrets: { inputs: [], outputs: [] },
    isDeletedFirst: false,
  },
  OAuthProvider: {
    type: "OAuthProvider",
    noun: "OAuth provider",
    listing: { by: "listOAuthProviders", id: "id", name: "name" },
    lifecycle: "oauthProvider",
    adoption: "set adoptExisting: true to adopt the provider",
    secrets: { inputs: ["clientSecret"], outputs: [] },
    isDeletedFirst: false,
  },
  Thread: {
    type: "Thread",
    noun: "thread",
    listing: { by: "searchThreads", id: "threadId", name: "threadId" },
    endpoint: "threads",
    lifecycle: "thread",
    secrets: { inputs: ["apiKey"], outputs: ["config"] },
    isDeletedFirst: true,
  },
  Assistant: {
    type: "Assistant",
    noun: "assistant",
    listing: { by: "searchAssistants", id: "assistantId", name: "name" },
    endpoint: "assistants",
    lifecycle: "assistant",
    adoption: "set its assistantId and adoptExisting: true to adopt the assistant",
    secrets: { inputs: ["apiKey"], outputs: [] },
    isDeletedFirst: true,
  },
  Cron: {
    type: "Cron",
    noun: "cron",
    listing: { by: "searchCrons", id: "cronId", name: "schedule" },
    endpoint: "runs/crons",
    lifecycle: "cron",
    adoption: "set adoptExisting: true to adopt the cron that carries its mark",
    secrets: { inputs: ["apiKey"], outputs: [] },
    isDeletedFirst: true,
  },
} as const satisfies Record<string, ResourceType>;

export type ResourceTypeName = keyof typeof RESOURCE_TYPES;
export type LifecycleName = (typeof RESOURCE_TYPES)[ResourceTypeName]["lifecycle"];

/** The type token of the dynamic provider's resources. It stands in users' states. */
export function dynamicToken(type: string): string {
  return `pulumi-nodejs:dynamic/agentserver:${type}`;
}

/** The token of a resource type, or a function, of the native provider. It stands in users' states. */
export function nativeToken(name: string): string {
  return `agentserver:index:${name}`;
}

/** Paths of the outputs that are always secret; an object with only secret members is secret as a whole. */
export function secretOutputsOf({ inputs, outputs }: Secrets): string[] {
  return [...inputs.map((path) => path.replace(/\.\*$/, "")), ...outputs];
}
