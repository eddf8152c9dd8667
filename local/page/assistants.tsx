import type { StoredDeployment } from "../store";
import type { PageParts } from "./parts";
import { Age, Empty, ListTable } from "./pieces";
import { agentView, ListHeading, type View } from "./agent-view";
import { Metadata } from "./thread-table";
import { plain } from "./words";

/** Of more assistants the newest are shown. */
const MOST = 200;

/** The assistants of one deployment, newest first. */
export async function assistantsPage(
  parts: PageParts,
  deployment: StoredDeployment,
  start: boolean,
): Promise<View> {
  const path = `/deployments/${deployment.id}/assistants`;
  const request = { start, path, notFound: "The agent server has no assistants." };
  const { content, status } = await agentView(parts, deployment, request, async (agent) => {
    const assistants = await agent.assistants({ limit: MOST });
    if (assistants.length === 0) return <Empty title="No assistants." />;
    const titles = ["Assistant", "Graph", "Version", "Metadata", "Updated"];
    return (
      <ListTable label="Assistants" titles={titles}>
        {assistants.map(({ assistant_id: id, name, graph_id, version, metadata, updated_at }) => (
          <tr role="row">
            <td role="cell" class="name">
              <a href={`${path}/${encodeURIComponent(id)}`} title={plain(id)}>
                {plain(name)}
              </a>
            </td>
            <td role="cell" data-label="Graph">
              {plain(graph_id)}
            </td>
            <td role="cell" data-label="Version">
              {version}
            </td>
            <td role="cell" data-label="Metadata">
              <Metadata metadata={metadata} />
            </td>
            <td role="cell" data-label="Updated">
              <Age at={updated_at} now={Date.now()} />
            </td>
          </tr>
        ))}
      </ListTable>
    );
  });
  const page = (
    <>
      <ListHeading title="Assistants" deployment={deployment} />
      {content}
    </>
  );
  return { content: page, status };
}
