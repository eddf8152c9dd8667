import { z } from "zod";
import { DEPLOYMENT_TYPES, dialectOf } from "../../../sdk/dialect";
import {
  DeploymentName,
  Source,
  SourceConfigRequest,
  UpdateDeployment,
} from "../../../sdk/schema/deployment";
import {
  CommitSha,
  type SourceRevisionConfig,
  SourceRevisionConfigRequest,
} from "../../../sdk/schema/revision";
import {
  type IMMUTABLE_FIELDS,
  PREREQUISITES,
  REQUIRED_FIELDS,
  SOURCES_OF_FIELD,
} from "../../../sdk/schema/source-rules";
import { ApiKey } from "../../arguments/api-key";
import type { Argument } from "../../arguments/argument";
import type { ValuesOf } from "../../arguments/argument";
import { defineArguments } from "../../arguments/arguments";
import { camelSchema } from "../../arguments/camel-schema";
import { type Camel, camelPath, type CamelPath } from "../../arguments/casing";
import { caseless, image, ref, repository, repositoryPath, url } from "../../arguments/forms";
import { hasUnknown } from "../../arguments/props";
import { Unknown } from "../../arguments/decode";
import { DeclaredRun, GATE_LIMITS } from "../../gate/gate";
import { variablesIn } from "./environment";
import { referencesIn } from "./references";
import { specIn } from "./resource-spec";
import { smokeCheckIn } from "./smoke-check";
import { mapMembers } from "../../../shared/records";

const IN_CONTRACT = dialectOf("agentserver");
const wire = { ...SourceConfigRequest.shape, ...SourceRevisionConfigRequest.shape };
const Seconds = z.number().positive();

const INSTALL_COMMANDS =
  "`npm ci` with a package-lock.json, `yarn install`, `pnpm i --frozen-lockfile` or `bun i` with the lock file of these, else `npm i`";

export const REPO_REF = "sourceRevisionConfig.repoRef";
/** The commit that a revision must have; the service alone sets it. */
export const COMMIT = "sourceRevisionConfig.repoCommitSha";

