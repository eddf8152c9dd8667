import { z } from "zod";
import { withoutSecretForm } from "../../provider/arguments/secrets";
import type { Random } from "./random";

/** The declared side of a deployment, as its arguments are. */
export interface Wish {
  /** Begins the values that the program has made secret, of paths in `SECRETS`. */
  mark: string;
  name: string | undefined;
  adoptExisting: boolean;
  source: "git_host" | "external_container";
  repoUrl: string;
  ref: string;
  buildOnPush: boolean;
  installCommand: string | undefined;
  image: string;
  cpu: number | undefined;
  memoryMb: number | undefined;
  /** An annotation of its size. */
  owner: string | undefined;
  customUrl: string | undefined;
  env: Record<string, string>;
  secrets: Record<string, string> | undefined;
  redeployOn: string | undefined;
  onFailure: "keep" | "rollback" | undefined;
  timeoutSeconds: number;
}

/** A first program: with a name or none, from git or an image. */
export function firstWish(random: Random, { logicalName }: { readonly logicalName: string }): Wish {
  const mark = random.chance(0.3) ? "secret-value-" : "";
  return {
    mark,
    name: random.chance(0.3) ? `name-of-${logicalName}` : undefined,
    adoptExisting: false,
    source: random.chance(0.5) ? "git_host" : "external_container",
    repoUrl: "https://git.example.com/acme/support.git",
    ref: random.pick([`refs/tags/${mark}v1`, `${mark}main`, `${mark}main`]),
    buildOnPush: false,
    installCommand: undefined,
    image: `registry.example.com/support:${mark}1`,
    cpu: random.chance(0.5) ? 2 : undefined,
    memoryMb: random.chance(0.5) ? 2048 : undefined,
    owner: random.chance(0.5) ? `${mark}0` : undefined,
    customUrl: undefined,
    env: { LEVEL: "0" },
    secrets: random.chance(0.5) ? { KEY: "secret-value-0" } : undefined,
    redeployOn: undefined,
    onFailure: random.chance(0.7) ? "rollback" : undefined,
    timeoutSeconds: random.pick([1800, 1800, 1800, 3]),
  };
}

type Change = readonly [name: string, make: () => unknown];

/** Changes one thing, to the value of this number: few numbers take changes back too. Says what. */
export function changeWish(
  wish: Wish,
  random: Random,
  number: number,
  keepsIdentity: boolean,
): string {
  const { mark } = wish;
  const isGit = wish.source === "git_host";
  const changes: [Change, ...Change[]] = [
    ["a variable", () => (wish.env = { ...wish.env, LEVEL: String(number) })],
    ["another variable", () => (wish.env = { ...wish.env, [`EXTRA_${number}`]: "x" })],
    ["a secret", () => (wish.secrets = { ...wish.secrets, KEY: `secret-value-${number}` })],
    [
      "another secret",
      () => (wish.secrets = { ...wish.secrets, TOKEN: `secret-value-of-${number}` }),
    ],
    ["redeployOn", () => (wish.redeployOn = String(number))],
    ["the timeout", () => (wish.timeoutSeconds = random.pick([1800, 3]))],
    ...(isGit
      ? ([
          [
            "the tag",
            () => Object.assign(wish, { ref: `refs/tags/${mark}v${number}`, buildOnPush: false }),
          ],
          ["a branch", () => (wish.ref = `${mark}branch-${number}`)],
          ["the install command", () => (wish.installCommand = `npm ci --tag=${mark}${number}`)],
          ...(keepsIdentity
            ? []
            : ([
                ["the repository", () => (wish.repoUrl = `https://git.example.com/${number}.git`)],
              ] as const)),
          ["buildOnPush", () => (wish.buildOnPush = !wish.buildOnPush && !isTag(wish.ref))],
        ] as const)
      : ([
          ["the image", () => (wish.image = `registry.example.com/support:${mark}${number}`)],
          ["the CPUs", () => (wish.cpu = 1 + number)],
          ["the memory", () => (wish.memoryMb = 1024 * (1 + number))],
          ["the owner", () => (wish.owner = `${mark}${number}`)],
          ["the custom URL", () => (wish.customUrl = `https://${mark}${number}.example.com`)],
        ] as const)),
  ];
  const [name, change] = random.pick(changes);
  change();
  return name;
}

/** Whether nobody pushes to a ref. */
export function isTag(ref: string): boolean {
  return ref.startsWith("refs/tags/");
}

