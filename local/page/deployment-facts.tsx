import type { Child, FC } from "hono/jsx";
import { hasEnded } from "../rollout/machine";
import type { ServerStatus } from "../drivers/driver";
import type { Resource, StoredDeployment, StoredRevision } from "../store";
import { ServerState } from "./deployments";
import { Age, Breakable, Copyable, ShortId } from "./pieces";
import { plain, revisionLabel, shortCommit, shortImage } from "./words";

/** The revision that serves, and the newest one beside it where that is another. */
interface Serving {
  readonly active: StoredRevision | undefined;
  readonly latest: StoredRevision;
}

/** The same in a line, beside the heading. */
export const Served: FC<Serving> = ({ active, latest }) => (
  <p class="served">
    {active ? (
      <>
        Revision <ShortId id={active.id} /> serves
      </>
    ) : (
      "Nothing serves yet"
    )}
    {active && active.id !== latest.id && (
      <>
        , <ShortId id={latest.id} /> is newer: {revisionLabel(latest.status).text.toLowerCase()}
      </>
    )}
  </p>
);

/** Facts of a deployment. Those of a revision are of the one that serves. */
export const Facts: FC<
  Serving & {
    deployment: StoredDeployment;
    /** Where a provider has named it. */
    resource: Resource | undefined;
    server: ServerStatus | undefined;
    now: number;
  }
> = ({ deployment, resource, active, latest, server, now }) => {
  const { repo_url } = deployment.source_config;
  const variables = (active ?? latest).secrets.map(({ name }) => name).toSorted();
  return (
    <section aria-labelledby="facts-title">
      <h2 id="facts-title">Deployment</h2>
      <dl class="facts">
        <Fact name="URL">
          <Copyable text={deployment.url} what="the URL" />
        </Fact>
        <Fact name="Agent server">
          <ServerState server={server} />
        </Fact>
        {active && (
          <Fact name="On its server">
            <a href={`/deployments/${deployment.id}/threads`}>Read its threads</a>,{" "}
            <a href={`/deployments/${deployment.id}/assistants`}>its assistants</a> and{" "}
            <a href={`/deployments/${deployment.id}/crons`}>its crons</a>
          </Fact>
        )}
        {resource && (
          <Fact name="Pulumi resource">
            <bdi>{plain(resource.name)}</bdi>{" "}
            <small>
              in <bdi>{plain(resource.project)}</bdi>, stack <bdi>{plain(resource.stack)}</bdi>
            </small>
          </Fact>
        )}
        {repo_url && (
          <Fact name="Repository">
            <bdi>
              <Breakable text={plain(repo_url)} />
            </bdi>
          </Fact>
        )}
        {REVISION_FACTS.map(([name, read]) => (
          <RevisionFact name={name} read={read} active={active} latest={latest} />
        ))}
        <Fact name="Variables">
          <Names names={variables} />
        </Fact>
        <Fact name="Created">
          <Age at={deployment.created_at} now={now} />
        </Fact>
        <Fact name="Id">
          <code>{deployment.id}</code>
        </Fact>
      </dl>
    </section>
  );
};

type ReadFact = (revision: StoredRevision) => { short: string; whole: string } | undefined;

const REVISION_FACTS: readonly (readonly [name: string, read: ReadFact])[] = [
  ["Ref", ({ source_revision_config: { repo_ref } }) => whole(repo_ref)],
  [
    "Commit",
    ({ source_revision_config: { repo_commit_sha } }) => whole(repo_commit_sha, shortCommit),
  ],
  ["Graph configuration", ({ source_revision_config: made }) => whole(made.graph_config_path)],
  ["Image", ({ source_revision_config: { image_uri } }) => whole(image_uri, shortImage)],
];

function whole(value: string | null | undefined, shorten = (text: string) => text) {
  return value ? { short: plain(shorten(value)), whole: plain(value) } : undefined;
}

const RevisionFact: FC<Serving & { name: string; read: ReadFact }> = ({
  name,
  read,
  active,
  latest,
}) => {
  const serving = active && read(active);
  const newest = read(latest);
  const shown = serving ?? newest;
  if (!shown) return null;
  const isNew = active && newest && newest.whole !== serving?.whole;
  return (
    <Fact name={name}>
      <bdi title={shown.whole}>
        <Breakable text={shown.short} />
      </bdi>
      {isNew && (
        <small class="newer">
          {hasEnded(latest.status) ? "newest revision" : "rolling out"}:{" "}
          <bdi title={newest.whole}>{newest.short}</bdi>
        </small>
      )}
    </Fact>
  );
};

const Names: FC<{ names: readonly string[] }> = ({ names }) =>
  names.length === 0 ? (
    <span class="none">none</span>
  ) : (
    <ul class="names">
      {names.map((name) => (
        <li>
          <code>{plain(name)}</code>
        </li>
      ))}
    </ul>
  );

export const Fact: FC<{ name: string; children?: Child }> = ({ name, children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
