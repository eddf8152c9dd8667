import type { StoredDeployment } from "../store";
import type { PageParts } from "./parts";
import { Empty, ListTable, ShortId } from "./pieces";
import { agentView, ListHeading, type View } from "./agent-view";
import { Metadata } from "./thread-table";
import { plain } from "./words";

/** Of more crons the newest are shown. */
const MOST = 200;

/** The crons of one deployment, newest first. */
export async function cronsPage(
  parts: PageParts,
  deployment: StoredDeployment,
  start: boolean,
): Promise<View> {
  const path = `/deployments/${deployment.id}/crons`;
  const request = { start, path, notFound: "The agent server keeps no crons." };
  const { content, status } = await agentView(parts, deployment, request, async (agent) => {
    const crons = await agent.crons({ limit: MOST });
    if (crons.length === 0) return <Empty title="No crons." />;
    const titles = ["Schedule", "Time zone", "Assistant", "Metadata", "Fires next"];
    return (
      <ListTable label="Crons" titles={titles}>
        {crons.map((cron) => (
          <tr role="row">
            <td role="cell" class="name" title={plain(cron.cron_id)}>
              {plain(cron.schedule)}
            </td>
            <td role="cell" data-label="Time zone">
              {plain(cron.timezone)}
            </td>
            <td role="cell" data-label="Assistant">
              <ShortId id={cron.assistant_id} />
            </td>
            <td role="cell" data-label="Metadata">
              <Metadata metadata={cron.metadata} />
            </td>
            <td role="cell" data-label="Fires next">
              {cron.enabled ? plain(cron.next_run_date ?? "") : "disabled"}
            </td>
          </tr>
        ))}
      </ListTable>
    );
  });
  const page = (
    <>
      <ListHeading title="Crons" deployment={deployment} />
      {content}
    </>
  );
  return { content: page, status };
}
