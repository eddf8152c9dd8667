import type { Child, FC } from "hono/jsx";
import type { ServerStatus } from "../drivers/driver";
import type { StoredDeployment, StoredRevision } from "../store";
import { NextCommands } from "./commands";
import { ServerState } from "./deployments";
import { Live } from "./layout";
import { LogView, type LogQuery } from "./log";
import type { PageParts } from "./parts";
import { Age, Badge, Copyable, link } from "./pieces";
import { Revisions } from "./revisions";
import { deploymentLabel, plain } from "./words";

/** The query of the page of one deployment. */
export interface DeploymentQuery {
  readonly allRevisions: boolean;
  readonly log: LogQuery;
}

/** One deployment: facts, revisions, logs. */
export async function deploymentPage(
  parts: PageParts,
  deployment: StoredDeployment,
  query: DeploymentQuery,
) {
  const { id } = deployment;
  const stream = link(`/live/deployments/${id}`, {
    revisions: query.allRevisions ? "all" : undefined,
    revision: query.log.revisionId,
  });
  return (
    <div class="deployment">
      <Live id="deployment" stream={stream}>
        {await deploymentState(parts, id, query)}
      </Live>
      <LogView parts={parts} deployment={deployment} query={query.log} />
    </div>
  );
}

/** The live part of the page. */
export async function deploymentState(parts: PageParts, id: string, query: DeploymentQuery) {
  const deployment = parts.store.deployments.get(id);
  const latest = deployment && parts.store.revisions.get(deployment.latest_revision_id);
  if (!deployment || !latest)
    return (
      <div class="heading">
        <h1>This deployment is deleted</h1>
        <p>
          <a href="/">All deployments</a>
        </p>
      </div>
    );
  const server = (await parts.driver.servers([id])).get(id);
  return (
    <>
      <div class="heading">
        <h1>
          <bdi>{deployment.name}</bdi>
        </h1>
        <Badge
          label={deploymentLabel(deployment.status, deployment.active_revision_id)}
          title={deployment.status}
        />
      </div>
      {server?.reason && (
        <p class="problem" role="alert">
          {plain(server.reason)}
        </p>
      )}
      <Revisions
        parts={parts}
        deployment={deployment}
        all={query.allRevisions}
        shownLog={query.log.revisionId}
      />
      <div class="aside">
        <Facts deployment={deployment} latest={latest} server={server} now={parts.clock.now()} />
        <NextCommands deployment={deployment} latest={latest} />
      </div>
    </>
  );
}

const Facts: FC<{
  deployment: StoredDeployment;
  latest: StoredRevision;
  server: ServerStatus | undefined;
  now: number;
}> = ({ deployment, latest, server, now }) => {
  const { repo_url } = deployment.source_config;
  const { repo_ref, graph_config_path, image_uri } = latest.source_revision_config;
  const names = deployment.secrets.map(({ name }) => name).toSorted();
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
        {deployment.active_revision_id !== null && (
          <Fact name="On its server">
            <a href={`/deployments/${deployment.id}/threads`}>Read its threads</a> and{" "}
            <a href={`/deployments/${deployment.id}/assistants`}>its assistants</a>
          </Fact>
        )}
        {repo_url && (
          <Fact name="Repository">
            <bdi>{plain(repo_url)}</bdi>
          </Fact>
        )}
        {repo_ref && (
          <Fact name="Ref">
            <bdi>{plain(repo_ref)}</bdi>
          </Fact>
        )}
        {graph_config_path && (
          <Fact name="Graph configuration">
            <bdi>{plain(graph_config_path)}</bdi>
          </Fact>
        )}
        {image_uri && (
          <Fact name="Image">
            <bdi>{plain(image_uri)}</bdi>
          </Fact>
        )}
        <Fact name="Variables">
          {names.length === 0 && <span class="none">none</span>}
          {names.length > 0 && (
            <ul class="names">
              {names.map((name) => (
                <li>
                  <code>{plain(name)}</code>
                </li>
              ))}
            </ul>
          )}
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

const Fact: FC<{ name: string; children?: Child }> = ({ name, children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
