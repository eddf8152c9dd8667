import type { StoredDeployment } from "../store";
import { openAgent } from "./agent-view";
import { NextCommands } from "./commands";
import { Facts, Served } from "./deployment-facts";
import { Failure } from "./failure";
import { Live } from "./layout";
import { LogView, type LogQuery } from "./log";
import type { PageParts } from "./parts";
import { Badge, link } from "./pieces";
import { Revisions } from "./revisions";
import { graphOf } from "./runs";
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
  const { active_revision_id: activeId, status } = deployment;
  const active = activeId === null ? undefined : parts.store.revisions.get(activeId);
  const resource = parts.store.resources.get(id);
  const server = (await parts.driver.servers([id])).get(id);
  const graph =
    server?.state === "running"
      ? await graphOf(parts, deployment, () => openAgent(parts, deployment))
      : undefined;
  return (
    <>
      <div class="heading">
        <h1>
          <bdi>{deployment.name}</bdi>
        </h1>
        <Badge label={deploymentLabel(status, activeId, latest.status)} title={status} />
        <Served active={active} latest={latest} />
      </div>
      <Failure store={parts.store} revision={latest} isServed={active !== undefined} />
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
        <Facts {...{ deployment, resource, active, latest, server }} now={parts.clock.now()} />
        <NextCommands facts={parts.facts} {...{ deployment, latest, graph }} />
      </div>
    </>
  );
}
