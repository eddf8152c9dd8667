import { Database } from "../sqlite/database";
import { Deployments } from "./deployments";
import { Integrations } from "./integrations";
import { LeftoverNames } from "./leftover-names";
import { LogLines } from "./log-lines";
import { Listeners } from "./listeners";
import { OAuthProviders } from "./oauth-providers";
import { OAuthTokens } from "./oauth-tokens";
import { Overview } from "./overview";
import { PlatformRow } from "./platform";
import { Revisions } from "./revisions";
import { Resources } from "./resources";
import { SCHEMA } from "./schema";
import { SeenBranches } from "./seen-branches";
import { Tags } from "./tags";
import { Workspaces } from "./workspaces";

/** The platform's data, a member per noun; each write is durable when it returns. */
export class Store {
  readonly platform: PlatformRow;
  readonly workspaces: Workspaces;
  readonly integrations: Integrations;
  readonly listeners: Listeners;
  readonly oauthProviders: OAuthProviders;
  readonly oauthTokens: OAuthTokens;
  readonly deployments: Deployments;
  readonly revisions: Revisions;
  readonly resources: Resources;
  readonly seenBranches: SeenBranches;
  readonly tags: Tags;
  readonly leftoverNames: LeftoverNames;
  readonly logLines: LogLines;
  readonly overview: Overview;
  readonly #database: Database;

  /** Opens the file and holds it until `close()`; throws as `Database` does. */
  constructor(path: string) {
    this.#database = new Database(path, { access: "exclusive", schema: SCHEMA });
    this.platform = new PlatformRow(this.#database);
    this.workspaces = new Workspaces(this.#database);
    this.integrations = new Integrations(this.#database);
    this.listeners = new Listeners(this.#database);
    this.oauthProviders = new OAuthProviders(this.#database);
    this.oauthTokens = new OAuthTokens(this.#database);
    this.deployments = new Deployments(this.#database);
    this.revisions = new Revisions(this.#database);
    this.resources = new Resources(this.#database);
    this.seenBranches = new SeenBranches(this.#database);
    this.tags = new Tags(this.#database);
    this.leftoverNames = new LeftoverNames(this.#database);
    this.logLines = new LogLines(this.#database);
    this.overview = new Overview(this.#database);
  }

  /** Stores everything that `work` writes or, if it throws, nothing. */
  transaction<Result>(work: () => Result): Result {
    return this.#database.transaction(work);
  }

  /** Number of rows written since the start: the same number means that nothing has changed. */
  get writes(): number {
    return this.#database.writes;
  }

  close(): void {
    this.#database.close();
  }
}

export type { StoredDeployment } from "./deployments";
export type {
  LinePlace,
  LogFilter,
  LogLine,
  LogLines,
  LogName,
  PlacedLine,
  StoredLine,
} from "./log-lines";
export type { OverviewFilter, OverviewRow } from "./overview";
export type { StoredProvider } from "./oauth-providers";
export type { StoredToken } from "./oauth-tokens";
export type { Resource } from "./resources";
export type { NewRevision, StatusChange, StoredRevision } from "./revisions";
export type { Workspace } from "./workspaces";
