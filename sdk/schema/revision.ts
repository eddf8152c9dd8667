import { z } from "zod";

/** The configuration of a revision (contract, "SourceRevisionConfig"); every member may be absent or null. */
export const SourceRevisionConfig = z.object({
  repo_ref: z.string().nullish(),
  graph_config_path: z.string().nullish(),
  image_uri: z.string().nullish(),
  repo_commit_sha: z.string().nullish(),
});
export type SourceRevisionConfig = z.infer<typeof SourceRevisionConfig>;

/** A path inside the repository. None is refused where a source requires one. */
const GraphConfigPath = z
  .string()
  .refine(
    (path) => !path.startsWith("/") && !path.split("/").includes(".."),
    "must be a path inside the repository such as langgraph.json: relative, and without '..'",
  );

/** The id of a git commit in full, in SHA-1 or SHA-256. */
export const CommitSha = z
  .string()
  .regex(
    /^([0-9a-f]{40}|[0-9a-f]{64})$/,
    "must be the id of a commit in full, 40 hexadecimal digits",
  );

/** Not a URL: Kubernetes and container runtimes take no scheme in front of the registry. */
const ImageUri = z
  .string()
  .refine(
    (uri) => !/\s|^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(uri),
    "must be a container image such as registry.example.com/acme/support:1.4, without blanks and without https://",
  );

/**
 * The configuration of a revision in a request (contract, "SourceRevisionConfig"); every member may be absent or null, and
 * the commit is read-only. A response is not validated.
 */
export const SourceRevisionConfigRequest = SourceRevisionConfig.omit({
  repo_commit_sha: true,
}).extend({
  graph_config_path: GraphConfigPath.nullish(),
  image_uri: ImageUri.nullish(),
});

/**
 * A revision as the control plane returns it. The contract can be read as "the fields of SourceRevisionConfig at the top";
 * the public service nests them: both are read. Everything but `id` may be absent.
 */
export const Revision = SourceRevisionConfig.extend({
  id: z.string().min(1),
  status: z.string().default(""),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
  source: z.string().nullish(),
  source_revision_config: SourceRevisionConfig.nullish(),
  status_message: z.string().nullish(),
});
export type Revision = z.infer<typeof Revision>;

/** Revisions of a deployment, newest first. `offset` is not shown in the contract; the public service sends it. */
export const RevisionsList = z.object({ resources: z.array(Revision), offset: z.int().nullish() });
export type RevisionsList = z.infer<typeof RevisionsList>;

/** The id of one of a revision's logs: not in the contract, offered by newer versions of the service. */
export const LogType = z.enum(["build", "deploy"]);
export type LogType = z.infer<typeof LogType>;

/** One line of a log; `timestamp` is an ISO 8601 string or milliseconds since 1970. */
export const LogLine = z.object({
  timestamp: z.union([z.string(), z.number()]).nullish(),
  level: z.string().nullish(),
  message: z.string(),
});
export type LogLine = z.infer<typeof LogLine>;

/** A page of a log; `next_offset` is an opaque string, null on the last page. */
export const LogPage = z.object({ logs: z.array(LogLine), next_offset: z.string().nullish() });
export type LogPage = z.infer<typeof LogPage>;