/** The arguments of the resource. */
export function argumentsOf(wish: Wish, integrationId: string) {
  const { name, source, env, secrets, redeployOn, timeoutSeconds } = wish;
  const git = {
    sourceConfig: {
      integrationId,
      repoUrl: wish.repoUrl,
      deploymentType: "dev",
      ...(wish.buildOnPush && { buildOnPush: true }),
      ...(wish.installCommand !== undefined && { installCommand: wish.installCommand }),
    },
    sourceRevisionConfig: { repoRef: wish.ref, graphConfigPath: "langgraph.json" },
  };
  const image = {
    sourceConfig: {
      resourceSpec: {
        ...(wish.cpu !== undefined && { cpu: wish.cpu }),
        ...(wish.memoryMb !== undefined && { memoryMb: wish.memoryMb }),
        ...(wish.owner !== undefined && { annotations: { owner: wish.owner } }),
      },
      ...(wish.customUrl !== undefined && { customUrl: wish.customUrl }),
    },
    sourceRevisionConfig: { imageUri: wish.image },
  };
  return {
    ...(name !== undefined && { name }),
    ...(wish.adoptExisting && { adoptExisting: true }),
    source,
    ...(source === "git_host" ? git : image),
    env,
    ...(secrets && { secrets }),
    ...(redeployOn !== undefined && { redeployOn }),
    ...(wish.onFailure !== undefined && isStill(wish) && { onFailure: wish.onFailure }),
    wait: { timeoutSeconds },
  };
}

/** The part of a wish that a deployment shows. */
export type Wished = Pick<
  Wish,
  | "source"
  | "repoUrl"
  | "ref"
  | "buildOnPush"
  | "installCommand"
  | "image"
  | "cpu"
  | "memoryMb"
  | "owner"
  | "customUrl"
  | "env"
  | "secrets"
>;

const Variables = z.record(z.string(), z.string());
const Inputs = z.object({
  source: z.enum(["git_host", "external_container"]),
  sourceConfig: z.object({
    repoUrl: z.string().default(""),
    buildOnPush: z.boolean().default(false),
    installCommand: z.string().optional(),
    resourceSpec: z
      .object({
        cpu: z.number(),
        memoryMb: z.number(),
        annotations: z.object({ owner: z.string().optional() }),
      })
      .partial()
      .default({}),
    customUrl: z.string().optional(),
  }),
  sourceRevisionConfig: z.object({
    repoRef: z.string().default(""),
    imageUri: z.string().default(""),
  }),
  env: Variables.default({}),
  secrets: Variables.optional(),
});

/** The same of inputs or outputs, which have null for what is not declared. */
export function wishIn(props: Readonly<Record<string, unknown>>): Wished {
  const { sourceConfig, sourceRevisionConfig, source, env, secrets } = Inputs.parse(
    withoutNulls(withoutSecretForm(props)),
  );
  const { repoUrl, buildOnPush, installCommand, resourceSpec, customUrl } = sourceConfig;
  const { repoRef: ref, imageUri: image } = sourceRevisionConfig;
  return {
    source,
    env,
    secrets,
    repoUrl,
    buildOnPush,
    installCommand,
    ref,
    image,
    cpu: resourceSpec.cpu,
    memoryMb: resourceSpec.memoryMb,
    owner: resourceSpec.annotations?.owner,
    customUrl,
  };
}

function withoutNulls(props: unknown): unknown {
  return JSON.parse(JSON.stringify(props, (_, value: unknown) => value ?? undefined));
}

/** Whether no push creates a revision: only then may a program declare a rollback. */
function isStill({ source, buildOnPush }: Wish): boolean {
  return source === "external_container" || !buildOnPush;
}

/** Whether the program declares a rollback. */
export function rollsBack(wish: Wish): boolean {
  return wish.onFailure === "rollback" && isStill(wish);
}

/** The path of the annotation. */
export const OWNER = "sourceConfig.resourceSpec.annotations.owner";

/** What a program may make secret. */
export const SECRETS = [
  "sourceRevisionConfig.imageUri",
  "sourceRevisionConfig.repoRef",
  "sourceConfig.installCommand",
  "sourceConfig.customUrl",
  OWNER,
];

/** Paths of what the program may ignore: what it declares. */
export function ignorableIn({ source, owner, secrets, env }: Wish): string[] {
  return [
    ...Object.keys(env).map((name) => `env.${name}`),
    ...Object.keys(secrets ?? {}).map((name) => `secrets.${name}`),
    ...(source === "git_host"
      ? ["sourceRevisionConfig.repoRef"]
      : ["sourceRevisionConfig.imageUri"]),
    ...(source === "git_host" || owner === undefined ? [] : [OWNER]),
    "env",
  ];
}
