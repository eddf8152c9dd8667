import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { HTTPException } from "hono/http-exception";
import type { Child } from "hono/jsx";
import { requireAllowedHost } from "../http/access";
import type { StoredDeployment } from "../store";
import { openLink, pageHeaders, readOnly, requireCookie, sameOriginOnly } from "./access";
import { AgentError } from "./agent-reader";
import { assistantPage } from "./assistant";
import { assistantsPage } from "./assistants";
import { sendAsset } from "./assets";
import { deploymentPage, deploymentState, type DeploymentQuery } from "./deployment";
import { deploymentList, deploymentsPage, listQueryOf } from "./deployments";
import { cookieName, type PageKeys } from "./keys";
import { Layout, type Section } from "./layout";
import { liveFragment } from "./live";
import { liveLog, logQueryOf } from "./log";
import type { PageParts } from "./parts";
import { Empty } from "./pieces";
import { requestList, requestsPage, requestsQueryOf } from "./requests";
import { threadJson } from "./thread-json";
import { threadPage } from "./thread";
import { deploymentThreadsPage, threadsPage, threadsQueryOf } from "./threads";
import { plain } from "./words";

const UUID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
const DEPLOYMENT = `/deployments/:id{${UUID}}` as const;
const LIVE_DEPLOYMENT = `/live/deployments/:id{${UUID}}` as const;

/** The page as an HTTP application: who may read it, then its routes. */
export function createPageApp(parts: PageParts, keys: PageKeys, port: number): Hono {
  const app = new Hono();
  const cookie = cookieName(port);
  app.onError(showError);
  app.notFound((c) => showFailure(c, 404, "There is no such page."));
  app.use(pageHeaders, requireAllowedHost("127.0.0.1"), readOnly, sameOriginOnly);
  app.get("/open/:key", (c) => {
    c.header("Cache-Control", "no-store");
    return openLink(c, keys, cookie);
  });
  app.use(requireCookie(keys, cookie), compress());
  app.get("/assets/:name", sendAsset);
  app.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
  });
  addDeploymentPages(app, parts);
  addThreadPages(app, parts);
  addAssistantPages(app, parts);
  app.get("/requests", (c) =>
    show(c, "Requests", "Requests", requestsPage(parts, requestsQueryOf(c.req.query()))),
  );
  app.get("/live/requests", (c) => {
    const query = requestsQueryOf(c.req.query());
    return liveFragment(c, parts, () => requestList(parts, query));
  });
  return app;
}

function addDeploymentPages(app: Hono, parts: PageParts): void {
  app.get("/", async (c) => {
    const query = listQueryOf(c.req.query());
    return show(c, "Deployments", "Deployments", await deploymentsPage(parts, query));
  });
  app.get("/live/deployments", (c) => {
    const query = listQueryOf(c.req.query());
    return liveFragment(c, parts, () => deploymentList(parts, query));
  });
  app.get(DEPLOYMENT, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const content = await deploymentPage(
      parts,
      deployment,
      deploymentQueryOf(parts, deployment, c),
    );
    return show(c, deployment.name, "Deployments", content);
  });
  app.get(LIVE_DEPLOYMENT, (c) => {
    const deployment = find(parts, c.req.param("id"));
    const query = deploymentQueryOf(parts, deployment, c);
    return liveFragment(c, parts, () => deploymentState(parts, deployment.id, query));
  });
  app.get(`${LIVE_DEPLOYMENT}/log`, (c) => {
    const deployment = find(parts, c.req.param("id"));
    return liveLog(c, parts, deployment.id, deploymentQueryOf(parts, deployment, c).log);
  });
}

function deploymentQueryOf(
  { store }: PageParts,
  { id }: StoredDeployment,
  c: Context,
): DeploymentQuery {
  const log = logQueryOf(c.req.query());
  const revision = log.revisionId && store.revisions.get(log.revisionId);
  if (revision !== undefined && revision !== "" && revision.deployment_id !== id)
    throw new HTTPException(404, { message: "This revision is of another deployment." });
  if (log.revisionId && !revision)
    throw new HTTPException(404, { message: "There is no such revision." });
  return { allRevisions: c.req.query("revisions") === "all", log };
}

function addThreadPages(app: Hono, parts: PageParts): void {
  app.get("/threads", (c) =>
    show(c, "Threads", "Threads", threadsPage(parts, listQueryOf(c.req.query()))),
  );
  app.get(`${DEPLOYMENT}/threads`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const query = threadsQueryOf(c.req.query());
    const threadId = query.metadata.trim();
    if (new RegExp(`^${UUID}$`, "i").test(threadId))
      return c.redirect(`/deployments/${deployment.id}/threads/${threadId.toLowerCase()}`);
    const content = await deploymentThreadsPage(parts, deployment, query);
    return show(c, `Threads of ${deployment.name}`, "Threads", content);
  });
  app.get(`${DEPLOYMENT}/threads/:threadId`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const content = await threadPage(parts, deployment, {
      threadId: c.req.param("threadId"),
      checkpointId: c.req.query("checkpoint"),
      start: c.req.query("start") === "yes",
    });
    return show(c, "Thread", "Threads", content);
  });
  app.get(`${DEPLOYMENT}/threads/:threadId/json`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const { checkpoint, history } = c.req.query();
    const which = { threadId: c.req.param("threadId"), checkpoint, history: history === "yes" };
    const json = await threadJson(parts, deployment, which);
    return c.body(JSON.stringify(json, null, 2), 200, {
      "Content-Type": "application/json; charset=utf-8",
    });
  });
}

function addAssistantPages(app: Hono, parts: PageParts): void {
  app.get(`${DEPLOYMENT}/assistants`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const content = await assistantsPage(parts, deployment, c.req.query("start") === "yes");
    return show(c, `Assistants of ${deployment.name}`, "Deployments", content);
  });
  app.get(`${DEPLOYMENT}/assistants/:assistantId`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const { assistantId } = c.req.param();
    const content = await assistantPage(parts, deployment, {
      assistantId,
      start: c.req.query("start") === "yes",
    });
    return show(c, "Assistant", "Deployments", content);
  });
}

function find({ store }: PageParts, id: string): StoredDeployment {
  const deployment = store.deployments.get(id);
  if (deployment) return deployment;
  throw new HTTPException(404, { message: "There is no such deployment, or it is deleted." });
}

function show(
  c: Context,
  title: string,
  section: Section | undefined,
  content: Child,
  status: 200 | 404 | 500 | 502 = 200,
) {
  return c.html(
    <Layout title={title} section={section}>
      {content}
    </Layout>,
    status,
  );
}

function showError(error: Error, c: Context) {
  const isProblem = error instanceof HTTPException;
  if (isProblem && error.status !== 404) return c.text(error.message, error.status);
  const status = isProblem ? 404 : error instanceof AgentError ? 502 : 500;
  return showFailure(c, status, error.message);
}

function showFailure(c: Context, status: 404 | 500 | 502, reason: string) {
  const title = { 404: "Not found", 500: "Something failed", 502: "No answer" }[status];
  const content = (
    <>
      <div class="heading">
        <h1>{title}</h1>
      </div>
      <Empty title={plain(reason)}>
        <p>
          <a href="/">All deployments</a>
        </p>
      </Empty>
    </>
  );
  return show(c, title, undefined, content, status);
}
