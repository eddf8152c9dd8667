import type { Assistant } from "../../sdk/schema/assistant-responses";
import type { Cron } from "../../sdk/schema/cron";
import type { StoredDeployment } from "../store";
import type { AgentReader } from "./agent-reader";
import type { PageParts } from "./parts";
import { Age, type Columns, ColumnTable, Empty, Moment, ShortId } from "./pieces";
import { agentView, ListHeading, type View } from "./agent-view";
import { Metadata } from "./thread-table";
import { plain } from "./words";

/** Of more the newest are shown. */
const MOST = 200;

/** What one deployment's agent server keeps, newest first; `notFound` is the title where it keeps none. */
interface AgentList<Item> {
  readonly title: string;
  readonly notFound: string;
  readonly read: (
    agent: AgentReader,
    query: { readonly limit: number },
  ) => Promise<readonly Item[]>;
  readonly columns: (path: string) => Columns<Item>;
}

/** The assistants of one deployment. */
export const assistantsPage = agentListPage<Assistant>({
  title: "Assistants",
  notFound: "The agent server has no assistants.",
  read: (agent, query) => agent.assistants(query),
  columns: (path) => ({
    Assistant: ({ assistant_id: id, name }) => (
      <a href={`${path}/${encodeURIComponent(id)}`} title={plain(id)}>
        {plain(name)}
      </a>
    ),
    Graph: ({ graph_id }) => plain(graph_id),
    Version: ({ version }) => version,
    Metadata: ({ metadata }) => <Metadata metadata={metadata} />,
    Updated: ({ updated_at }) => <Age at={updated_at} now={Date.now()} />,
  }),
});

/** What the page shows of a cron. */
export const CRON_COLUMNS: Columns<Cron> = {
  Schedule: ({ cron_id, schedule }) => <span title={plain(cron_id)}>{plain(schedule)}</span>,
  "Time zone": ({ timezone }) => plain(timezone),
  Assistant: ({ assistant_id }) => <ShortId id={assistant_id} />,
  Metadata: ({ metadata }) => <Metadata metadata={metadata} />,
  "Fires next": (cron) => (cron.enabled ? <Moment at={cron.next_run_date ?? ""} /> : "disabled"),
};

/** The crons of one deployment. */
export const cronsPage = agentListPage<Cron>({
  title: "Crons",
  notFound: "The agent server keeps no crons.",
  read: (agent, query) => agent.crons(query),
  columns: () => CRON_COLUMNS,
});

function agentListPage<Item>({ title, notFound, read, columns }: AgentList<Item>) {
  return async (parts: PageParts, deployment: StoredDeployment, start: boolean): Promise<View> => {
    const path = `/deployments/${deployment.id}/${title.toLowerCase()}`;
    const request = { start, path, notFound };
    const { content, status } = await agentView(parts, deployment, request, async (agent) => {
      const items = await read(agent, { limit: MOST });
      if (items.length === 0) return <Empty title={`No ${title.toLowerCase()}.`} />;
      return <ColumnTable label={title} columns={columns(path)} items={items} />;
    });
    const heading = <ListHeading title={title} deployment={deployment} />;
    return { content: [heading, content], status };
  };
}
