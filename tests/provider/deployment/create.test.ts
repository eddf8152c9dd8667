import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { MOST_NAMES } from "../../../provider/deployment/declared/name";
import { toCreateRequest } from "../../../provider/deployment/service/post";
import { Deployment } from "../../../sdk/schema";
import { derivedName } from "../../support/deployment";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { messageOf } from "../../../shared/errors";
import { GIT_INPUTS, IMAGE_INPUTS, URN } from "../../support/inputs";
import { afterKill, contextOf } from "../../support/lifecycle";
import { aGitDeployment, startTestPlatform, type TestPlatform } from "../../support/platform";
import { gitArgs } from "../../support/program";
import { startRelay } from "../../support/relay";
import { rejection } from "../../support/rejection";
import { parsed } from "../../support/values";

describe("the request of a create", () => {
  const sizeIn = (inputs: Props) =>
    toCreateRequest(declaredBy(inputs), "support").source_config.resource_spec;

  it("has the resource spec that the public service requires of an image, also where no size is declared", () => {
    expect(sizeIn(IMAGE_INPUTS)).to.deep.equal({});
    expect(sizeIn({ ...IMAGE_INPUTS, sourceConfig: { resourceSpec: { cpu: 1 } } })).to.deep.equal({
      cpu: 1,
    });
    expect(sizeIn(GIT_INPUTS)).to.equal(undefined);
  });
});

describe("a create whose answer can't be read", () => {
  it("finds the deployment that it made, though a replica lists it later, and makes no second one", async () => {
    const test = await startTestPlatform();
    let made = "";
    let staleLists = 2;
    const relay = await startRelay(test.platform.url, async (request, response, pass) => {
      const { method, url, body } = request;
      const isStale = made !== "" && url.includes("name_contains") && (staleLists -= 1) >= 0;
      if (isStale) return response.writeHead(200).end('{"resources":[],"offset":0}');
      if (method !== "POST") return pass();
      made = parsed(Deployment, (await test.request(method, url, body)).body).id;
      return response.writeHead(201).end("[".repeat(5000) + "]".repeat(5000));
    });
    try {
      const real = contextOf({ ...test.platform, url: relay.url });
      const context = { ...real, clock: { ...real.clock, sleep: async () => undefined } };
      const declared = { ...gitArgs(test), name: "support", wait: { until: "none" } };
      const { inputs = {} } = await lifecycle.check({}, declared, context);
      expect(await lifecycle.create(inputs, context)).to.have.property("id", made);
      expect(relay.received.filter(({ method }) => method === "POST")).to.have.length(1);
    } finally {
      await relay.close();
      await test.close();
    }
  });
});

describe("requests for a deployment", () => {
  it("name its resource to a local platform: those that create, read and change it", async () => {
    const test = await startTestPlatform();
    const relay = await startRelay(test.platform.url, (_request, _response, pass) => pass());
    try {
      const context = contextOf({ ...test.platform, url: relay.url });
      const declared = { ...gitArgs(test), name: "support", wait: { until: "none" } };
      const { inputs = {} } = await lifecycle.check({}, declared, context);
      const { id, outs } = await lifecycle.create(inputs, context);
      const changed = { ...declared, secrets: { ADDED: "value" } };
      const news = (await lifecycle.check(outs, changed, context)).inputs ?? {};
      await lifecycle.update(id, outs, news, context);
      const named = relay.received.filter(({ headers }) => headers["x-pulumi-urn"] === URN);
      const methods = named.map(({ method }) => method);
      expect([...new Set(methods)]).to.have.members(["POST", "GET", "PATCH"]);
    } finally {
      await relay.close();
      await test.close();
    }
  });
});

