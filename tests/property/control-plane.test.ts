import { expect } from "chai";
import fc from "fast-check";
import { randomUUID } from "node:crypto";
import { roundCpu, type UpdateDeployment } from "../../sdk/schema";
import { recordOf } from "../../shared/records";
import {
  aGitDeployment,
  anImageDeployment,
  startTestPlatform,
  type TestPlatform,
} from "../support/platform";
import {
  createDeployment,
  createListener,
  createOAuthProvider,
  spoiled,
  text,
  updateGitDeployment,
  updateImageDeployment,
} from "./bodies";
import { ServedDocument } from "./document";
import { check } from "./check";

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;
const REVISIONS = `${DEPLOYMENT}/revisions`;
const LISTENERS = "/v2/listeners";
const PROVIDERS = "/v2/auth/providers";

describe("the control plane, whatever it is sent", () => {
  let t: TestPlatform;
  let document: ServedDocument;
  before(async () => {
    // No stage ends by itself: what is read twice is the same.
    t = await startTestPlatform({ stageSeconds: 36_000 });
    document = new ServedDocument((await t.request("GET", "/openapi.json")).body);
  });
  after(() => t.close());

  /** Sends a request to a path of the document; the response is one that the document describes. */
  const send = async (
    method: string,
    path: string,
    {
      ids = {},
      query = "",
      body,
    }: { ids?: Record<string, string>; query?: string; body?: unknown },
  ) => {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(ids[name] ?? ""));
    const answer = await t.request(method, `${filled}${query}`, body);
    expect(answer.status, JSON.stringify(answer.body)).to.be.below(500);
    expect(document.problemsOf(method, path, answer), JSON.stringify(answer)).to.deep.equal([]);
    return answer;
  };
  let count = 0;
  /** A counter that makes names new. */
  const next = () => (count += 1);
  const idOf = (body: unknown, member = "id") => String(recordOf(body)[member]);

  it("keeps what a create of a deployment gave, and answers it again", () =>
    check(40, createDeployment(t), async (generated) => {
      const body = { ...generated, name: `${generated.name}-${next()}` };
      const made = await send("POST", DEPLOYMENTS, { body });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      const read = await send("GET", DEPLOYMENT, { ids: { deployment_id: idOf(made.body) } });
      expect(read.body).to.deep.equal(made.body);
      const { resource_spec: spec, ...config } = body.source_config;
      expectGiven(read.body, {
        ...body,
        source_config: { ...config, resource_spec: spec && roundCpu(spec) },
        secrets: undefined,
      });
      expect(read.body).to.have.property("secrets").that.deep.equals(body.secrets);
    }));

  it("keeps what a create of a listener gave, and answers it again", () =>
    check(40, createListener, async (generated) => {
      const body = { ...generated, compute_id: `${generated.compute_id}-${next()}` };
      const made = await send("POST", LISTENERS, { body });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      const ids = { listener_id: idOf(made.body) };
      const path = `${LISTENERS}/{listener_id}`;
      expect((await send("GET", path, { ids })).body).to.deep.equal(made.body);
      expectGiven(made.body, body);
    }));

  it("keeps what a create of an OAuth provider gave but its secret, and answers it again", () =>
    check(40, createOAuthProvider, async ({ client_secret, ...generated }) => {
      const body = { ...generated, provider_id: `${generated.provider_id}-${next()}` };
      const made = await send("POST", PROVIDERS, { body: { ...body, client_secret } });
      expect(made.status, JSON.stringify(made.body)).to.equal(200);
      const ids = { provider_id: body.provider_id };
      const path = `${PROVIDERS}/{provider_id}`;
      expect((await send("GET", path, { ids })).body).to.deep.equal(made.body);
      expectGiven(made.body, body);
    }));

  const isThere = (value: unknown) => value !== null && value !== undefined;
  const hasTrigger = ({ source_config, source_revision_config, secrets }: UpdateDeployment) =>
    Object.values(source_revision_config ?? {}).some(isThere) ||
    isThere(source_config?.resource_spec) ||
    isThere(secrets);
  const countRevisions = async (deployment_id: string) => {
    const { body } = await send("GET", REVISIONS, { ids: { deployment_id } });
    return recordOf(body)["offset"];
  };

  for (const [kind, create, updates] of [
    ["git", () => ({}), updateGitDeployment],
    ["an image", anImageDeployment, updateImageDeployment],
  ] as const)
    it(`creates one revision by a PATCH with a trigger and none without (${kind})`, () =>
      check(30, updates, async (body) => {
        const { id: deployment_id } = await t.create(create());
        const ids = { deployment_id };
        const changed = await send("PATCH", DEPLOYMENT, { ids, body });
        expect(changed.status, JSON.stringify(changed.body)).to.equal(200);
        expect(await countRevisions(deployment_id)).to.equal(hasTrigger(body) ? 2 : 1);
        expect((await send("GET", DEPLOYMENT, { ids })).body).to.deep.equal(changed.body);
        const made = await send("POST", REVISIONS, { ids, body });
        expect(made.status, JSON.stringify(made.body)).to.equal(201);
        expect(await countRevisions(deployment_id)).to.equal(hasTrigger(body) ? 3 : 2);
      }));

  it("answers bodies that do not fit as the document says, and goes on", async () => {
    const git = await t.create();
    const image = await t.create(anImageDeployment());
    const listener = {
      compute_type: "k8s",
      compute_id: "c",
      compute_config: { k8s_namespaces: ["a"] },
    };
    const { body } = await send("POST", LISTENERS, { body: listener });
    const ids = { listener_id: idOf(body), provider_id: "acme" };
    const urls = { auth_url: "https://id.example.com/a", token_url: "https://id.example.com/t" };
    const provider = { provider_id: "acme", name: "A", client_id: "c", ...urls };
    await send("POST", PROVIDERS, { body: provider });
    const updates = fc.oneof(updateGitDeployment, updateImageDeployment);
    const targets: [string, string, Record<string, string>, fc.Arbitrary<unknown>][] = [
      ["POST", DEPLOYMENTS, {}, createDeployment(t)],
      ["PATCH", DEPLOYMENT, { deployment_id: git.id }, updates],
      ["PATCH", DEPLOYMENT, { deployment_id: image.id }, updates],
      ["POST", REVISIONS, { deployment_id: image.id }, updates],
      ["POST", LISTENERS, {}, createListener],
      ["PATCH", `${LISTENERS}/{listener_id}`, ids, createListener],
      ["POST", PROVIDERS, {}, createOAuthProvider],
      ["PATCH", `${PROVIDERS}/{provider_id}`, ids, createOAuthProvider],
    ];
    for (const [method, path, named, bodies] of targets)
      await check(40, spoiled(bodies), async (sent) => {
        await send(method, path, { ids: named, body: sent });
      });
  });

  it("answers paths that name nothing as the document says", () =>
    check(60, fc.tuple(text, fc.boolean()), async ([any, isUuid]) => {
      const id = isUuid || any === "" ? randomUUID() : Buffer.from(any).toString();
      if (id === "." || id === ".." || id.includes("/")) return;
      const ids = {
        deployment_id: id,
        revision_id: id,
        listener_id: id,
        provider_id: id,
        integration_id: id,
      };
      const paths: [string, string][] = [
        ["GET", DEPLOYMENT],
        ["DELETE", DEPLOYMENT],
        ["POST", `${REVISIONS}/{revision_id}/redeploy`],
        ["POST", `${REVISIONS}/{revision_id}/interrupt`],
        ["DELETE", `${LISTENERS}/{listener_id}`],
        ["GET", `${PROVIDERS}/{provider_id}`],
        ["GET", "/v1/integrations/git_host/{integration_id}/repos"],
      ];
      for (const [method, path] of paths)
        expect((await send(method, path, { ids })).status).to.be.oneOf([404, 422]);
    }));

  it("answers any query as the document says", async () => {
    const { id, latest_revision_id } = await t.create(aGitDeployment(t.integrationId));
    const number = fc.oneof(
      fc.integer({ min: -1, max: 101 }).map(String),
      fc.maxSafeInteger().map(String),
      fc.constantFrom("", "1.5", "1e3", "0x10", "null", "NaN", " 7 "),
    );
    const any = fc.oneof(text, fc.constantFrom("READY", "true", "0", "dev", "asc", "build", id));
    const members = {
      limit: number,
      offset: number,
      name_contains: any,
      status: any,
      remote_reconciled: any,
      tag_value_ids: any,
      image_version: any,
      deployment_type: any,
      deployment_ids: any,
      type: any,
      order: any,
    };
    const ids = { deployment_id: id, revision_id: latest_revision_id ?? "" };
    await check(60, fc.record(members, { requiredKeys: [] }), async (query) => {
      const search = `?${new URLSearchParams(Object.entries(query)).toString()}`;
      for (const path of [DEPLOYMENTS, REVISIONS, LISTENERS, `${REVISIONS}/{revision_id}/logs`])
        expect((await send("GET", path, { ids, query: search })).status).to.be.oneOf([200, 422]);
    });
  });
});

/** Every member that was given and not null is there, at any depth of the settings. */
function expectGiven(answer: unknown, given: object): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const found = recordOf(answer)[name];
    if (SETTINGS.has(name)) expectGiven(found, value);
    else expect(found, name).to.deep.equal(value);
  }
}

const SETTINGS = new Set([
  "source_config",
  "source_revision_config",
  "resource_spec",
  "listener_config",
]);
