import { expect } from "chai";
import { roundCpu } from "../../sdk/schema";
import { recordOf } from "../../shared/records";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { createDeployment, createListener, createOAuthProvider } from "./bodies";
import { ServedDocument } from "./document";
import { check } from "./check";

const DEPLOYMENTS = "/v2/deployments";
const DEPLOYMENT = `${DEPLOYMENTS}/{deployment_id}`;
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
});

/** Every member that was given and not null is there, at any depth of the settings. */
function expectGiven(answer: unknown, given: object): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue;
    const found = recordOf(answer)[name];
    if (SETTINGS.test(name)) expectGiven(found, value);
    else expect(found, name).to.deep.equal(value);
  }
}

const SETTINGS = /^(source_config|source_revision_config|resource_spec|listener_config)$/;