describe("resources that could have the same deployment", () => {
  const OTHER = URN.replace(/support$/, "helpdesk");
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
  const isThere = async (id: string) =>
    (await test.request("GET", `/v2/deployments/${id}`)).status === 200;
  /** A deployment that a resource has created in an earlier `up`, by another process. */
  const createdBefore = async (name: string, more = {}) => {
    const { source_config, source_revision_config, source } = aGitDeployment(test.integrationId);
    const body = { source, source_config, source_revision_config, secrets: [] };
    const { id, tenant_id: tenantId } = await test.create({ ...body, ...more, name });
    return { id, outs: { ...(await checked(URN)), name, tenantId, baseUrl: test.platform.url } };
  };
  const adopting = { name: "given", adoptExisting: true };

  it("have one each under components of different types, also side by side, and each finds its own again", async () => {
    const siblings = [URN, URN.replace("::pulumi-nodejs", "::shop:index:Desk$pulumi-nodejs")];
    const created = await Promise.all(siblings.map((urn) => create(urn)));
    expect(created.map(({ outs }) => outs["name"])).to.deep.equal(
      siblings.map((urn) => derivedName(urn, gitArgs(test))),
    );
    const again = siblings.map(async (urn) => {
      const inputs = await checked(urn);
      return lifecycle.create(inputs, afterKill(as(urn), inputs, inputs));
    });
    expect((await Promise.all(again)).map(({ id }) => id)).to.deep.equal(
      created.map(({ id }) => id),
    );
  });

  it("have one each where a renamed one keeps the name that the other derives", async () => {
    const { id, outs } = await createdBefore(nameOf(0));
    lifecycle.diff(id, { ...outs, __urn: URN }, outs, as(OTHER));
    const created = await create(URN);
    expect(created.id).not.to.equal(id);
    expect(created.outs).to.have.property("name", nameOf(1));
    await lifecycle.delete(id, outs, as(URN));
    expect([await isThere(id), await isThere(created.id)]).to.deep.equal([false, true]);
  });

  it("adopt no deployment that another resource of the program has", async () => {
    const { id } = await create(URN, adopting);
    const { message } = await rejection(create(OTHER, adopting));
    expect(message).to.equal(
      `create deployment 'given': deployment ${id} has this name and belongs to ${URN}; choose another name`,
    );
    const known = await createdBefore("known");
    lifecycle.diff(known.id, known.outs, known.outs, as(URN));
    const refused = await rejection(create(OTHER, { ...adopting, name: "known" }));
    expect(refused.message).to.contain(`${known.id} has this name and belongs to ${URN}`);
  });

  it("adopt no deployment that another resource creates at the same time", async () => {
    const results = await Promise.allSettled([create(URN, adopting), create(OTHER, adopting)]);
    const [reason] = results.flatMap((result) =>
      result.status === "rejected" ? [messageOf(result.reason)] : [],
    );
    expect(results.map(({ status }) => status)).to.have.members(["fulfilled", "rejected"]);
    expect(reason).to.match(
      /^create deployment 'given': \S+ is creating a deployment of this name; choose another name$/,
    );
    expect(await test.deployments()).to.have.length(1);
  });

  it("keep a deployment that one adopted from another, which is deleted then", async () => {
    const { id, outs } = await createdBefore("given");
    expect((await create(OTHER, adopting)).id).to.equal(id);
    await lifecycle.delete(id, outs, as(URN));
    expect(said).to.include(`keeps deployment ${id}: it belongs to ${OTHER}`);
    expect((await test.get(id)).status).to.equal("READY");
  });

  for (const [what, isLost] of [
    ["failed", false],
    ["may have arrived", true],
  ] as const)
    it(`keep it also where the update after the adoption ${what}, which is in the state`, async () => {
      const { id, outs } = await createdBefore("given");
      await test.untilRevision(id, "DEPLOYED");
      const { admin } = test.platform;
      const match = { method: "GET", path: `/v2/deployments/${id}` };
      if (isLost) {
        admin.addFault({ match: { method: "PATCH" }, action: "drop-after" });
        admin.addFault({ match, action: "status", status: 403 });
      } else admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "boom" });
      const failure = await rejection(create(OTHER, { ...adopting, env: { A: "1" } }));
      expect(failure).to.have.property("id", id);
      await lifecycle.delete(id, outs, as(URN));
      expect(said).to.include(`keeps deployment ${id}: it belongs to ${OTHER}`);
      expect(await isThere(id)).to.equal(true);
    });

  describe("delete nothing that another was to adopt", () => {
    const kept = async (more: object, name = adopting.name) => {
      const { id, outs } = await createdBefore(name);
      const { message: refusal } = await rejection(create(OTHER, { ...adopting, name, ...more }));
      test.platform.admin.clearFaults();
      const { message } = await rejection(lifecycle.delete(id, outs, as(URN)));
      expect(message).to.contain(
        `delete deployment '${name}' (${id}): ${OTHER} has the same name, and its create has not succeeded; nothing was deleted`,
      );
      expect((await test.get(id)).status).not.to.contain("DELETE");
      return { id, outs, refusal };
    };

    it("and was refused, unless they are still in the program", async () => {
      const { id, outs, refusal } = await kept({ adoptExisting: false });
      expect(refusal).to.contain(`deployment ${id} has this name already`);
      lifecycle.diff(id, outs, outs, as(URN));
      await lifecycle.delete(id, outs, as(URN));
      expect(await isThere(id)).to.equal(false);
    });

    it("and can't: fields that can't be changed differ, or it could not look up or update", async () => {
      const { sourceConfig } = gitArgs(test);
      const isProd = { sourceConfig: { ...sourceConfig, deploymentType: "prod" } };
      for (const [name, more, method, refusal] of [
        ["prod", isProd, "NONE", "deploymentType differ"],
        ["unseen", {}, "GET", "403"],
        ["unset", { env: { A: "1" } }, "PATCH", "403"],
      ] as const) {
        test.platform.admin.addFault({ match: { method }, action: "status", status: 403 });
        expect((await kept(more, name)).refusal).to.contain(refusal);
      }
    });
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
    expect(message).to.match(/; set the argument `name`$/);
    expect(test.platform.admin.requests()["POST /v2/deployments"]).to.equal(10);
  });
});
