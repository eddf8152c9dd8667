import { expect } from "chai";
import { roundCpu } from "../../sdk/schema";
import { recordOf } from "../../shared/records";
import { usePlatform } from "../support/platform";
import { createDeployment, createListener, createOAuthProvider } from "./bodies";
import { ServedDocument } from "./document";
import { check } from "./check";

const DEPLOYMENTS = "/v2/deployments";
const PROVIDERS = "/v2/auth/providers";

describe("the control plane, whatever it is sent", () => {
  const t = usePlatform({ stageSeconds: 36_000 });
  let document: ServedDocument;
  before(async () => {
    // No stage ends by itself: what is read twice is the same.
    document = new ServedDocument((await t.request("GET", "/openapi.json")).body);
  });

  let count = 0;
  const next = () => (count += 1);

  /** The answer to a create, which is that to a read of it too; the document describes both. */
  const made = async (path: string, id: string, body: object) => {
    const created = await t.request("POST", path, body);
    expect(created.status, JSON.stringify(created.body)).to.equal(path === PROVIDERS ? 200 : 201);
    const own = String(recordOf(created.body)[path === PROVIDERS ? id : "id"]);
    const read = await t.request("GET", `${path}/${encodeURIComponent(own)}`);
    expect(read.body).to.deep.equal(created.body);
    const problems = [
      ...document.problemsOf("POST", path, created),
      ...document.problemsOf("GET", `${path}/{${id}}`, read),
    ];
    expect(problems, JSON.stringify(created)).to.deep.equal([]);
    return created.body;
  };

  it("keeps what a create of a deployment gave, and answers it again", () =>
    check(40, createDeployment(t), async (generated) => {
      const body = { ...generated, name: `${generated.name}-${next()}` };
      const answer = await made(DEPLOYMENTS, "deployment_id", body);
      const { resource_spec: spec, ...config } = body.source_config;
      expectGiven(answer, {
        ...body,
        source_config: { ...config, resource_spec: spec && roundCpu(spec) },
        secrets: undefined,
      });
      expect(answer).to.have.property("secrets").that.deep.equals(body.secrets);
    }));

  it("keeps what a create of a listener gave, and answers it again", () =>
    check(40, createListener, async (generated) => {
      const body = { ...generated, compute_id: `${generated.compute_id}-${next()}` };
      expectGiven(await made("/v2/listeners", "listener_id", body), body);
    }));

  it("keeps what a create of an OAuth provider gave but its secret, and answers it again", () =>
    check(40, createOAuthProvider, async ({ client_secret, ...generated }) => {
      const body = { ...generated, provider_id: `${generated.provider_id}-${next()}` };
      expectGiven(await made(PROVIDERS, "provider_id", { ...body, client_secret }), body);
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
