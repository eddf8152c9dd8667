import { expect } from "chai";
import { createHash, randomUUID } from "node:crypto";
import { LogPage, Revision, RevisionsList } from "../../../../sdk/schema";
import { aGitDeployment, useFreshPlatform } from "../../../support/platform";

describe("local/http/routes/revisions", () => {
  const t = useFreshPlatform();
  // One each: a failure that a test plans is the next revision's, whoever made it.

  const path = (id: string, rest = "") => `/v2/deployments/${id}/revisions${rest}`;
  const list = async (id: string, query = "") => {
    const answer = await t.request("GET", path(id, `?${query}`));
    expect(answer.status).to.equal(200);
    return RevisionsList.parse(answer.body);
  };
  const patch = (id: string, repo_ref: string) =>
    t.request("PATCH", `/v2/deployments/${id}`, { source_revision_config: { repo_ref } });

  it("answers a revision with its fields nested and at the top, and 404 with the id that is not there, also for a revision of another deployment", async () => {
    const { id } = await t.create();
    const { created_at, updated_at, ...revision } = await t.untilRevision(id, "DEPLOYED");
    const { repo_url } = aGitDeployment(t.integrationId).source_config;
    // The simulated driver's.
    const repo_commit_sha = createHash("sha1").update(`${repo_url}main`).digest("hex");
    const source = { repo_ref: "main", graph_config_path: "langgraph.json", image_uri: null };
    const config = { ...source, repo_commit_sha };
    const own = { id: revision.id, status: "DEPLOYED", source: "git_host" };
    expect(revision).to.deep.equal({ ...own, ...config, source_revision_config: config });
    for (const time of [created_at, updated_at]) expect(time).to.be.a("string");
    const [mine, other] = [await t.create(), await t.create()];
    const unknown = randomUUID();
    const lost: [string, string][] = [
      [path(unknown), unknown],
      [path(unknown, `/${mine.latest_revision_id}`), unknown],
      [path(mine.id, `/${unknown}`), `revision ${unknown} of deployment ${mine.id} not found`],
      [path(mine.id, `/${other.latest_revision_id}`), String(other.latest_revision_id)],
    ];
    for (const [at, words] of lost) {
      const { status, body } = await t.request("GET", at);
      expect(status, at).to.equal(404);
      expect(body).to.have.property("detail").that.contains(words);
    }
  });

  it("lists the latest first, also of changes that follow each other at once, and narrows the list to statuses", async () => {
    const { id, latest_revision_id } = await t.create();
    await Promise.all(["a", "b", "c", "d"].map((ref) => patch(id, ref)));
    const { resources, offset } = await list(id);
    expect(offset).to.equal(5);
    expect(resources[0]?.id).to.equal((await t.get(id)).latest_revision_id);
    expect(resources[4]?.id).to.equal(latest_revision_id);
    const times = resources.map(({ created_at }) => created_at ?? "");
    expect(times.toSorted().toReversed()).to.deep.equal(times);
    const page = await list(id, "limit=2&offset=1");
    const ids = resources.map((one) => one.id);
    expect(page.resources.map((one) => one.id)).to.deep.equal(ids.slice(1, 3));
    expect(page.offset).to.equal(3);
    const { id: other } = await t.create();
    await t.untilRevision(other, "DEPLOYED");
    t.platform.admin.addOutcome({ deploymentId: other, stage: "build", status: "BUILD_FAILED" });
    await patch(other, "v2");
    await t.untilRevision(other, "BUILD_FAILED");
    const counts = { BUILD_FAILED: 1, "BUILD_FAILED,DEPLOYED": 2, whatever: 0 };
    for (const [status, count] of Object.entries(counts))
      expect((await list(other, `status=${status}`)).resources).to.have.lengthOf(count);
  });

  const post = async (id: string, body: unknown) => {
    const answer = await t.request("POST", path(id), body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return Revision.parse(answer.body);
  };

  it("creates a revision of what the deployment has, and of the values of the body; answers 400 as a PATCH does, and 404", async () => {
    const { id, latest_revision_id, secrets } = await t.create();
    const first = await t.untilRevision(id, "DEPLOYED");
    for (const body of [{}, { source_config: null, secrets: null }]) {
      const made = await post(id, body);
      expect(made.id).to.not.equal(latest_revision_id);
      expect(made).to.include({ status: "CREATING", source: "git_host", repo_ref: "main" });
      const after = await t.get(id);
      expect(after.latest_revision_id).to.equal(made.id);
      expect(after.secrets).to.deep.equal(secrets);
    }
    expect((await t.untilRevision(id, "DEPLOYED")).repo_commit_sha).to.equal(first.repo_commit_sha);
    expect((await list(id)).resources).to.have.lengthOf(3);
    const changed = await post(id, {
      source_config: { build_on_push: true, install_command: "npm ci" },
      source_revision_config: { repo_ref: "next" },
      secrets: [{ name: "A", value: "1" }],
    });
    expect(changed).to.include({ repo_ref: "next", graph_config_path: "langgraph.json" });
    const after = await t.get(id);
    expect(after.secrets).to.deep.equal([{ name: "A", value: "1" }]);
    expect(after.source_config).to.include({ build_on_push: true, install_command: "npm ci" });
    const tag = { repo_ref: "refs/tags/v1" };
    for (const [body, words] of [
      [{ source_config: { repo_url: "https://git.example.com/other.git" } }, "repo_url"],
      [{ source_revision_config: { image_uri: "image:1" } }, "image_uri"],
      [{ source_config: { build_on_push: true }, source_revision_config: tag }, "build_on_push"],
    ] as const) {
      const answer = await t.request("POST", path(id), body);
      expect(answer.status).to.equal(400);
      expect(answer.body).to.have.property("detail").that.contains(words);
    }
    expect((await list(id)).resources).to.have.lengthOf(4);
    expect((await t.request("POST", path(randomUUID()), {})).status).to.equal(404);
  });

  it("redeploys a revision: a new one of the same commit, with the present environment", async () => {
    const { id, latest_revision_id: first } = await t.create();
    const { repo_commit_sha } = await t.untilRevision(id, "DEPLOYED");
    const patched = await t.request("PATCH", `/v2/deployments/${id}`, {
      source_revision_config: { repo_ref: "v2" },
      secrets: [{ name: "NEW", value: "1" }],
    });
    expect(patched.body).to.have.nested.property("source_revision_config.repo_commit_sha", null);
    const answer = await t.request("POST", path(id, `/${first}/redeploy`));
    expect(answer.status).to.equal(200);
    expect(answer.body).to.have.property("latest_revision_id").that.is.not.oneOf([first]);
    const revision = await t.untilRevision(id, "DEPLOYED");
    expect(revision).to.include({ repo_ref: "main", repo_commit_sha });
    const after = await t.get(id);
    expect(after.active_revision_id).to.equal(revision.id);
    expect(after.secrets).to.deep.equal([{ name: "NEW", value: "1" }]);
    expect((await list(id)).resources).to.have.lengthOf(3);
  });

  it("refuses to redeploy a tag while pushes are built, as a PATCH of both is refused", async () => {
    const { source_revision_config } = aGitDeployment(t.integrationId);
    const { id, latest_revision_id: tagged } = await t.create({
      source_revision_config: { ...source_revision_config, repo_ref: "refs/tags/v1" },
    });
    const body = {
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: "main" },
    };
    expect((await t.request("PATCH", `/v2/deployments/${id}`, body)).status).to.equal(200);
    const detail = await t.refusal(400, "POST", path(id, `/${tagged}/redeploy`));
    expect(detail).to.contain("build_on_push cannot be enabled while repo_ref is a tag");
    expect((await list(id)).resources).to.have.lengthOf(2);
  });

  it("interrupts a revision in progress, answers when its work has ended, and 400 to one that has ended otherwise", async () => {
    await t.restart({ stageSeconds: 3600 });
    const slow = await t.create();
    for (const _ of ["first", "again"]) {
      const at = path(slow.id, `/${slow.latest_revision_id}/interrupt`);
      const { status, body } = await t.request("POST", at);
      expect([status, Revision.parse(body).status]).to.deep.equal([200, "INTERRUPTED"]);
    }
    await t.restart({ stageSeconds: 0.01 });
    const { id, latest_revision_id } = await t.create();
    await t.untilRevision(id, "DEPLOYED");
    const at = path(id, `/${latest_revision_id}/interrupt`);
    const detail = `revision ${latest_revision_id} has ended already: DEPLOYED`;
    expect(await t.refusal(400, "POST", at)).to.equal(detail);
  });

  const read = async (id: string, revisionId: string, query: string) => {
    const answer = await t.request("GET", path(id, `/${revisionId}/logs?${query}`));
    expect(answer.status).to.equal(200);
    return LogPage.parse(answer.body);
  };

  it("has logs that end with the reason of a failure, at level ERROR, are filtered by time, level and part of a message, and refuse what is no time, type, offset or limit", async () => {
    for (const stage of ["create", "build", "deploy"]) {
      const type = stage === "deploy" ? stage : "build";
      const status = `${stage.toUpperCase()}_FAILED`;
      await t.admin("POST", "/outcomes", { stage, status, reason: "no such thing" });
      const { id } = await t.create();
      const { logs } = await read(id, (await t.untilRevision(id, status)).id, `type=${type}`);
      expect(logs.at(-1)).to.include({ level: "ERROR", message: "no such thing" });
    }
    t.fails("DEPLOY_FAILED", "one\nTWO");
    const { id } = await t.create();
    const revision = await t.untilRevision(id, "DEPLOY_FAILED");
    for (const [query, messages] of [
      ["level=ERROR&query=tw", ["TWO"]],
      ["level=INFO", []],
      ["start_time=2001-01-01T00:00:00Z", ["one", "TWO"]],
      ["end_time=2001-01-01T00:00:00Z", []],
    ] as const) {
      const { logs } = await read(id, revision.id, `type=deploy&${query}`);
      expect(logs.map(({ message }) => message)).to.deep.equal(messages);
    }
    const refused = ["", "type=other", "type=build&offset=x", "type=build&limit=1001"];
    for (const query of [...refused, "type=deploy&start_time=soon"]) {
      const { status, body } = await t.request("GET", path(id, `/${revision.id}/logs?${query}`));
      expect(status, query).to.equal(422);
      const words = query.endsWith("soon") ? "should be a time in ISO 8601" : "query";
      expect(JSON.stringify(body)).to.contain(words);
    }
  });
});