const TABLE = {
  name: { schema: DeploymentName.optional(), effect: "replace" },
  displayName: {
    schema: UpdateDeployment.shape.display_name,
    effect: "settings",
    extended: "any",
    insteadOfRemoving: "set another name",
  },
  source: { schema: Source, effect: "replace" },
  "sourceConfig.integrationId": { schema: wire.integration_id, form: caseless, effect: "replace" },
  "sourceConfig.repoUrl": { schema: wire.repo_url, form: repository, effect: "replace" },
  "sourceConfig.deploymentType": {
    schema: wire.deployment_type,
    effect: "replace",
    extended: DEPLOYMENT_TYPES.filter((type) => !IN_CONTRACT.deploymentTypes.includes(type)),
  },
  "sourceConfig.listenerId": { schema: wire.listener_id, form: caseless, effect: "replace" },
  "sourceConfig.listenerConfig.k8sNamespace": {
    schema: wire.listener_config.unwrap().unwrap().shape.k8s_namespace,
    effect: "replace",
  },
  "sourceConfig.listenerConfig": {
    schema: camelSchema(wire.listener_config),
    effect: "none",
  },
  [REPO_REF]: { schema: wire.repo_ref, form: ref, effect: "revision" },
  // Never sent: a revision of another commit is refused.
  [COMMIT]: { schema: CommitSha.nullish(), effect: "revision", sources: ["git_host"] },
  "sourceRevisionConfig.graphConfigPath": {
    schema: wire.graph_config_path,
    form: repositoryPath,
    effect: "revision",
  },
  "sourceRevisionConfig.imageUri": { schema: wire.image_uri, form: image, effect: "revision" },
  "sourceConfig.installCommand": {
    schema: wire.install_command,
    effect: "revision",
    insteadOfRemoving: `set the command that is detected without it: ${INSTALL_COMMANDS}`,
  },
  "sourceConfig.buildCommand": {
    schema: wire.build_command,
    effect: "revision",
    insteadOfRemoving: "set a command that does nothing: `true`",
  },
  "sourceConfig.resourceSpec": {
    schema: camelSchema(wire.resource_spec),
    decode: specIn,
    effect: "revision",
  },
  "sourceConfig.buildOnPush": {
    schema: wire.build_on_push,
    // Left out it is false.
    decode: (value: unknown): boolean => value === true,
    effect: "settings",
    serviceDefault: false,
  },
  "sourceConfig.customUrl": {
    schema: wire.custom_url,
    form: url,
    effect: "settings",
    insteadOfRemoving: "set another URL",
  },
  // Variables have checks of their own: no problem may repeat a value of them.
  env: { schema: z.unknown().optional(), decode: variablesIn, effect: "revision" },
  secrets: { schema: z.unknown().optional(), decode: variablesIn, effect: "revision" },
  secretReferences: {
    schema: camelSchema(UpdateDeployment.shape.secret_references),
    decode: referencesIn,
    effect: "revision",
    extended: "any",
  },
  redeployOn: {
    schema: z.unknown().optional(),
    decode: (value: unknown): unknown => (hasUnknown(value) ? Unknown : value),
    effect: "revision",
  },
  wait: {
    schema: z
      .object({
        until: z.enum(["active", "deployed", "none"]).nullish(),
        timeoutSeconds: Seconds.nullish(),
      })
      .optional(),
    effect: "none",
  },
  onFailure: { schema: z.enum(["keep", "rollback"]).optional(), effect: "none" },
  smokeCheck: {
    schema: z
      .union([
        z.boolean(),
        z.object({
          apiKey: ApiKey.nullish(),
          graphId: z.string().nullish(),
          runs: z
            .array(DeclaredRun.extend({ assistantId: z.string().min(1).nullish() }))
            .min(1)
            .nullish(),
          ...GATE_LIMITS,
        }),
      ])
      .optional(),
    decode: smokeCheckIn,
    effect: "none",
  },
  adoptExisting: { schema: z.boolean().optional(), effect: "none" },
  protectThreads: { schema: z.boolean().optional(), effect: "none" },
} as const satisfies Readonly<
  Record<FieldPath | CamelPath<keyof typeof SOURCES_OF_FIELD>, Argument> &
    Record<
      CamelPath<(typeof IMMUTABLE_FIELDS)[number]>,
      Argument & { readonly effect: "replace" }
    > &
    Record<string, Argument>
>;

/** Every field of the wire's two configurations. */
type FieldPath =
  | `sourceConfig.${keyof Camel<SourceConfigRequest>}`
  | `sourceRevisionConfig.${keyof Camel<SourceRevisionConfig>}`;

/** The path of an argument, as users write it. */
export type ArgumentPath = keyof typeof TABLE;

/** The values of a deployment's arguments by path. */
export type ArgumentValues = ValuesOf<typeof TABLE>;

/** The arguments of a `Deployment`; the order is the one of messages. */
export const deploymentArguments = defineArguments(withSourceRules(TABLE));

/** The table with what the contract says of each field, which the local platform enforces by the same tables. */
function withSourceRules<Table extends Readonly<Record<string, Argument>>>(table: Table): Table;
function withSourceRules(table: Readonly<Record<string, Argument>>) {
  return mapMembers(table, (row, path) => ({ ...rulesOf(path), ...row }));
}

function rulesOf(path: string): Pick<Argument, "sources" | "requiredBy" | "needs"> {
  const isField = (field: string): boolean => camelPath(field.split(".")) === path;
  return {
    sources: Object.entries(SOURCES_OF_FIELD).find(([field]) => isField(field))?.[1],
    requiredBy: Object.entries(REQUIRED_FIELDS)
      .filter(([, fields]) => fields.some(isField))
      .map(([source]) => source),
    needs: Object.entries(PREREQUISITES)
      .filter(([field]) => isField(field))
      .map(([, needed]) => camelPath(needed.split(".")))[0],
  };
}

/** The commands of a build: members of `sourceConfig` that the service detects where they are not set, and never clears. */
export const COMMANDS = ["sourceConfig.installCommand", "sourceConfig.buildCommand"] as const;
