import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { declaredBy } from "../../../provider/deployment/declared/declared";
import { MOST_NAMES } from "../../../provider/deployment/declared/name";
import { toCreateRequest } from "../../../provider/deployment/service/post";
import { Deployment } from "../../../sdk/schema";
import { derivedName } from "../../support/deployment";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { messageOf } from "../../../shared/errors";
import { recordOf } from "../../../shared/records";
import { useDeployments } from "../../support/deployment-lifecycle";
import { GIT_INPUTS, IMAGE_INPUTS, URN } from "../../support/inputs";
import { afterKill } from "../../support/lifecycle";
import { aGitDeployment } from "../../support/platform";
import { reasonOf, rejection } from "../../support/rejection";
import { parsed } from "../../support/values";

describe("the request of a create", () => {
  it("has the resource spec that the public service requires of an image, also where no size is declared", () => {
    for (const [inputs, spec] of [
      [IMAGE_INPUTS, {}],
      [{ ...IMAGE_INPUTS, sourceConfig: { resourceSpec: { cpu: 1 } } }, { cpu: 1 }],
      [GIT_INPUTS, undefined],
    ] as const) {
      const { source_config } = toCreateRequest(declaredBy(inputs), "support");
      expect(source_config.resource_spec).to.deep.equal(spec);
    }
  });
});

describe("a create whose answer can't be read", () => {
  let made = "";
  let staleLists = 2;
  const stack = useDeployments({
    meddle: async ({ method, url, body }, response, pass) => {
      const isStale = made !== "" && url.includes("name_contains") && (staleLists -= 1) >= 0;
      if (isStale) return response.writeHead(200).end('{"resources":[],"offset":0}');
      if (method !== "POST") return pass();
      made = parsed(Deployment, (await stack.test.request(method, url, body)).body).id;
      return response.writeHead(201).end("[".repeat(5000) + "]".repeat(5000));
    },
  });

  it("finds the deployment that it made, though a replica lists it later, and makes no second one", async () => {
    const real = stack.context();
    const where = { ...real, clock: { ...real.clock, sleep: async () => undefined } };
    const { id } = await stack.create(stack.git("main", { wait: { until: "none" } }), where);
    expect(id).to.equal(made);
    expect(stack.received().filter(({ method }) => method === "POST")).to.have.length(1);
  });
});

describe("requests for a deployment", () => {
  const stack = useDeployments({ meddle: (_request, _response, pass) => pass() });

  it("name its resource to a local platform: those that create, read and change it", async () => {
    const made = await stack.create(stack.git("main", { wait: { until: "none" } }));
    await stack.update(made, stack.git("main", { secrets: { ADDED: "value" } }));
    const named = stack.received().filter(({ headers }) => headers["x-pulumi-urn"] === URN);
    expect(new Set(named.map(({ method }) => method))).to.have.all.keys("POST", "GET", "PATCH");
  });
});

