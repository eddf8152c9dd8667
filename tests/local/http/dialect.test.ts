import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { expect } from "chai";
import { z } from "zod";
import { DEPLOYMENT_TYPES } from "../../../sdk/dialect";
import type { Deployment } from "../../../sdk/schema";
import { usePlatform } from "../../support/platform";

const DEPLOYMENTS = "/v2/deployments";
const GITHUB = "/v1/integrations/github";
const SPEC = { redis_cpu: 1, redis_cpu_limit: 2, redis_memory_mb: 512 };
/** The contract's own names: none of them may be seen. */
const CONTRACT_NAMES =
  /"(git_host|external_container|internal_container|graph_config_path|cache_(cpu|cpu_limit|memory_mb))"|\/git_host\//;

const Bare = z.record(z.string(), z.unknown());
const Document = z.object({
  paths: z.record(z.string(), z.unknown()),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
const Page = z.object({ resources: z.array(Bare) });
const Problems = z.object({ detail: z.array(z.object({ loc: z.array(z.unknown()) })) });

describe("local/http/dialect langsmith", () => {
  const t = usePlatform({ dialect: "langsmith" });
  let made: Deployment;
  let created = 0;
  before(async () => {
    const secrets = [{ name: "graph_config_path", value: "git_host" }];
    made = await t.create({ name: "git-made", secrets });
  });

  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await t.request(method, path, body);
    const text = JSON.stringify(answer.body) ?? "null";
    return { status: answer.status, text, body: JSON.parse(text) };
  };
  const post = (body: unknown) => send("POST", DEPLOYMENTS, body);
  /** With any method, and the headers as they are on the wire. */
  const exchange = async (method: string, path: string) => {
    const headers = { "X-Api-Key": t.platform.apiKey };
    const sent = httpRequest(`${t.platform.url}${path}`, { method, headers }).end();
    const [response] = await once(sent, "response");
    const { statusCode: status, headers: answered } = response;
    const body = await textOf(response);
    return { status, allow: answered.allow, length: answered["content-length"], body };
  };
  const anImage = (changes: object = {}) => {
    created += 1;
    return {
      name: `image-${created}`,
      source: "external_docker",
      source_config: { resource_spec: SPEC },
      source_revision_config: { image_uri: "registry.example.com/agent:1" },
      secrets: [],
      ...changes,
    };
  };

  it("takes the filter name for the whole name, and serves integrations under the service's path alone, with and without /api-host", async () => {
    const listed = async (query: string) =>
      Page.parse((await send("GET", `/v2/deployments?${query}`)).body).resources.length;
    expect(await listed("name=git-made")).to.equal(1);
    expect(await listed("name=git-made&name_contains=made")).to.equal(1);
    expect(await listed("name=git")).to.equal(0);
    expect((await send("GET", "/v2/deployments?agent_id=a")).status).to.equal(422);
    for (const prefix of ["", "/api-host"]) {
      for (const path of ["install", `${t.integrationId}/repos`]) {
        const { status, body } = await send("GET", `${prefix}${GITHUB}/${path}`);
        expect([status, body.length]).to.deep.equal([200, 1]);
        const lost = await send("GET", `${prefix}/v1/integrations/git_host/${path}`);
        expect([lost.status, lost.body]).to.deep.equal([404, { detail: "Not Found" }]);
      }
    }
  });

  it("takes the types of newer versions of the service, which the contract's dialect does not list", async () => {
    const config = { source: "internal_docker", source_revision_config: {} };
    for (const deployment_type of DEPLOYMENT_TYPES) {
      const body = anImage({ ...config, source_config: { deployment_type } });
      const { body: answer } = await post(body);
      expect(answer.source_config).to.include({ deployment_type });
      const found = await send("GET", `/v2/deployments?deployment_type=${deployment_type}`);
      expect(found.text).to.contain(answer.id);
    }
    expect((await send("GET", "/openapi.json")).text).to.contain("dev_free_zero");
  });

  it("keeps a display name, which a PATCH sets and a create does not, without a revision", async () => {
    const { body: first } = await post(anImage({ display_name: "A" }));
    expect(first).to.have.property("display_name", null);
    const path = `/v2/deployments/${first.id}`;
    for (const display_name of ["Support desk", null]) {
      const { body: patched } = await send("PATCH", path, { display_name });
      expect(patched).to.include({ display_name: "Support desk" });
    }
    for (const display_name of ["", 42]) {
      const { body: refusal } = await send("PATCH", path, { display_name });
      expect(refusal.detail[0].loc).to.deep.equal(["body", "display_name"]);
    }
    const { body } = await send("GET", path);
    expect(body).to.include({ name: first.name, display_name: "Support desk" });
    expect(body.latest_revision_id).to.equal(first.latest_revision_id);
  });

  it("keeps references to secrets of an image, and redeploys with them, until an empty list removes them", async () => {
    const reference = { name: "MODEL_API_KEY", secret_name: "agents", secret_key: "model" };
    const secret_references = [reference];
    const { body: first } = await post(anImage({ secret_references }));
    expect(first).to.have.deep.property("secret_references", secret_references);
    const path = `${DEPLOYMENTS}/${first.id}`;
    const redeploy = `${path}/revisions/${first.latest_revision_id}/redeploy`;
    const { body: again } = await send("POST", redeploy);
    expect(again).to.have.deep.property("secret_references", secret_references);
    const { source_revision_config } = anImage();
    const { body: next } = await send("PATCH", path, { source_revision_config });
    expect(next).to.have.deep.property("secret_references", secret_references);
    const { body: kept } = await send("PATCH", path, { secret_references: null });
    expect(kept.latest_revision_id).to.equal(next.latest_revision_id);
    const { body: cleared } = await send("PATCH", path, { secret_references: [] });
    expect(cleared).to.have.deep.property("secret_references", []);
    expect(cleared.latest_revision_id).to.not.equal(kept.latest_revision_id);
    const secrets = [{ name: "MODEL_API_KEY", value: "a" }];
    for (const body of [
      { secrets, secret_references },
      { secret_references: [reference, reference] },
    ]) {
      const refused = await send("PATCH", path, body);
      expect(refused.status).to.equal(400);
      expect(refused.text).to.contain("MODEL_API_KEY of secret_references is set twice");
    }
    const git = await send("PATCH", `${DEPLOYMENTS}/${made.id}`, { secret_references });
    expect(git.text).to.contain("is for source external_docker only, not github");
  });

  it("takes and answers the service's names of sources and fields, and what a revision is made of nested only, wherever it is answered", async () => {
    const image = await post(anImage());
    expect(image.body.source_config.resource_spec).to.include(SPEC);
    const internal = { source: "internal_docker", source_config: {}, source_revision_config: {} };
    const second = await post(anImage(internal));
    const change = { source_revision_config: { langgraph_config_path: "app/langgraph.json" } };
    const git = await send("PATCH", `/v2/deployments/${made.id}`, change);
    expect(git.body.source_revision_config).to.include(change.source_revision_config);
    expect(git.body.secrets).to.deep.equal([{ name: "graph_config_path", value: "git_host" }]);
    const listed = Page.parse((await send("GET", DEPLOYMENTS)).body).resources;
    const sources = new Set(listed.map(({ source }) => source));
    expect(sources).to.deep.equal(new Set(["internal_docker", "external_docker", "github"]));
    const names = JSON.stringify({ ...git.body, secrets: [] }) + image.text + second.text;
    expect(names).to.not.match(CONTRACT_NAMES);
    const revisions = `/v2/deployments/${made.id}/revisions`;
    const posted = (await send("POST", revisions, {})).body;
    const found = Page.parse((await send("GET", revisions)).body).resources;
    const got = (await send("GET", `${revisions}/${posted.id}`)).body;
    const own = ["id", "created_at", "updated_at", "status", "source", "source_revision_config"];
    const nested = ["repo_ref", "langgraph_config_path", "image_uri", "repo_commit_sha"];
    for (const revision of [posted, got, ...found]) {
      expect(revision).to.have.all.keys(own);
      expect(revision.source_revision_config).to.have.all.keys(nested);
      expect(revision).to.have.property("source", "github");
    }
  });

  it("names the places of problems as the request did, and speaks of them in the same words", async () => {
    const body = anImage({
      source: "docker",
      source_config: { resource_spec: { redis_cpu: 9, redis_memory_mb: "x" } },
      source_revision_config: { langgraph_config_path: 1 },
    });
    const { status, body: answer, text } = await post(body);
    expect(status).to.equal(422);
    const places = Problems.parse(answer).detail.map(({ loc }) => loc.slice(1).join("."));
    const spec = "source_config.resource_spec";
    const config = "source_revision_config.langgraph_config_path";
    const expected = ["source", `${spec}.redis_cpu`, `${spec}.redis_memory_mb`, config];
    expect(places).to.have.members(expected);
    expect(text).to.contain("'external_docker'").and.to.not.contain("external_container");
    const rule = await post(anImage({ source: "github" }));
    expect(rule.status).to.equal(400);
    expect(rule.text).to.contain("langgraph_config_path is required for source github");
  });

  it("leaves the user's own words in problems as they are", async () => {
    const body = anImage({ name: "github" });
    await post(body);
    expect((await post(body)).body.detail).to.match(/: github$/);
    const of = (source_config: object) => post(anImage({ source_config }));
    const placing = { listener_id: t.listenerId, listener_config: { k8s_namespace: "cache_cpu" } };
    expect((await of(placing)).text).to.contain("no namespace 'cache_cpu'");
    expect((await send("GET", "/v2/auth/providers/git_host")).text).to.contain("git_host");
    const label = await of({ resource_spec: { labels: { cache_cpu: 1 } } });
    expect(Problems.parse(label.body).detail[0]?.loc.at(-1)).to.equal("cache_cpu");
    const volume_mounts = [{ name: "cache_cpu", mountPath: "/" }];
    const volume = await of({ resource_spec: { volume_mounts } });
    expect(volume.text).to.contain("names no volume of this spec: 'cache_cpu'");
  });

  it("answers 405 to a method that fetch does not know, and HEAD without a body's length", async () => {
    expect(await exchange("TRACE", DEPLOYMENTS)).to.include({ status: 405, allow: "GET, POST" });
    const head = await exchange("HEAD", `/v2/deployments/${made.id}`);
    expect(head).to.deep.include({ status: 200, allow: undefined, length: undefined, body: "" });
    const got = await exchange("GET", `/v2/deployments/${made.id}`);
    expect(got.length).to.equal(String(Buffer.byteLength(got.body)));
  });

  it("describes itself in the same names, and leaves agent URLs and the admin API as they are", async () => {
    const { text, body } = await send("GET", "/openapi.json");
    expect(text).to.not.match(CONTRACT_NAMES);
    const document = Document.parse(body);
    expect(document.paths).to.include.keys(`${GITHUB}/install`, `${GITHUB}/{integration_id}/repos`);
    for (const name of ["redis_cpu", "langgraph_config_path", "github", "external_docker"])
      expect(text, name).to.contain(`"${name}"`);
    const revision = Bare.parse(document.components.schemas["Revision"]);
    for (const place of ["properties", "required"])
      expect(JSON.stringify(revision[place]), place).to.not.contain("repo_ref");
    const agent = await send("POST", `/agents/${made.id}/threads`, { source: "github" });
    expect(agent.status).to.equal(501);
    const contract = { source: "git_host", graph_config_path: "x" };
    t.platform.admin.addFault({ match: { path: "/agents/*" }, action: "status", body: contract });
    expect((await send("GET", `/agents/${made.id}/x`)).body).to.deep.equal(contract);
  });
});
