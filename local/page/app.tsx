import { Hono, type Context } from "hono";
import { compress } from "hono/compress";
import { HTTPException } from "hono/http-exception";
import type { Child } from "hono/jsx";
import { requireAllowedHost } from "../http/access";
import type { StoredDeployment } from "../store";
import { openLink, pageHeaders, readOnly, requireCookie, sameOriginOnly } from "./access";
import { AgentError } from "./agent-reader";
import type { View } from "./agent-view";
import { allThreadsPage, liveAllThreads, type AllThreadsQuery } from "./all-threads";
import { assistantPage } from "./assistant";
import { assistantsPage, cronsPage } from "./agent-lists";
import { sendAsset } from "./assets";
import { deploymentPage, deploymentState, type DeploymentQuery } from "./deployment";
import { deploymentList, deploymentsPage, listQueryOf } from "./deployments";
import { cookieName, type PageKeys } from "./keys";
import { Layout, type Section } from "./layout";
import { liveFragment } from "./live";
import { liveLog, logQueryOf } from "./log";
import type { PageParts, PlatformFacts } from "./parts";
import { Empty } from "./pieces";
import { requestList, requestsPage, requestsQueryOf } from "./requests";
import { threadJson } from "./thread-json";
import { liveThread, threadPage, type ThreadQuery } from "./thread";
import { deploymentThreadsPage, liveThreads, threadsQueryOf } from "./threads";
import { plain } from "./words";

const UUID = "[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}";
const DEPLOYMENT = `/deployments/:id{${UUID}}` as const;
const LIVE_DEPLOYMENT = `/live/deployments/:id{${UUID}}` as const;

/** Every page names its platform. */
interface Env {
  readonly Variables: { facts: PlatformFacts };
}

/** The page as an HTTP application: who may read it, then its routes. */
export function createPageApp(parts: PageParts, keys: PageKeys, port: number): Hono<Env> {
  const app = new Hono<Env>();
  const cookie = cookieName(port);
  app.onError(showError);
  app.notFound((c) => showFailure(c, 404, "There is no such page."));
  app.use(async (c, next) => {
    c.set("facts", parts.facts);
    await next();
  });
  app.use(pageHeaders, requireAllowedHost("127.0.0.1"), readOnly, sameOriginOnly);
  app.on("GET", ["/open/:key", `/open/:key${DEPLOYMENT}`], (c) => {
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

function addDeploymentPages(app: Hono<Env>, parts: PageParts): void {
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

function addThreadPages(app: Hono<Env>, parts: PageParts): void {
  app.get("/threads", async (c) =>
    showView(c, "Threads", "Threads", await allThreadsPage(parts, allThreadsQueryOf(c))),
  );
  app.get("/live/threads", (c) => {
    const { render, watch } = liveAllThreads(parts, allThreadsQueryOf(c));
    return liveFragment(c, parts, render, watch);
  });
  app.get(`${DEPLOYMENT}/threads`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const query = threadsQueryOf(c.req.query());
    if (new RegExp(`^${UUID}$`, "i").test(query.search))
      return c.redirect(`/deployments/${deployment.id}/threads/${query.search.toLowerCase()}`);
    const view = await deploymentThreadsPage(parts, deployment, query);
    return showView(c, `Threads of ${deployment.name}`, "Threads", view);
  });
  app.get(`${LIVE_DEPLOYMENT}/threads`, (c) => {
    const deployment = find(parts, c.req.param("id"));
    const { render, watch } = liveThreads(parts, deployment, threadsQueryOf(c.req.query()));
    return liveFragment(c, parts, render, watch);
  });
  app.get(`${DEPLOYMENT}/threads/:threadId`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const view = await threadPage(parts, deployment, threadQueryOf(c, c.req.param("threadId")));
    return showView(c, "Thread", "Threads", view);
  });
  app.get(`${LIVE_DEPLOYMENT}/threads/:threadId`, (c) => {
    const deployment = find(parts, c.req.param("id"));
    const query = threadQueryOf(c, c.req.param("threadId"));
    const { render, watch } = liveThread(parts, deployment, query);
    return liveFragment(c, parts, render, watch);
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

function allThreadsQueryOf(c: Context): AllThreadsQuery {
  const { search, page } = listQueryOf(c.req.query());
  return { ...threadsQueryOf(c.req.query()), deployment: search ?? "", page };
}

function threadQueryOf(c: Context, threadId: string): ThreadQuery {
  const { checkpoint, start } = c.req.query();
  return { threadId, checkpointId: checkpoint || undefined, start: start === "yes" };
}

function addAssistantPages(app: Hono<Env>, parts: PageParts): void {
  app.get(`${DEPLOYMENT}/assistants`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const view = await assistantsPage(parts, deployment, c.req.query("start") === "yes");
    return showView(c, `Assistants of ${deployment.name}`, "Deployments", view);
  });
  app.get(`${DEPLOYMENT}/assistants/:assistantId`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const { assistantId } = c.req.param();
    const start = c.req.query("start") === "yes";
    const view = await assistantPage(parts, deployment, { assistantId, start });
    return showView(c, "Assistant", "Deployments", view);
  });
  app.get(`${DEPLOYMENT}/crons`, async (c) => {
    const deployment = find(parts, c.req.param("id"));
    const view = await cronsPage(parts, deployment, c.req.query("start") === "yes");
    return showView(c, `Crons of ${deployment.name}`, "Deployments", view);
  });
}

function find({ store }: PageParts, id: string): StoredDeployment {
  const deployment = store.deployments.get(id);
  if (deployment) return deployment;
  throw new HTTPException(404, { message: "There is no such deployment, or it is deleted." });
}

function showView(c: Context<Env>, title: string, section: Section, { content, status }: View) {
  return show(c, title, section, content, status);
}

function show(
  c: Context<Env>,
  title: string,
  section: Section | undefined,
  content: Child,
  status: View["status"] | 500 = 200,
) {
  return c.html(
    <Layout title={title} section={section} facts={c.get("facts")}>
      {content}
    </Layout>,
    status,
  );
}

function showError(error: Error, c: Context<Env>) {
  const isProblem = error instanceof HTTPException;
  if (isProblem && error.status !== 404) return c.text(error.message, error.status);
  const isAgents = error instanceof AgentError;
  const isMissing = isProblem || (isAgents && error.status === 404);
  const status = isMissing ? 404 : isAgents ? 502 : 500;
  return showFailure(c, status, error.message);
}

function showFailure(c: Context<Env>, status: 404 | 500 | 502, reason: string) {
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
