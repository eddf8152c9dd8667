import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { DeploymentFilters, DeploymentsList, Problem } from "../../../../sdk/schema";
import {
  aGitDeployment,
  anImageDeployment,
  startTestPlatform,
  type TestPlatform,
} from "../../../support/platform";
import { parsed } from "../../../support/values";

const LIST = "/v2/deployments";

describe("local/http/routes/deployments", () => {
  let t: TestPlatform;
  before(async () => (t = await startTestPlatform()));
  after(() => t.close());

  const detailOf = async (status: number, method: string, path: string, body?: unknown) => {
    const answer = await t.request(method, path, body);
    expect(answer.status).to.equal(status);
    return parsed(Problem, answer.body).detail;
  };
  const patch = async (id: string, body: unknown) => {
    const answer = await t.request("PATCH", `${LIST}/${id}`, body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return t.get(id);
  };
  const countRevisions = async (id: string) => {
    const { body } = await t.request("GET", `${LIST}/${id}/revisions`);
    return DeploymentsList.pick({ offset: true }).parse(body).offset;
  };
  const listed = async (query: string) => {
    const answer = await t.request("GET", `${LIST}?limit=100&${query}`);
    expect(answer.status).to.equal(200);
    return DeploymentsList.parse(answer.body).resources.map(({ id }) => id);
  };

  describe("create", () => {
    it("answers the agent's URL, and what else a new deployment has", async () => {
      const made = await t.create({ secrets: [{ name: "EMPTY", value: "" }] });
      const url = `${t.platform.url}/agents/${made.id}`;
      const own = { tenant_id: t.platform.workspaceId, url };
      expect(made).to.include({ ...own, status: "AWAITING_DATABASE", active_revision_id: null });
      expect(made.source_config).to.include({ custom_url: url, build_on_push: false });
      expect(made.secrets).to.deep.equal([{ name: "EMPTY", value: "" }]);
    });

    it("rounds CPU to one decimal, half up, and answers unset resources as null", async () => {
      const resource_spec = { cpu: 0.25, cpu_limit: 1.04, memory_mb: 512 };
      const made = await t.create({ ...anImageDeployment(), source_config: { resource_spec } });
      const { resource_spec: spec } = made.source_config;
      expect(spec).to.include({ cpu: 0.3, cpu_limit: 1, memory_mb: 512 });
      expect(spec).to.include({ cache_cpu: null, min_scale: null, sidecars: null });
    });

    it("answers an image's tag as its version, and no deployment type", async () => {
      const made = await t.create(anImageDeployment("registry:5000/acme/agent:1.2"));
      expect(made.image_version).to.equal("1.2");
      expect(made.source_config).to.include({ deployment_type: null, custom_url: null });
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

    it("answers 400 with every rule across fields that is broken", async () => {
      const body = { ...aGitDeployment(randomUUID()), source_revision_config: {} };
      const detail = await detailOf(400, "POST", LIST, body);
      expect(detail)
        .to.contain("repo_ref is required")
        .and.contain("graph_config_path is required");
      expect(detail).to.contain("integration").and.contain("not found");
    });

    it("answers 409 in different words to a name that a deployment has and to a leftover one", async () => {
      const taken = (name: string) =>
        detailOf(409, "POST", LIST, { ...aGitDeployment(t.integrationId), name });
      const { id, name } = await t.create();
      expect(await taken(name)).to.match(new RegExp(`exists already.*${id}`));
      t.platform.admin.addLeftoverName("ghost");
      expect(await taken("ghost")).to.match(/tracing project.*: ghost$/);
    });
  });

  describe("update", () => {
    it("makes no revision without a trigger, and leaves what is null or not given as it was", async () => {
      const { id, secrets } = await t.create();
      for (const body of [{}, { secrets: null }, { source_config: { build_on_push: true } }])
        await patch(id, body);
      expect(await countRevisions(id)).to.equal(1);
      const after = await patch(id, {
        source_revision_config: { repo_ref: "v2", graph_config_path: null },
        secrets: null,
        source_config: { install_command: null },
      });
      const { source_revision_config: config } = after;
      expect(config).to.include({ repo_ref: "v2", graph_config_path: "langgraph.json" });
      expect(after.secrets).to.deep.equal(secrets);
      expect(after.source_config.build_on_push).to.equal(true);
    });

    it("replaces the whole environment, and the whole resource spec, each with a revision", async () => {
      const spec = { resource_spec: { cpu: 1, memory_mb: 512 } };
      const { id } = await t.create({ ...anImageDeployment(), source_config: spec });
      const secrets = [{ name: "C", value: "3" }];
      expect((await patch(id, { secrets })).secrets).to.deep.equal(secrets);
      const after = await patch(id, { source_config: { resource_spec: { cpu: 2.04 } } });
      expect(after.source_config.resource_spec).to.include({ cpu: 2, memory_mb: null });
      expect(await countRevisions(id)).to.equal(3);
    });

    it("keeps the listener's namespace when other settings change", async () => {
      const listener_config = { k8s_namespace: "agents" };
      const source_config = { listener_id: t.listenerId, listener_config };
      const { id } = await t.create({ ...anImageDeployment(), source_config });
      const custom_url = "https://a.example.com";
      const none = { listener_config: { k8s_namespace: null } };
      const after = await patch(id, { source_config: { custom_url, ...none } });
      expect(after.source_config).to.deep.include({ ...source_config, custom_url });
    });

    it("answers 400 to an immutable field, even with the value that it has, and changes nothing", async () => {
      const { id, name } = await t.create();
      const body = { name, source_revision_config: { repo_ref: "v2" } };
      const detail = await detailOf(400, "PATCH", `${LIST}/${id}`, body);
      expect(detail).to.equal("name cannot be changed after creation");
      expect(await countRevisions(id)).to.equal(1);
    });

    it("judges build_on_push on the stored ref too", async () => {
      const at = (repo_ref: string) => ({ source_revision_config: { repo_ref } });
      const { source_revision_config: made } = aGitDeployment(t.integrationId);
      const tagged = { ...made, repo_ref: "refs/tags/v1" };
      const { id } = await t.create({ source_revision_config: tagged });
      const on = { source_config: { build_on_push: true } };
      expect(await detailOf(400, "PATCH", `${LIST}/${id}`, on)).to.contain("build_on_push");
      await patch(id, { ...on, ...at("main") });
      const refused = await detailOf(400, "PATCH", `${LIST}/${id}`, at("refs/tags/v2"));
      expect(refused).to.contain("build_on_push");
    });
  });

  describe("delete", () => {
    let slow: TestPlatform;
    beforeEach(async () => (slow = await startTestPlatform({ stageSeconds: 3600 })));
    afterEach(() => slow.close());

    it("answers 204, then AWAITING_DELETE, 409 to changes and for its name, at last 404 with the id", async () => {
      const { id, latest_revision_id, name } = await slow.create();
      for (const _ of ["first", "again"]) {
        const answer = await slow.request("DELETE", `${LIST}/${id}`);
        expect([answer.status, answer.body]).to.deep.equal([204, undefined]);
        expect((await slow.get(id)).status).to.equal("AWAITING_DELETE");
      }
      const revision = `/revisions/${latest_revision_id}`;
      for (const [method, path] of [
        ["PATCH", ""],
        ["POST", "/revisions"],
        ["POST", `${revision}/redeploy`],
        ["POST", `${revision}/interrupt`],
      ] as const) {
        const { status, body } = await slow.request(method, `${LIST}/${id}${path}`, {});
        expect([status, body]).to.deep.equal([
          409,
          { detail: `deployment ${id} is being deleted` },
        ]);
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
  });

  describe("list", () => {
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

    it("is narrowed by each filter and all of them", async () => {
      const own = await startTestPlatform({ stageSeconds: 3600 });
      try {
        const git = await own.create({ name: "git-one" });
        const source_config = { resource_spec: {}, listener_id: own.listenerId };
        const image = await own.create({
          ...anImageDeployment(),
          name: "image-one",
          source_config,
        });
        await own.platform.admin.advanceClock(3600);
        const internal = await own.create({
          name: "internal",
          source: "internal_container",
          source_config: { deployment_type: "prod" },
          source_revision_config: {},
        });
        const [tag, other] = [randomUUID(), randomUUID()];
        own.platform.admin.setTags(git.id, [tag]);
        own.platform.admin.setTags(image.id, [other]);
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
          const { body } = await own.request("GET", `${LIST}?${query}`);
          const found = DeploymentsList.parse(body).resources.map(({ name }) => name);
          expect(found, query).to.deep.equal(names);
        }
      } finally {
        await own.close();
      }
    });

    it("hides no row from a walk during which others are made", async () => {
      const before = [await t.create(), await t.create(), await t.create()].map(({ id }) => id);
      const seen = new Set<string>();
      for (let offset = 0; ;) {
        const { body } = await t.request("GET", `${LIST}?limit=3&offset=${offset}`);
        const page = DeploymentsList.parse(body);
        page.resources.forEach(({ id }) => seen.add(id));
        if (page.resources.length < 3) break;
        offset = page.offset;
        await t.create();
      }
      expect([...seen]).to.include.members(before);
    });

    it("takes a % in a part of a name for itself, no empty item of a list for an id, and ids in capitals", async () => {
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
    });

    it("refuses a filter that it does not know, on every list", async () => {
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
});
