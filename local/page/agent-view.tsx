import { setTimeout as sleep } from "node:timers/promises";
import type { Child, FC } from "hono/jsx";
import { messageOf } from "../../shared/errors";
import { ServerUnavailable } from "../drivers/driver";
import type { StoredDeployment } from "../store";
import { AgentError, AgentReader } from "./agent-reader";
import type { Watch } from "./live";
import type { PageParts } from "./parts";
import { Empty, link } from "./pieces";
import { plain } from "./words";

const START_LIMIT_MS = 30_000;

/** Content of a page, with the status of its response. */
export interface View {
  readonly content: Child;
  readonly status: 200 | 400 | 404 | 502;
}

/** What is read of an agent server. */
export interface AgentRequest {
  /** Starts a stopped server; only if that was asked for. */
  readonly start: boolean;
  /** The page's own path, for the link that starts the server. */
  readonly path: string;
  /** The title of a 404: `There is no such thread.` */
  readonly notFound: string;
}

/** Shows what an agent server answers, or why it does not. */
export async function agentView(
  parts: PageParts,
  deployment: StoredDeployment,
  { start, path, notFound }: AgentRequest,
  show: (agent: AgentReader) => Promise<Child>,
): Promise<View> {
  const { id, active_revision_id } = deployment;
  if (active_revision_id === null)
    return { content: <Empty title="No revision of this deployment serves yet." />, status: 200 };
  const server = (await parts.driver.servers([id])).get(id);
  if (server?.state === "stopped" && !start)
    return { content: <Stopped path={path} />, status: 200 };
  try {
    return { content: await show(await openAgent(parts, deployment)), status: 200 };
  } catch (error) {
    const isMissing = error instanceof AgentError && error.status === 404;
    const answered = error instanceof AgentError && error.status !== undefined;
    const title = answered ? "The agent server refused." : "The agent server did not answer.";
    const content = (
      <Empty title={isMissing ? notFound : title}>
        <p class="problem">{plain(messageOf(error))}</p>
      </Empty>
    );
    return { content, status: isMissing ? 404 : 502 };
  }
}

/** A reader of a deployment's agent server. Starts it when it is stopped. */
export async function openAgent({ driver }: PageParts, { id, secrets }: StoredDeployment) {
  const late = sleep(START_LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new ServerUnavailable("it is still starting; reload this page");
  });
  return new AgentReader(await Promise.race([driver.origin(id), late]), secrets);
}

/** The heading of a list of what one deployment's agent server has, with what stands beside it. */
export const ListHeading: FC<{
  title: string;
  deployment: StoredDeployment;
  children?: Child;
}> = ({ title, deployment: { id, name }, children }) => (
  <div class="heading">
    <h1>
      {title}{" "}
      <small>
        of <a href={`/deployments/${id}`}>{name}</a>
      </small>
    </h1>
    {children}
  </div>
);

const BUSY_MS = 2000;
const QUIET_MS = 60_000;

/**
 * The changes of threads: they follow requests that the platform forwards. A run ends without one, and a cron job starts
 * without one. Each look writes lines into the agent's log, so there are no more than that.
 */
export function threadChanges(state: () => string, isBusy: () => boolean): Watch {
  return { state, idleMs: () => (isBusy() ? BUSY_MS : QUIET_MS) };
}

const Stopped = ({ path }: { path: string }) => (
  <Empty title="The agent server is stopped.">
    <p>
      It keeps its threads. <a href={link(path, { start: "yes" })}>Start it and read them</a>
    </p>
  </Empty>
);
