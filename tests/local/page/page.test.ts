import { expect } from "chai";
import { Deployment } from "../../../sdk/schema";
import { aGitDeployment, usePlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { parsed } from "../../support/values";
import { until } from "../children";
import { usePage } from "./open-page";

const STAGE_SECONDS = 60;
const STAGES = ["create", "build", "deploy"];

describe("the pages", () => {
  const t = usePlatform({ stageSeconds: STAGE_SECONDS });
  const page = usePage(t);

  const show = async (path: string) => textOf((await page.get(path)).body);
  const passStages = async () => {
    for (const _ of STAGES) await t.platform.admin.advanceClock(STAGE_SECONDS);
  };
  const deployed = async (changes: object) => {
    const made = await t.create({ ...changes });
    await passStages();
    await t.untilRevision(made.id, "DEPLOYED");
    return made;
  };

  it("list deployments by pages, and find them by name, id and state", async () => {
    for (let number = 1; number <= 52; number += 1) await t.create({ name: `listed-${number}` });
    const { id } = await t.create({ name: "needle" });
    const first = await show("/");
    expect((await page.get("/")).body).to.match(/"\/assets\/page\.css\?v=[\w-]{12}"/);
    expect(first).to.contain("All 53 In progress 53 Failed 0").and.contain("1–50 of 53");
    expect(first).to.contain("needle").and.not.contain("listed-2 ");
    expect(await show("/?page=2")).to.match(/listed-2 .*51–53 of 53/);
    for (const search of ["NEED", id.slice(0, 8), id.slice(-12)]) {
      const found = await show(`/?q=${search}`);
      expect(found).to.contain("All 1 ").and.contain("needle").and.not.contain("listed");
    }
    expect(await show("/?show=failed")).to.contain("No deployment matches.");
    expect(await show("/?q=%25")).to.contain("No deployment matches.");
  });

  it("show how long each stage of a revision took, and which one failed", async () => {
    const { id } = await t.create({ name: "failing" });
    t.platform.admin.addOutcome({ deploymentId: id, stage: "build", status: "BUILD_FAILED" });
    await passStages();
    await t.untilRevision(id, "BUILD_FAILED");
    const shown = await show(`/deployments/${id}`);
    expect(shown).to.contain("Build failed").and.contain("Create 1 min Build 1 min failed");
    expect(shown)
      .to.contain("Total 2 min")
      .and.contain(`npx pulumi-agentserver redeploy failing --data-dir ${t.dataDir}`);
    expect(shown).to.contain("ERROR as the admin API asked for");
    expect(shown).to.contain("LOG_LEVEL").and.not.contain(" info ");
    // The reason is at the top and in the list, not only in the log.
    expect(shown.slice(0, shown.indexOf("Revisions"))).to.contain("as the admin API asked for");
    const row = await show("/?q=failing");
    expect(row).to.contain("Does not serve").and.contain("as the admin API asked for");
    const { id: stopped, latest_revision_id } = await t.create({ name: "stopped" });
    const revision = `/v2/deployments/${stopped}/revisions/${latest_revision_id}`;
    expect((await t.request("POST", `${revision}/interrupt`)).status).to.equal(200);
    expect(await show("/?show=failed"))
      .to.contain("failing")
      .and.contain("stopped");
  });

  it("follow what they show: a revision, one of its logs, a text in it; and link the lines before", async () => {
    const { id, latest_revision_id } = await t.create({ name: "followed" });
    const outcome = { deploymentId: id, stage: "build", status: "BUILD_FAILED" } as const;
    t.platform.admin.addOutcome({ ...outcome, reason: "long\n".repeat(400) });
    await passStages();
    await t.untilRevision(id, "BUILD_FAILED");
    const log = `revision=${latest_revision_id}&type=build&q=long`;
    const { body } = await page.get(`/deployments/${id}?${log}&revisions=all`);
    expect(body.replaceAll("&amp;", "&"))
      .to.contain(`/live/deployments/${id}?revisions=all&revision=${latest_revision_id}"`)
      .and.contain(`/live/deployments/${id}/log?${log}&after=`)
      .and.contain(`/deployments/${id}?${log}&before=`);
  });

  it("answer 404 to what is not there, in words", async () => {
    const other = await t.create({ name: "other" });
    const { id, latest_revision_id } = await t.create({ name: "mine" });
    const none = "00000000-0000-4000-8000-000000000000";
    const revisions = [`${id}?revision=${none}`, `${other.id}?revision=${latest_revision_id}`];
    const deployments = [none, `${none}/threads`, ...revisions].map((at) => `/deployments/${at}`);
    for (const path of ["/none", "/assets/..%2fapp.js", "/assets/none.css", ...deployments]) {
      const { status, body } = await page.get(path);
      expect([status, path]).to.deep.equal([404, path]);
      expect(body).to.contain("<h1>Not found</h1>");
    }
  });

  it("show the last 500 requests, those refused too, without queries", async () => {
    const headers = { "User-Agent": "pulumi-agentserver (SDK)" };
    const ask = async () => {
      await t.request("GET", "/v2/deployments?name_contains=secret", undefined, headers);
      await t.request("GET", "/v2/listeners", undefined, { "X-Api-Key": "wrong" });
    };
    await ask();
    for (let count = 0; count < 1100; count += 1) await t.request("GET", "/v2/nothing");
    expect(await show("/requests?client=SDK")).to.contain("No request matches.");
    expect(await show("/requests")).to.contain("500 of the last 500 requests");
    await ask();
    const sdk = await show("/requests?client=SDK");
    expect(sdk).to.contain("GET /v2/deployments 200").and.not.contain("secret");
    expect(await show("/requests?failed=yes&path=LISTENERS")).to.contain("GET /v2/listeners 401");
    for (const action of ["drop-before", "drop-after"] as const) {
      t.platform.admin.addFault({ match: { path: `/v2/${action}` }, action });
      await rejection(t.request("GET", `/v2/${action}`));
      expect(await show(`/requests?path=${action}`)).to.contain(`GET /v2/${action} closed`);
    }
  });

  it("say why there are no threads to read", async () => {
    const { id } = await t.create({ name: "threadless" });
    const path = `/deployments/${id}/threads`;
    expect(await show(path)).to.contain("No revision of this deployment serves yet.");
    await passStages();
    await t.untilRevision(id, "DEPLOYED");
    expect(await show(path)).to.contain("the simulated driver runs no agent servers");
    expect((await page.get(path)).status).to.equal(502);
    expect(await show("/threads?q=threadless")).to.contain("threadless");
    for (const refused of [path, "/threads"]) {
      const { status, body } = await page.get(`${refused}?metadata=words`);
      expect(status).to.equal(400);
      expect(textOf(body)).to.contain("'words': search for metadata as name=value");
    }
  });

  it("name what serves, what is new beside it, and what changed, without values; list every deployment that serves, by pages, whatever came after it", async () => {
    const named = (value: string, ...names: string[]) => names.map((name) => ({ name, value }));
    const secrets = named("one", "KEPT", "GONE");
    const { id, latest_revision_id } = await deployed({ name: "rolled", secrets });
    const serving = `${latest_revision_id}`.slice(-12);
    const source_revision_config = { repo_ref: "next" };
    const change = { source_revision_config, secrets: named("the-new-value", "KEPT", "ADDED") };
    await t.request("PATCH", `/v2/deployments/${id}`, change);
    const shown = await show(`/deployments/${id}`);
    expect(shown).to.contain(`Revision ${serving} serves`).and.contain("is newer: creating");
    expect(shown).to.contain("Ref main rolling out: next");
    expect(shown).to.contain("ref main → next").and.contain("variable added: ADDED");
    expect(shown).to.contain("variable changed: KEPT").and.contain("variable removed: GONE");
    expect(shown).not.to.contain("the-new-value");
    for (let number = 0; number < 11; number += 1) {
      const newer = { source_revision_config: { repo_ref: `r${number}` } };
      await t.request("PATCH", `/v2/deployments/${id}`, newer);
    }
    expect(await show(`/deployments/${id}`)).to.contain(`serves ${serving} main`);
    await deployed({ name: "serving" });
    for (let number = 1; number <= 51; number += 1) await t.create({ name: `later-${number}` });
    const [first, second] = [await show("/threads"), await show("/threads?page=2")];
    const [, total] = /Deployments that serve (\d+)/.exec(first) ?? [];
    expect(Number(total)).to.be.above(50);
    expect(first).to.contain("serving").and.not.contain("later-");
    expect(second).to.contain(`51–${total} of ${total}`);
  });

  it("name the Pulumi resource of a deployment that its provider names, and nothing else", async () => {
    const urn = "urn:pulumi:dev::shop::agentserver:index:Deployment::<a>::b";
    const managed = { ...aGitDeployment(t.integrationId), name: "managed" };
    const own = { "X-Pulumi-Urn": encodeURI(urn) };
    const { body: created } = await t.request("POST", "/v2/deployments", managed, own);
    const { id } = parsed(Deployment, created);
    const resource = "Pulumi resource &lt;a&gt;::b in shop , stack dev";
    expect(await show(`/deployments/${id}`)).to.contain(resource);
    for (const [from, to] of [
      ["dev", "prod"],
      ["shop", "store"],
      ["<a>::b", "c"],
    ] as const) {
      const headers = { "X-Pulumi-Urn": encodeURI(urn.replace(`:${from}`, `:${to}`)) };
      await t.request("GET", `/v2/deployments/${id}`, undefined, headers);
      const renamed = new RegExp(`Pulumi resource .*\\b${to}\\b`);
      expect(await show(`/deployments/${id}`)).to.match(renamed);
      await t.request("GET", `/v2/deployments/${id}`, undefined, own);
    }
    const elsewhere = { "X-Pulumi-Urn": "urn:pulumi:other::shop::a:b:C::d" };
    const refused = await t.request("PATCH", `/v2/deployments/${id}`, { name: "b" }, elsewhere);
    expect(refused.status).to.equal(400);
    expect(await show(`/deployments/${id}`)).to.contain(resource);
    for (const other of ["urn:nothing", "%", "<script>", `${urn}${"x".repeat(2000)}`]) {
      const headers = { "X-Pulumi-Urn": other };
      const { status } = await t.request("GET", `/v2/deployments/${id}`, undefined, headers);
      expect(status).to.equal(200);
      expect(await show(`/deployments/${id}`)).to.contain(resource);
    }
  });

  it("name the deployment of a request, leave out what only reads, and show what the admin API has armed", async () => {
    const { id } = await t.create({ name: "asked" });
    await t.get(id);
    await t.request("PATCH", `/v2/deployments/${id}`, {});
    const shown = await show("/requests?path=asked&writes=yes");
    expect(shown).to.contain(`PATCH /v2/deployments/${id} asked`).and.not.contain(`GET /v2`);
    t.platform.admin.addFault({ match: { path: "/v2/*" }, action: "delay", times: 2 });
    t.fails("DEPLOY_FAILED", "no \u202eluck\u2066");
    const armed = await show("/requests");
    expect(armed).to.contain("delay of 1.0 s for the next 2 requests: any method /v2/*");
    expect(armed).to.contain(String.raw`next deploy of any deployment: no \u202eluck\u2066`);
    t.platform.admin.clearFaults();
    t.platform.admin.clearOutcomes();
    expect(await show("/requests")).not.to.contain("Armed");
  });

  it("have a hundred live views at most, and there is room again when one is closed", async () => {
    const { origin, cookie } = page;
    const closing = new AbortController();
    // `fetch` closes the connection of a response that nothing refers to.
    const kept: Response[] = [];
    const open = async (signal = closing.signal) => {
      const response = await fetch(`${origin}/live/requests`, { headers: { cookie }, signal });
      kept.push(response);
      return response.status;
    };
    const statuses = await Promise.all(Array.from({ length: 100 }, () => open()));
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(await open(), `${kept.length} are open`).to.equal(503);
    closing.abort();
    const last = new AbortController();
    await until("room", async () => (await open(last.signal)) === 200);
    last.abort();
  });
});

/** The text of a page, one blank between its parts. */
function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&#39;", "'")
    .replaceAll(/\s+/g, " ");
}
