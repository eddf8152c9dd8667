import { expect } from "chai";
import { MOST_NAMES } from "../../../provider/deployment/name";
import { derivedName } from "../../support/deployment";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { URN } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { aGitDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { startRelay } from "../../support/relay";
import { rejection } from "../../support/rejection";

describe("a create after one that left no record", () => {
  let test: TestPlatform;
  let said: string[] = [];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const context = () => contextOf(test.platform, said);
  const checked = async (more = {}) => {
    const declared = { ...gitArgs(test), wait: { timeoutSeconds: 600 }, ...more };
    return (await lifecycle.check({}, declared, context())).inputs ?? {};
  };
  const create = async (more = {}) => lifecycle.create(await checked(more), context());
  const revisions = async (id: string): Promise<number> =>
    Object((await test.request("GET", `/v2/deployments/${id}/revisions`)).body).resources.length;

  it("comes to the same deployment while the other still runs", async () => {
    const [one, other] = await Promise.all([create(), create()]);
    expect(one.id).to.equal(other.id);
    expect(Object((await test.request("GET", "/v2/deployments")).body).resources).to.have.length(1);
    expect(await revisions(one.id)).to.equal(1);
  });

  it("sends what changed since and makes no revision", async () => {
    const { id } = await create();
    const { sourceConfig } = gitArgs(test);
    const { outs } = await create({ sourceConfig: { ...sourceConfig, buildOnPush: true } });
    expect(outs).to.have.nested.property("sourceConfig.buildOnPush", true);
    expect((await test.get(id)).source_config.build_on_push).to.equal(true);
    expect(test.platform.admin.requests()).to.include({ [`PATCH /v2/deployments/${id}`]: 1 });
    expect(await revisions(id)).to.equal(1);
  });

  it("reports the failure of the first revision, which the next update follows up", async () => {
    test.platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
    const first = await rejection(create());
    const second = await rejection(create());
    expect(second).to.have.property("id", Object(first).id);
    expect(second).to.have.nested.property("properties.rollout.state", "failed");
    expect(said.join()).to.contain(`takes over deployment ${Object(first).id}`);
  });
});

describe("a create whose answer can't be read", () => {
  it("finds the deployment that it made, and makes no second one", async () => {
    const test = await startTestPlatform();
    let made = "";
    const relay = await startRelay(
      test.platform.url,
      async ({ method, url, body }, response, pass) => {
        if (method !== "POST") return pass();
        made = Object((await test.request(method, url, body)).body).id;
        return response.writeHead(201).end("[".repeat(5000) + "]".repeat(5000));
      },
    );
    try {
      const context = contextOf({ ...test.platform, url: relay.url });
      const declared = { ...gitArgs(test), name: "support", wait: { timeoutSeconds: 10 } };
      const { inputs = {} } = await lifecycle.check({}, declared, context);
      expect(await lifecycle.create(inputs, context)).to.have.property("id", made);
      expect(relay.received.filter(({ method }) => method === "POST")).to.have.length(1);
    } finally {
      await relay.close();
      await test.close();
    }
  });
});

describe("creates of one logical name under two types of components", () => {
  const SIBLING = URN.replace("::pulumi-nodejs", "::shop:index:Desk$pulumi-nodejs");
  let test: TestPlatform;
  let said: string[] = [];
  beforeEach(async () => {
    said = [];
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const as = (urn: string) => ({ ...contextOf(test.platform, said), urn });
  const checked = async (urn: string, more = {}) => {
    const declared = { ...gitArgs(test), wait: { timeoutSeconds: 600 }, ...more };
    return (await lifecycle.check({}, declared, as(urn))).inputs ?? {};
  };
  const create = async (urn: string, more = {}) =>
    lifecycle.create(await checked(urn, more), as(urn));
  const nameOf = (attempt: number) => derivedName(URN, gitArgs(test), attempt);
  /** A deployment that an `up` has made which ended before this process began. */
  const madeBefore = async () => {
    const { source_config, source_revision_config, source } = aGitDeployment(test.integrationId);
    const body = { source, source_config, source_revision_config, secrets: [] };
    const { id, name, tenant_id: tenantId } = await test.create({ ...body, name: nameOf(0) });
    return { id, outs: { ...(await checked(URN)), name, tenantId, baseUrl: test.platform.url } };
  };

  it("make one deployment each, also side by side, and each finds its own again", async () => {
    const made = await Promise.all([create(URN), create(SIBLING)]);
    expect(made.map(({ outs }) => outs["name"])).to.deep.equal([nameOf(0), nameOf(1)]);
    const again = await Promise.all([create(URN), create(SIBLING)]);
    expect(again.map(({ id }) => id)).to.deep.equal(made.map(({ id }) => id));
  });

  it("leave the deployment to the resource whose state has it", async () => {
    const { id, outs } = await madeBefore();
    lifecycle.diff(id, { ...outs, __urn: URN }, outs, as(URN));
    const made = await create(SIBLING);
    expect(made.id).not.to.equal(id);
    expect(made.outs).to.have.property("name", nameOf(1));
  });

  it("adopt no deployment that another resource of the program has", async () => {
    const given = { name: "given", adoptExisting: true };
    const { outs } = await create(URN, given);
    const { message } = await rejection(create(SIBLING, given));
    expect(message).to.contain(`create deployment 'given': ${URN} has this name`);
    const known = await test.create({ name: "known" });
    lifecycle.diff(known.id, { ...outs, name: "known" }, outs, as(URN));
    const refused = await rejection(create(SIBLING, { name: "known", adoptExisting: true }));
    expect(refused.message).to.contain(
      `deployment ${known.id} has this name, and ${URN} has the deployment`,
    );
  });

  it("keep a deployment that one took over from another, which is deleted then", async () => {
    const { id, outs } = await madeBefore();
    expect((await create(SIBLING)).id).to.equal(id);
    await lifecycle.delete(id, outs, as(URN));
    expect(said.join()).to.contain(`deployment ${id} stays: ${SIBLING} has it now`);
    expect((await test.get(id)).status).to.equal("READY");
  });

  it("delete nothing that another was to have and was refused, unless they are still in the program", async () => {
    const { id, outs } = await madeBefore();
    const { name } = outs;
    await rejection(create(SIBLING, { name }));
    const { message } = await rejection(lifecycle.delete(id, outs, as(URN)));
    expect(message).to.equal(
      `delete deployment '${name}' (${id}): ${SIBLING} was to have it and was refused (deployment ${id} has this name already); settle that first, nothing was deleted`,
    );
    expect((await test.get(id)).status).not.to.contain("DELETE");
    lifecycle.diff(id, outs, outs, as(URN));
    await lifecycle.delete(id, outs, as(URN));
    expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
  });

  it("delete what is their own under the URN from before a rename too", async () => {
    const { id, outs } = await madeBefore();
    lifecycle.diff(id, { ...outs, __urn: URN }, outs, as(SIBLING));
    await lifecycle.delete(id, outs, as(URN));
    expect((await test.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
  });
});

describe("a derived name that no deployment has and the service refuses", () => {
  let test: TestPlatform;
  beforeEach(async () => {
    test = await startTestPlatform();
  });
  afterEach(() => test.close());

  const leaveBehind = (count: number) => {
    for (let attempt = 0; attempt < count; attempt += 1)
      test.platform.admin.addLeftoverName(derivedName(URN, gitArgs(test), attempt));
  };
  const create = async () => {
    const context = contextOf(test.platform);
    const { inputs = {} } = await lifecycle.check({}, gitArgs(test), context);
    return lifecycle.create(inputs, context);
  };

  it("moves on to the last one that is left", async () => {
    leaveBehind(9);
    expect((await create()).outs).to.have.property("name", derivedName(URN, gitArgs(test), 9));
  });

  it("is an error after ten of them, which asks for a name", async () => {
    leaveBehind(MOST_NAMES);
    const { message } = await rejection(create());
    expect(MOST_NAMES).to.equal(10);
    expect(message)
      .to.contain(derivedName(URN, gitArgs(test), 9))
      .and.contain("tracing project");
    expect(message).to.match(/Give the deployment a name$/);
    expect(test.platform.admin.requests()["POST /v2/deployments"]).to.equal(10);
  });
});
