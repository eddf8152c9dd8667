import type { FC } from "hono/jsx";
import type { AssistantVersion } from "../../sdk/schema/assistant-responses";
import { changesBetween } from "../../shared/changes";
import { shorten } from "../../shared/shorten";
import type { StoredDeployment } from "../store";
import { Json } from "./json";
import type { PageParts } from "./parts";
import { Age, ShortId } from "./pieces";
import { agentView, type View } from "./agent-view";
import { plain } from "./words";

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
): Promise<View> {
  const assistants = `/deployments/${deployment.id}/assistants`;
  const path = `${assistants}/${encodeURIComponent(assistantId)}`;
  const request = { start, path, notFound: "There is no such assistant." };
  const { content, status } = await agentView(parts, deployment, request, async (agent) => {
    const versions = await agent.versions(assistantId, MOST + 1);
    const inUse = await agent.versionInUse(assistantId);
    const [newest] = versions;
    return (
      <>
        {newest && (
          <p class="hint">
            {plain(newest.name)}, of graph {plain(newest.graph_id)}
          </p>
        )}
        {versions.slice(0, MOST).map((version, at) => (
          <Version
            version={version}
            before={versions[at + 1]}
            isInUse={version.version === inUse}
          />
        ))}
      </>
    );
  });
  const page = (
    <>
      <div class="heading">
        <h1>
          Assistant <ShortId id={assistantId} />{" "}
          <small>
            of <a href={assistants}>{deployment.name}</a>
          </small>
        </h1>
      </div>
      {content}
    </>
  );
  return { content: page, status };
}

const Version: FC<{
  version: AssistantVersion;
  before: AssistantVersion | undefined;
  isInUse: boolean;
}> = ({ version, before, isInUse }) => {
  const changes = before && changesBetween(valuesOf(before), valuesOf(version));
  return (
    <section>
      <h2>
        Version {version.version}{" "}
        <small>
          <Age at={version.created_at} now={Date.now()} />
          {isInUse && ", in use"}
        </small>
      </h2>
      {changes === undefined && <Json value={valuesOf(version)} />}
      {changes?.length === 0 && <p>The same values as before.</p>}
      {changes !== undefined && changes.length > 0 && (
        <div class="json">
          {changes.map(({ path, before: old, after }) => (
            <p>
              <span class="key">{plain(path)}: </span>
              <code>{written(old)}</code> → <code>{written(after)}</code>
            </p>
          ))}
        </div>
      )}
    </section>
  );
};

function valuesOf({ graph_id, name, description, config, context, metadata }: AssistantVersion) {
  return { graph_id, name, description, config, context, metadata };
}

const LONGEST = 4000;

function written(value: unknown): string {
  return value === undefined ? "–" : plain(shorten(JSON.stringify(value), LONGEST));
}
