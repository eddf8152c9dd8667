import { EXTENDED_FIELDS } from "../../../../local/http/dialect";
import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { Deployment, DeploymentFilters, DeploymentsList, Problem } from "../../../../sdk/schema";
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
    it("answers every member of the contract, and the agent's URL", async () => {
      const made = await t.create({ secrets: [{ name: "EMPTY", value: "" }] });
      expect(Object.keys(made)).to.have.members(
        Object.keys(Deployment.shape).filter((name) => !EXTENDED_FIELDS.includes(name)),
      );
      expect(made.tenant_id).to.equal(t.platform.workspaceId);
      expect(made.status).to.equal("AWAITING_DATABASE");
      expect(made.url).to.equal(`${t.platform.url}/agents/${made.id}`);
      expect(made.source_config.custom_url).to.equal(made.url);
      expect(made.source_config.build_on_push).to.equal(false);
      expect(made.secrets).to.deep.equal([{ name: "EMPTY", value: "" }]);
      expect(made.active_revision_id).to.equal(null);
    });

    it("rounds CPU to one decimal, half up, and answers unset resources as null", async () => {
      const resource_spec = { cpu: 0.25, cpu_limit: 1.04, memory_mb: 512 };
      const made = await t.create({ ...anImageDeployment(), source_config: { resource_spec } });
      const spec = made.source_config.resource_spec;
      expect(spec).to.include({ cpu: 0.3, cpu_limit: 1, memory_mb: 512 });
      expect(spec).to.include({ cache_cpu: null, min_scale: null, sidecars: null });
    });

    it("answers an image's tag as its version, and no deployment type", async () => {
      const made = await t.create(anImageDeployment("registry:5000/acme/agent:1.2"));
      expect(made.image_version).to.equal("1.2");
      expect(made.source_config.deployment_type).to.equal(null);
      expect(made.source_config.custom_url).to.equal(null);
      expect((await t.create(anImageDeployment("registry:5000/agent"))).image_version).to.equal(
        null,
      );
    });

    it("does not let a request say which commit it is", async () => {
      const source_revision_config = {
        ...aGitDeployment(t.integrationId).source_revision_config,
        repo_commit_sha: "made-up",
      };
      const made = await t.create({ source_revision_config });
      expect(made.source_revision_config.repo_commit_sha).to.equal(null);
    });

    it("refuses what newer clients send and it can't do, in place of a success without it", async () => {
      const references = {
        ...aGitDeployment(t.integrationId),
        secret_references: [{ name: "KEY" }],
      };
      const { status, body } = await t.request("POST", "/v2/deployments", references);
      expect(status).to.equal(422);
      expect(JSON.stringify(body)).to.contain(
        "is known in the dialect langsmith alone; send values in",
      );
      const none = { ...aGitDeployment(t.integrationId), secret_references: [] };
      expect((await t.request("POST", "/v2/deployments", none)).status).to.equal(201);
      for (const source of ["internal_source", "internal_template"]) {
        const answer = await t.request("POST", LIST, { ...none, source });
        expect(answer.status).to.equal(422);
        expect(JSON.stringify(answer.body)).to.contain(`Input can't be ${source}, `);
      }
      const { id } = await t.create();
      const upload = { revision_source: "internal_source", source_revision_config: {} };
      const patched = await t.request("PATCH", `${LIST}/${id}`, upload);
      expect(patched.status).to.equal(422);
      expect(JSON.stringify(patched.body)).to.contain("can't be internal_source, an upload");
      for (const [endpoint, reason] of [
        ["push-token", "has no registry to push to"],
        ["upload-url", "takes no upload"],
      ])
        expect(await detailOf(400, "POST", `${LIST}/${id}/${endpoint}`)).to.contain(reason);
      const all = await t.request("DELETE", "/v2/deployments?deployment_ids=a");
      expect(all.status).to.equal(405);
    });

    it("refuses an agent in the place of a name, in words", async () => {
      const { name: _, ...rest } = { ...anImageDeployment(), name: undefined };
      const agent = { agent_id: "support", environment: "production" };
      const { status, body } = await t.request("POST", LIST, { ...rest, agent });
      expect(status).to.equal(422);
      expect(JSON.stringify(body)).to.contain(
        "has no agents to name a deployment by; send a `name`",
      );
    });

    it("ignores members that it does not know", async () => {
      const { id } = await t.create({ colour: "blue" });
      const changes = { display_name: "of another dialect", colour: "red" };
      const { status, body } = await t.request("PATCH", `${LIST}/${id}`, changes);
      expect(status).to.equal(200);
      expect(body).to.not.have.any.keys("colour", "display_name");
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
      expect(await taken(name))
        .to.contain("exists already")
        .and.contain(id);
      t.platform.admin.addLeftoverName("ghost");
      expect(await taken("ghost")).to.match(/tracing project.*: ghost$/);
    });
  });

  describe("update", () => {
    it("makes none without a trigger", async () => {
      const { id } = await t.create();
      for (const body of [{}, { secrets: null }, { source_config: { build_on_push: true } }])
        await patch(id, body);
      expect(await countRevisions(id)).to.equal(1);
      expect((await t.get(id)).source_config.build_on_push).to.equal(true);
    });

    it("leaves what is null or not given as it was", async () => {
      const { id, secrets } = await t.create();
      const after = await patch(id, {
        source_revision_config: { repo_ref: "v2", graph_config_path: null },
        secrets: null,
        source_config: { install_command: null },
      });
      expect(after.source_revision_config).to.include({
        repo_ref: "v2",
        graph_config_path: "langgraph.json",
      });
      expect(after.secrets).to.deep.equal(secrets);
    });

    it("replaces the whole environment with a list that is not empty", async () => {
      const { id } = await t.create({
        secrets: [
          { name: "A", value: "1" },
          { name: "B", value: "2" },
        ],
      });
      const after = await patch(id, { secrets: [{ name: "C", value: "3" }] });
      expect(after.secrets).to.deep.equal([{ name: "C", value: "3" }]);
    });

    it("replaces the whole resource spec, and creates a revision", async () => {
      const spec = { resource_spec: { cpu: 1, memory_mb: 512 } };
      const { id } = await t.create({ ...anImageDeployment(), source_config: spec });
      const after = await patch(id, { source_config: { resource_spec: { cpu: 2.04 } } });
      expect(after.source_config.resource_spec).to.include({ cpu: 2, memory_mb: null });
      expect(await countRevisions(id)).to.equal(2);
    });

    it("keeps the listener's namespace when other settings change", async () => {
      const source_config = {
        listener_id: t.listenerId,
        listener_config: { k8s_namespace: "agents" },
      };
      const { id } = await t.create({ ...anImageDeployment(), source_config });
      const after = await patch(id, {
        source_config: {
          custom_url: "https://a.example.com",
          listener_config: { k8s_namespace: null },
        },
      });
      expect(after.source_config).to.deep.include(source_config);
      expect(after.source_config.custom_url).to.equal("https://a.example.com");
    });

    it("answers 400 to an immutable field, even with the value that it has, and changes nothing", async () => {
      const { id, name } = await t.create();
      const body = { name, source_revision_config: { repo_ref: "v2" } };
      const detail = await detailOf(400, "PATCH", `${LIST}/${id}`, body);
      expect(detail).to.equal("name cannot be changed after creation");
      expect(await countRevisions(id)).to.equal(1);
    });

    it("judges build_on_push on the stored ref too", async () => {
      const made = aGitDeployment(t.integrationId).source_revision_config;
      const { id } = await t.create({
        source_revision_config: { ...made, repo_ref: "refs/tags/v1" },
      });
      const path = `${LIST}/${id}`;
      const on = { source_config: { build_on_push: true } };
      expect(await detailOf(400, "PATCH", path, on)).to.contain("build_on_push");
      await patch(id, { ...on, source_revision_config: { repo_ref: "main" } });
      const tag = { source_revision_config: { repo_ref: "refs/tags/v2" } };
      expect(await detailOf(400, "PATCH", path, tag)).to.contain("build_on_push");
    });
  });

  describe("delete", () => {
    let slow: TestPlatform;
    beforeEach(async () => (slow = await startTestPlatform({ stageSeconds: 3600 })));
    afterEach(() => slow.close());

    it("answers 204, then AWAITING_DELETE, at last 404 with the id", async () => {
      const { id } = await slow.create();
      const answer = await slow.request("DELETE", `${LIST}/${id}`);
      expect([answer.status, answer.body]).to.deep.equal([204, undefined]);
      expect((await slow.get(id)).status).to.equal("AWAITING_DELETE");
      await slow.platform.admin.advanceClock(3600);
      await slow.untilGone(id);
      for (const method of ["GET", "DELETE"]) {
        const { status, body } = await slow.request(method, `${LIST}/${id}`);
        expect(status).to.equal(404);
        expect(body).to.deep.equal({ detail: `deployment ${id} not found` });
      }
    });

    it("answers 204 to a second DELETE and 409 to changes while it goes", async () => {
      const { id, latest_revision_id } = await slow.create();
      await slow.request("DELETE", `${LIST}/${id}`);
      expect((await slow.request("DELETE", `${LIST}/${id}`)).status).to.equal(204);
      const revision = `${LIST}/${id}/revisions/${latest_revision_id}`;
      const refused = [
        await slow.request("PATCH", `${LIST}/${id}`, {}),
        await slow.request("POST", `${LIST}/${id}/revisions`, {}),
        await slow.request("POST", `${revision}/redeploy`),
        await slow.request("POST", `${revision}/interrupt`),
      ];
      for (const { status, body } of refused) {
        expect(status).to.equal(409);
        expect(body).to.deep.equal({ detail: `deployment ${id} is being deleted` });
      }
    });

    it("keeps the name taken until the deployment is gone", async () => {
      const { id, name } = await slow.create();
      await slow.request("DELETE", `${LIST}/${id}`);
      const body = { ...aGitDeployment(slow.integrationId), name };
      const refused = await slow.request("POST", LIST, body);
      expect(refused.status).to.equal(409);
      expect(refused.body).to.have.property("detail").that.contains("still being deleted");
      await slow.platform.admin.advanceClock(3600);
      await slow.untilGone(id);
      await slow.create({ name });
    });
  });

  describe("list", () => {
    it("gives pages, newest first, whose offset is the next request's", async () => {
      const own = await startTestPlatform();
      try {
        const ids: string[] = [];
        for (let count = 0; count < 5; count += 1) ids.unshift((await own.create()).id);
        const pages: string[][] = [];
        for (let offset = 0; pages.at(-1)?.length !== 1;) {
          const { body } = await own.request("GET", `${LIST}?limit=2&offset=${offset}`);
          const page = DeploymentsList.parse(body);
          expect(page.offset).to.equal(offset + page.resources.length);
          offset = page.offset;
          pages.push(page.resources.map(({ id }) => id));
        }
        expect(pages).to.deep.equal([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
        const { body } = await own.request("GET", `${LIST}?offset=99`);
        expect(body).to.deep.equal({ resources: [], offset: 99 });
      } finally {
        await own.close();
      }
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

    it("takes a % in a part of a name for itself, and no empty item of a list for an id", async () => {
      const ids = [await t.create(), await t.create()].map(({ id }) => id);
      expect(await listed("name_contains=%25")).to.deep.equal([]);
      expect(await listed(`deployment_ids=${ids.join(", ")},`)).to.deep.equal(ids.toReversed());
    });

    it("refuses a filter that it does not know, on every list", async () => {
      const { id } = await t.create();
      const query = "?agent_id=a&agent_environment=production&limit=1";
      for (const list of [LIST, `${LIST}/${id}/revisions`, "/v2/listeners"]) {
        const { status, body } = await t.request("GET", list + query);
        expect(status, list).to.equal(422);
        // Exact names are the public service's.
        if (list === LIST) expect((await t.request("GET", `${list}?name=x`)).status).to.equal(422);
        const refusal = { msg: "Extra inputs are not permitted", type: "extra_forbidden" };
        expect(body).to.deep.equal({
          detail: [
            { loc: ["query", "agent_id"], ...refusal },
            { loc: ["query", "agent_environment"], ...refusal },
          ],
        });
      }
    });

    it("takes an id in capitals wherever one is given", async () => {
      const upper = (id: string) => id.toUpperCase();
      const { source_config: config, ...git } = aGitDeployment(upper(t.integrationId));
      const made = await t.create({ ...git, name: "in-capitals", source_config: config });
      expect(made.source_config.integration_id).to.equal(t.integrationId);
      expect(await listed(`deployment_ids=${upper(made.id)}`)).to.deep.equal([made.id]);
      expect((await t.get(upper(made.id))).id).to.equal(made.id);
      const placed = await t.create({
        ...anImageDeployment(),
        source_config: { resource_spec: {}, listener_id: upper(t.listenerId) },
      });
      expect(placed.source_config.listener_id).to.equal(t.listenerId);
      const outcome = { deploymentId: upper(made.id), stage: "build", status: "BUILD_FAILED" };
      expect((await t.admin("POST", "/outcomes", { ...outcome, reason: "x" })).status).to.be.below(
        300,
      );
    });
  });
});