describe("resources that could have the same deployment", () => {
  const OTHER = URN.replace(/support$/, "helpdesk");
  const stack = useDeployments();
  const { git, said } = stack;
  const as = (urn: string) => ({ ...stack.context(), urn });
  const checked = async (urn: string, more: Props = {}) => {
    const declared = git("main", { wait: { timeoutSeconds: 600 }, ...more });
    return (await lifecycle.check({}, declared, as(urn))).inputs ?? {};
  };
  const create = async (urn: string, more: Props = {}) =>
    lifecycle.create(await checked(urn, more), as(urn));
  const nameOf = (attempt: number, urn = URN) => derivedName(urn, git(), attempt);
  const isThere = async (id: string) =>
    (await stack.test.request("GET", `/v2/deployments/${id}`)).status === 200;
  /** A deployment that a resource has created in an earlier `up`, by another process. */
  const createdBefore = async (name: string) => {
    const body = { ...aGitDeployment(stack.test.integrationId), secrets: [], name };
    const { id, tenant_id: tenantId } = await stack.test.create(body);
    const { url: baseUrl } = stack.test.platform;
    return { id, outs: { ...(await checked(URN)), name, tenantId, baseUrl } };
  };
  const adopting = { name: "given", adoptExisting: true };
  /** The difference of a resource that the program declares, as the engine asks for it. */
  const diffOf = async (id: string, olds: Props, news: Props, urn: string) => {
    await lifecycle.check(olds, news, as(urn));
    return lifecycle.diff(id, olds, news, as(urn));
  };

  it("have one each under components of different types, also side by side, and each finds its own again", async () => {
    const siblings = [URN, URN.replace("::pulumi-nodejs", "::shop:index:Desk$pulumi-nodejs")];
    const created = await Promise.all(siblings.map((urn) => create(urn)));
    expect(created.map(({ outs }) => outs["name"])).to.deep.equal(
      siblings.map((urn) => nameOf(0, urn)),
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
    await diffOf(id, { ...outs, __urn: URN }, outs, OTHER);
    const created = await create(URN);
    expect(created.id).not.to.equal(id);
    expect(created.outs).to.have.property("name", nameOf(1));
    await lifecycle.delete(id, outs, as(URN));
    expect([await isThere(id), await isThere(created.id)]).to.deep.equal([false, true]);
  });

  for (const [what, replaces, name] of [
    ["", ["name"], "other"],
    [" by what the engine alone knows", undefined, "given"],
  ] as const)
    it(`delete what a resource had that is replaced${what} under another URN, also where the state has no URN`, async () => {
      const { id, outs } = await createdBefore("given");
      const olds = { ...recordOf(outs), __urn: undefined };
      const news = await checked(URN, { name });
      expect((await diffOf(id, olds, news, OTHER)).replaces).to.deep.equal(replaces);
      await lifecycle.check({}, news, as(OTHER));
      await lifecycle.delete(id, olds, as(URN));
      expect(await isThere(id)).to.equal(false);
    });

  it("adopt no deployment that another resource of the program has", async () => {
    const { id } = await create(URN, adopting);
    expect(await reasonOf(create(OTHER, adopting))).to.equal(
      `create deployment 'given': deployment ${id} has this name and belongs to ${URN}; choose another name`,
    );
    const known = await createdBefore("known");
    await diffOf(known.id, known.outs, known.outs, URN);
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
    expect(await stack.test.deployments()).to.have.length(1);
  });

  it("may have a name after the create of another, which failed", async () => {
    const refused = { match: { method: "POST" }, action: "status", status: 403, times: 1 } as const;
    stack.admin.addFault(refused);
    await rejection(create(URN, adopting));
    expect((await create(OTHER, adopting)).outs).to.have.property("name", adopting.name);
  });

  it("keep a deployment that one adopted from another, which is deleted then", async () => {
    const { id, outs } = await createdBefore("given");
    // A refresh of the same run shows what is still in the state.
    lifecycle.diff(id, outs, outs, as(URN));
    expect((await create(OTHER, adopting)).id).to.equal(id);
    await lifecycle.delete(id, outs, as(URN));
    expect(said).to.include(`keeps deployment ${id}: it belongs to ${OTHER}`);
    expect((await stack.test.get(id)).status).to.equal("READY");
  });

  for (const [what, isLost] of Object.entries({ failed: false, "may have arrived": true }))
    it(`keep it also where the update after the adoption ${what}, which is in the state`, async () => {
      const { id, outs } = await createdBefore("given");
      await stack.test.untilRevision(id, "DEPLOYED");
      const { admin } = stack;
      const match = { method: "GET", path: `/v2/deployments/${id}` };
      if (isLost) {
        admin.addFault({ match: { method: "PATCH" }, action: "drop-after" });
        admin.addFault({ match, action: "status", status: 403 });
      } else stack.fails();
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
      stack.admin.clearFaults();
      expect(await reasonOf(lifecycle.delete(id, outs, as(URN)))).to.contain(
        `delete deployment '${name}' (${id}): ${OTHER} has the same name, and its create has not succeeded; nothing was deleted`,
      );
      expect((await stack.test.get(id)).status).not.to.contain("DELETE");
      return { id, outs, refusal };
    };

    it("and was refused, unless they are still in the program", async () => {
      const { id, outs, refusal } = await kept({ adoptExisting: false });
      expect(refusal).to.contain(`deployment ${id} has this name already`);
      await diffOf(id, outs, outs, URN);
      await lifecycle.delete(id, outs, as(URN));
      expect(await isThere(id)).to.equal(false);
    });

    it("and can't: fields that can't be changed differ, or it could not look up or update", async () => {
      const isProd = { sourceConfig: git("", {}, { deploymentType: "prod" })["sourceConfig"] };
      for (const [name, more, method, refusal] of [
        ["prod", isProd, "NONE", "deploymentType differ"],
        ["unseen", {}, "GET", "403"],
        ["unset", { env: { A: "1" } }, "PATCH", "403"],
      ] as const) {
        stack.admin.addFault({ match: { method }, action: "status", status: 403 });
        expect((await kept(more, name)).refusal).to.contain(refusal);
      }
    });
  });
});

describe("a derived name that no deployment has and the service refuses", () => {
  const stack = useDeployments();
  const leaveBehind = (count: number) => {
    for (let attempt = 0; attempt < count; attempt += 1)
      stack.admin.addLeftoverName(derivedName(URN, stack.git(), attempt));
  };

  it("moves on to the last one that is left", async () => {
    leaveBehind(9);
    const { outs } = await stack.create(stack.git());
    expect(outs).to.have.property("name", derivedName(URN, stack.git(), 9));
  });

  it("is an error after ten of them, which asks for a name", async () => {
    leaveBehind(MOST_NAMES);
    const { message } = await rejection(stack.create(stack.git()));
    expect(MOST_NAMES).to.equal(10);
    expect(message)
      .to.contain(derivedName(URN, stack.git(), 9))
      .and.contain("tracing project")
      .and.match(/; set the argument `name`$/);
    expect(stack.admin.requests()["POST /v2/deployments"]).to.equal(10);
  });
});
