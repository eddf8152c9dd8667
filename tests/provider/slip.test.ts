import { expect } from "chai";
import type { Props } from "../../provider/arguments/props";
import { deploymentLifecycle } from "../../provider/deployment/lifecycle";
import type { Lifecycle } from "../../provider/resource/lifecycle";
import { listenerLifecycle } from "../../provider/listener/operations";
import { oauthProviderLifecycle } from "../../provider/oauth-provider/operations";
import { isRecord } from "../../shared/records";
import { json } from "../support/http";
import { OAUTH_INPUTS } from "../support/inputs";
import { contextOf } from "../support/lifecycle";
import { type TestPlatform, useFreshPlatform } from "../support/platform";
import { gitArgs } from "../support/program";
import { startRelay } from "../support/relay";
import { reasonOf } from "../support/rejection";

/** A kind of thing on a control plane: the path of its list, and what one is created from. */
interface Kind {
  readonly lifecycle: Lifecycle;
  readonly path: string;
  readonly inputs: (test: TestPlatform) => Props;
}

const RESOURCE_TYPES: Readonly<Record<string, Kind>> = {
  deployment: {
    lifecycle: deploymentLifecycle,
    path: "/v2/deployments",
    inputs: (test) => ({ ...gitArgs(test), name: "support", env: { A: "1" } }),
  },
  listener: {
    lifecycle: listenerLifecycle,
    path: "/v2/listeners",
    inputs: () => ({ computeType: "k8s", computeId: "c", computeConfig: { k8sNamespaces: ["a"] } }),
  },
  "OAuth provider": {
    lifecycle: oauthProviderLifecycle,
    path: "/v2/auth/providers",
    inputs: () => ({ ...OAUTH_INPUTS, clientSecret: "secret" }),
  },
};

/** The list of revisions says which is the latest. */
const withoutLatest = (shown: Record<string, unknown>) => ({
  ...shown,
  ...("latest_revision_id" in shown && { latest_revision_id: null }),
});

describe("a 404 that is the slip of a replica", () => {
  const test = useFreshPlatform();

  const context = () => contextOf(test.platform);
  /** The next reads of something by its id answer 404. */
  const slip = (path: string, times: number, detail = "not found") =>
    test.answers({ method: "GET", path: `${path}/*` }, 404, { detail }, times);
  /** One that was created an hour ago. */
  const old = async ({ lifecycle, inputs }: Kind) => {
    const made = await lifecycle.create(inputs(test), context());
    await test.platform.admin.advanceClock(3_600);
    return made;
  };

  for (const [noun, kind] of Object.entries(RESOURCE_TYPES)) {
    const { lifecycle, path } = kind;

    it(`makes no orphan of a ${noun}: a destroy sends its DELETE all the same`, async () => {
      const { id, outs } = await old(kind);
      slip(path, 2);
      await lifecycle.delete(id, outs, context());
      expect((await test.request("GET", `${path}/${id}`)).status).to.equal(404);
    });

    it(`drops no ${noun} from the state, however old it is`, async () => {
      const { id, outs } = await old(kind);
      slip(path, 1);
      expect((await lifecycle.read(id, outs, context())).id).to.equal(id);
      await test.request("DELETE", `${path}/${id}`);
      if (noun === "deployment") await test.untilGone(id);
      expect((await lifecycle.read(id, outs, context())).id).to.equal("");
    });
  }

  for (const until of ["active", "deployed", "none"])
    it(`ends no create and no update of a deployment that waits until ${until}`, async () => {
      const { lifecycle, inputs, path } = RESOURCE_TYPES["deployment"] ?? expect.fail();
      const declared = { ...inputs(test), wait: { until } };
      slip(path, until === "none" ? 1 : 2);
      const { id, outs } = await lifecycle.create(declared, context());
      await test.untilRevision(id, "DEPLOYED");
      slip(path, 1);
      await lifecycle.update(id, outs, { ...declared, env: { A: "2" } }, context());
      expect(await test.revisions(id)).to.have.length(2);
    });

  it("ends no update whose PATCH has lost its answer", async () => {
    const { lifecycle, inputs } = RESOURCE_TYPES["deployment"] ?? expect.fail();
    const late: RegExp[] = [];
    const relay = await startRelay(test.platform.url, async (request, response, pass) => {
      const { method, url, body } = request;
      if (method === "PATCH") {
        await test.request(method, url, JSON.parse(body));
        late.push(/deployments\/[^/]+$/, /\/revisions\?/);
        return response.destroy();
      }
      const at = late.findIndex((path) => path.test(url));
      if (at === -1) return pass((shown) => (isRecord(shown) ? withoutLatest(shown) : shown));
      late.splice(at, 1);
      return json(response, 404, { detail: "late" });
    });
    const { url } = relay;
    const through = () => contextOf({ ...test.platform, url });
    const { id, outs } = await lifecycle.create(inputs(test), through());
    await lifecycle.update(id, outs, { ...inputs(test), env: { A: "2" } }, through());
    await relay.close();
    expect(late).to.be.empty;
    expect(await test.revisions(id)).to.have.length(2);
  });

  it("of a slug with a framework's words lets an OAuth provider be created, and believes the list of them", async () => {
    const { lifecycle, inputs, path } = RESOURCE_TYPES["OAuth provider"] ?? expect.fail();
    slip(path, 1, "Not Found");
    const { id, outs } = await lifecycle.create(inputs(test), context());
    slip(path, 1, "Not Found");
    expect((await lifecycle.read(id, outs, context())).id).to.equal(id);
    await test.request("DELETE", `${path}/${id}`);
    slip(path, 2, "Not Found");
    expect((await lifecycle.read(id, outs, context())).id).to.equal("");
    test.answers({ path: `${path}*` }, 404, { detail: "Not Found" }, 9);
    expect(await reasonOf(lifecycle.read(id, outs, context()))).to.contain(
      "does not offer this endpoint",
    );
  });
});
