import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { DeploymentFilters, DeploymentsList } from "../../../../sdk/schema";
import {
  aGitDeployment,
  anImageDeployment,
  useFreshPlatform,
  usePlatform,
} from "../../../support/platform";

const LIST = "/v2/deployments";

describe("local/http/routes/deployments", () => {
  const t = usePlatform();

  const patch = async (id: string, body: unknown) => {
    const answer = await t.request("PATCH", `${LIST}/${id}`, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return t.get(id);
  };
  const countRevisions = async (id: string) => (await t.revisions(id)).length;
  const listed = async (query: string) => {
    const answer = await t.request("GET", `${LIST}?limit=100&${query}`);
    expect(answer.status).to.equal(200);
    return DeploymentsList.parse(answer.body).resources.map(({ id }) => id);
  };

  it("answers the agent's URL, what else a new deployment has, an image's tag as its version, and no deployment type of it", async () => {
    const made = await t.create({ secrets: [{ name: "EMPTY", value: "" }] });
    const url = `${t.platform.url}/agents/${made.id}`;
    const own = { tenant_id: t.platform.workspaceId, url };
    expect(made).to.include({ ...own, status: "AWAITING_DATABASE", active_revision_id: null });
    expect(made.source_config).to.include({ custom_url: url, build_on_push: false });
    expect(made.secrets).to.deep.equal([{ name: "EMPTY", value: "" }]);
    for (const [image, version] of [
      ["registry:5000/acme/agent:v3-rc.1", "v3-rc.1"],
      ["registry:5000/acme/agent", null],
      ["agent:1.2@sha256:0123", "1.2"],
      ["agent@sha256:0123", null],
    ] as const) {
      const { image_version, source_config } = await t.create(anImageDeployment(image));
      expect(image_version, image).to.equal(version);
      expect(source_config).to.include({ deployment_type: null, custom_url: null });
    }
  });

  it("does not let a request say which commit it is, and ignores members that it does not know", async () => {
    const { source_revision_config: config } = aGitDeployment(t.integrationId);
    const source_revision_config = { ...config, repo_commit_sha: "made-up" };
    const { id, ...made } = await t.create({ source_revision_config, colour: "blue" });
    expect(made.source_revision_config.repo_commit_sha).to.equal(null);
    const changes = { display_name: "of another dialect", colour: "red" };
    const { status, body } = await t.request("PATCH", `${LIST}/${id}`, changes);
    expect(status).to.equal(200);
    expect(body).to.not.have.any.keys("colour", "display_name");
  });

  it("refuses what newer clients send and it can't do, in place of a success without it", async () => {
    const git = aGitDeployment(t.integrationId);
    const secret_references = [{ name: "KEY" }];
    const none = { ...git, secret_references: [] };
    expect((await t.request("POST", LIST, none)).status).to.equal(201);
    const { id } = await t.create();
    const path = `${LIST}/${id}`;
    const { name: _, ...nameless } = git;
    const agent = { agent_id: "support", environment: "production" };
    const upload = { revision_source: "internal_source", source_revision_config: {} };
    for (const [method, at, body, status, words] of [
      ["POST", LIST, { ...git, secret_references }, 422, "in the dialect langsmith alone;"],
      ["POST", LIST, { ...none, source: "internal_source" }, 422, "can't be internal_source,"],
      ["POST", LIST, { ...none, source: "internal_template" }, 422, "be internal_template,"],
      ["POST", LIST, { ...nameless, agent }, 422, "to name a deployment by; send a `name`"],
      ["PATCH", path, upload, 422, "can't be internal_source, an upload"],
      ["POST", `${path}/push-token`, {}, 400, "has no registry to push to"],
      ["POST", `${path}/upload-url`, {}, 400, "takes no upload"],
      ["DELETE", `${LIST}?deployment_ids=a`, undefined, 405, ""],
    ] as const) {
      const answer = await t.request(method, at, body);
      expect(answer.status, words).to.equal(status);
      expect(JSON.stringify(answer.body)).to.contain(words);
    }
  });

  it("answers 400 with every rule across fields that is broken, and 409 in different words to a name that a deployment has and to a leftover one", async () => {
    const body = { ...aGitDeployment(randomUUID()), source_revision_config: {} };
    const detail = await t.refusal(400, "POST", LIST, body);
    for (const problem of ["repo_ref is", "graph_config_path is required", "not found"])
      expect(detail).to.contain(problem);
    const taken = (name: string) =>
      t.refusal(409, "POST", LIST, { ...aGitDeployment(t.integrationId), name });
    const { id, name } = await t.create();
    expect(await taken(name)).to.match(new RegExp(`exists already.*${id}`));
    t.platform.admin.addLeftoverName("ghost");
    expect(await taken("ghost")).to.match(/tracing project.*: ghost$/);
  });

  it("makes no revision without a trigger, and leaves what is null or not given as it was", async () => {
    const { id, secrets } = await t.create();
    for (const body of [{}, { secrets: null }, { source_config: { build_on_push: true } }])
      await patch(id, body);
    expect(await countRevisions(id)).to.equal(1);
    const changes = { repo_ref: "v2", graph_config_path: null };
    const none = { secrets: null, source_config: { install_command: null } };
    const after = await patch(id, { source_revision_config: changes, ...none });
    const kept = { repo_ref: "v2", graph_config_path: "langgraph.json" };
    expect(after.source_revision_config).to.include(kept);
    expect(after.secrets).to.deep.equal(secrets);
    expect(after.source_config.build_on_push).to.equal(true);
  });

  it("replaces the whole environment, and the whole resource spec, each with a revision, and keeps the listener's namespace", async () => {
    const spec = { resource_spec: { cpu: 1, memory_mb: 512 } };
    const { id } = await t.create({ ...anImageDeployment(), source_config: spec });
    const secrets = [{ name: "C", value: "3" }];
    expect((await patch(id, { secrets })).secrets).to.deep.equal(secrets);
    const after = await patch(id, { source_config: { resource_spec: { cpu: 2.04 } } });
    expect(after.source_config.resource_spec).to.include({ cpu: 2, memory_mb: null });
    expect(await countRevisions(id)).to.equal(3);
    const listener_config = { k8s_namespace: "agents" };
    const source_config = { listener_id: t.listenerId, listener_config };
    const { id: placed } = await t.create({ ...anImageDeployment(), source_config });
    const custom_url = "https://a.example.com";
    const none = { listener_config: { k8s_namespace: null } };
    const moved = await patch(placed, { source_config: { custom_url, ...none } });
    expect(moved.source_config).to.deep.include({ ...source_config, custom_url });
  });

  it("answers 400 to an immutable field, even with the value that it has, and changes nothing; judges build_on_push on the stored ref too", async () => {
    const { id, name } = await t.create();
    const body = { name, source_revision_config: { repo_ref: "v2" } };
    const detail = await t.refusal(400, "PATCH", `${LIST}/${id}`, body);
    expect(detail).to.equal("name cannot be changed after creation");
    expect(await countRevisions(id)).to.equal(1);
    const at = (repo_ref: string) => ({ source_revision_config: { repo_ref } });
    const { source_revision_config: made } = aGitDeployment(t.integrationId);
    const tagged = { ...made, repo_ref: "refs/tags/v1" };
    const { id: tag } = await t.create({ source_revision_config: tagged });
    const on = { source_config: { build_on_push: true } };
    expect(await t.refusal(400, "PATCH", `${LIST}/${tag}`, on)).to.contain("build_on_push");
    await patch(tag, { ...on, ...at("main") });
    const refused = await t.refusal(400, "PATCH", `${LIST}/${tag}`, at("refs/tags/v2"));
    expect(refused).to.contain("build_on_push");
  });

  describe("where stages take an hour", () => {
    const slow = useFreshPlatform({ stageSeconds: 3600 });

    it("answers 204, then AWAITING_DELETE, 409 to changes and for its name, at last 404 with the id", async () => {
      const { id, latest_revision_id, name } = await slow.create();
      for (const _ of ["first", "again"]) {
        const answer = await slow.request("DELETE", `${LIST}/${id}`);
        expect([answer.status, answer.body]).to.deep.equal([204, undefined]);
        expect((await slow.get(id)).status).to.equal("AWAITING_DELETE");
      }
      const revision = `/revisions/${latest_revision_id}`;
      const detail = `deployment ${id} is being deleted`;
      for (const path of ["", "/revisions", `${revision}/redeploy`, `${revision}/interrupt`]) {
        const method = path === "" ? "PATCH" : "POST";
        const { status, body } = await slow.request(method, `${LIST}/${id}${path}`, {});
        expect([status, body]).to.deep.equal([409, { detail }]);
      }
      const again = { ...aGitDeployment(slow.integrationId), name };
      const refused = await slow.request("POST", LIST, again);
      expect(refused.status).to.equal(409);
      expect(refused.body).to.have.property("detail").that.contains("still being deleted");
      await slow.platform.admin.advanceClock(3600);
      await slow.untilGone(id);
      for (const method of ["GET", "DELETE"]) {
        const { status, body } = await slow.request(method, `${LIST}/${id}`);
        expect([status, body]).to.deep.equal([404, { detail: `deployment ${id} not found` }]);
      }
      await slow.create({ name });
    });

    it("narrows a list by each filter and all of them", async () => {
      const git = await slow.create({ name: "git-one" });
      const source_config = { resource_spec: {}, listener_id: slow.listenerId };
      const image = await slow.create({ ...anImageDeployment(), name: "image-one", source_config });
      await slow.platform.admin.advanceClock(3600);
      const none = { source_config: { deployment_type: "prod" }, source_revision_config: {} };
      const source = "internal_container";
      const internal = await slow.create({ name: "internal", source, ...none });
      const [tag, other] = [randomUUID(), randomUUID()];
      slow.platform.admin.setTags(git.id, [tag]);
      slow.platform.admin.setTags(image.id, [other]);
      const expected: [Record<string, string>, string[]][] = [
        [{}, ["internal", "image-one", "git-one"]],
        [{ name_contains: "ONE" }, ["image-one", "git-one"]],
        [{ status: "READY" }, ["image-one", "git-one"]],
        [{ status: "AWAITING_DATABASE" }, ["internal"]],
        [{ status: "SOMETHING_NEW" }, []],
        [{ remote_reconciled: "true" }, ["image-one"]],
        [{ remote_reconciled: "false" }, ["internal", "git-one"]],
        [{ tag_value_ids: `${tag},${other}` }, ["image-one", "git-one"]],
        [{ tag_value_ids: randomUUID() }, []],
        [{ image_version: "1.2" }, ["image-one"]],
        [{ deployment_type: "dev" }, ["git-one"]],
        [{ deployment_type: "prod" }, ["internal"]],
        [{ deployment_ids: `${git.id},${internal.id}` }, ["internal", "git-one"]],
        [{ name_contains: "one", status: "READY", deployment_ids: git.id }, ["git-one"]],
      ];
      const tried = new Set(expected.flatMap(([filters]) => Object.keys(filters)));
      expect([...tried]).to.have.members(Object.keys(DeploymentFilters.shape));
      for (const [filters, names] of expected) {
        const query = new URLSearchParams(filters).toString();
        const { body } = await slow.request("GET", `${LIST}?${query}`);
        const found = DeploymentsList.parse(body).resources.map(({ name }) => name);
        expect(found, query).to.deep.equal(names);
      }
    });
  });

  it("gives pages, newest first, whose offset is the next request's", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await t.create()).id);
    const seen: string[] = [];
    let at = 0;
    for (const limit of [2, 2, 1]) {
      const { body } = await t.request("GET", `${LIST}?limit=${limit}&offset=${at}`);
      const { resources, offset } = DeploymentsList.parse(body);
      expect(offset).to.equal(at + resources.length);
      at = offset;
      seen.push(...resources.map(({ id }) => id));
    }
    expect(seen).to.deep.equal(ids);
    const { body } = await t.request("GET", `${LIST}?offset=999`);
    expect(body).to.deep.equal({ resources: [], offset: 999 });
  });

  it("takes a % in a part of a name for itself, no empty item of a list for an id, and ids in capitals; refuses a filter that it does not know, on every list", async () => {
    const upper = (id: string) => id.toUpperCase();
    const { source_config: config, ...git } = aGitDeployment(upper(t.integrationId));
    const made = await t.create({ ...git, name: "in-capitals", source_config: config });
    const placing = { resource_spec: {}, listener_id: upper(t.listenerId) };
    const placed = await t.create({ ...anImageDeployment(), source_config: placing });
    expect(made.source_config.integration_id).to.equal(t.integrationId);
    expect(placed.source_config.listener_id).to.equal(t.listenerId);
    expect((await t.get(upper(made.id))).id).to.equal(made.id);
    const ids = [placed.id, made.id];
    expect(await listed(`deployment_ids=${upper(ids.join(", "))},`)).to.deep.equal(ids);
    expect(await listed("name_contains=%25")).to.deep.equal([]);
    const outcome = { deploymentId: upper(made.id), stage: "build", status: "BUILD_FAILED" };
    expect((await t.admin("POST", "/outcomes", outcome)).status).to.equal(204);
    const { id } = await t.create();
    // Exact names are the public service's.
    const query = "?agent_id=a&name=x&limit=1";
    for (const list of [LIST, `${LIST}/${id}/revisions`, "/v2/listeners"]) {
      const { status, body } = await t.request("GET", list + query);
      expect(status, list).to.equal(422);
      const refusal = { msg: "Extra inputs are not permitted", type: "extra_forbidden" };
      const detail = ["agent_id", "name"].map((name) => ({ loc: ["query", name], ...refusal }));
      expect(body).to.deep.equal({ detail });
    }
  });
});
