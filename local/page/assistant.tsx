import type { FC } from "hono/jsx";
import type { AssistantVersion } from "../../sdk/schema/assistant-responses";
import { changesBetween } from "../../shared/changes";
import type { StoredDeployment } from "../store";
import { Json } from "./messages";
import type { PageParts } from "./parts";
import { Age } from "./pieces";
import { withAgent } from "./threads";
import { plain, shortId } from "./words";

/** Of more versions the newest are shown. */
const MOST = 50;

/** An assistant. */
export interface AssistantQuery {
  readonly assistantId: string;
  readonly start: boolean;
}

/** One assistant: its versions, newest first, and what each has changed. */
export async function assistantPage(
  parts: PageParts,
  deployment: StoredDeployment,
  { assistantId, start }: AssistantQuery,
) {
  const assistants = `/deployments/${deployment.id}/assistants`;
  const path = `${assistants}/${encodeURIComponent(assistantId)}`;
  return (
    <>
      <div class="heading">
        <h1>
          Assistant <bdi>{plain(shortId(assistantId))}</bdi>{" "}
          <small>
            of <a href={assistants}>{deployment.name}</a>
          </small>
        </h1>
      </div>
      {await withAgent(parts, deployment, start, path, async (agent) => {
        const versions = await agent.versions(assistantId, MOST + 1);
        return versions
          .slice(0, MOST)
          .map((version, at) => <Version version={version} before={versions[at + 1]} />);
      })}
    </>
  );
}

const Version: FC<{ version: AssistantVersion; before: AssistantVersion | undefined }> = ({
  version,
  before,
}) => {
  const changes = before && changesBetween(valuesOf(before), valuesOf(version));
  return (
    <section>
      <h2>
        Version {version.version}{" "}
        <small>
          <Age at={version.created_at} now={Date.now()} />
        </small>
      </h2>
      {changes?.length === 0 && <p>The same values as before.</p>}
      {changes === undefined ? (
        <Json value={valuesOf(version)} />
      ) : (
        changes.map(({ path, before: old, after }) => (
          <div>
            <h3>
              <code>{plain(path)}</code>
            </h3>
            <Json value={{ before: old ?? null, after: after ?? null }} />
          </div>
        ))
      )}
    </section>
  );
};

function valuesOf({ graph_id, name, description, config, context, metadata }: AssistantVersion) {
  return { graph_id, name, description, config, context, metadata };
}
