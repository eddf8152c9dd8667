import { expect } from "chai";
import { isDeepStrictEqual } from "node:util";
import type { Props } from "../../provider/arguments/props";
import { deploymentLifecycle } from "../../provider/deployment/lifecycle";
import type { Lifecycle } from "../../provider/resource/lifecycle";
import { listenerLifecycle } from "../../provider/listener/operations";
import { oauthProviderLifecycle } from "../../provider/oauth-provider/operations";
import * as schema from "../../sdk/schema";
import { isRecord, recordOf } from "../../shared/records";
import { impatientClock } from "../support/clock";
import { everyGitArgument, everyImageArgument } from "../support/every-field";
import { EVERY_OAUTH_INPUT } from "../support/inputs";
import type { TestServer } from "../support/http";
import { contextOf } from "../support/lifecycle";
import { usePlatform } from "../support/platform";
import { startRelay } from "../support/relay";
import { describeIn } from "../support/tiers";

/** What a control plane answers about one thing, rewritten. */
type Rewrite = (thing: Props) => Props;
const AS_IT_IS: Rewrite = (thing) => thing;

/** A member of an answer at a path, set to what `value` makes of it; undefined leaves it out. */
function at([first = "", ...rest]: readonly string[], value: (old: unknown) => unknown): Rewrite {
  return ({ [first]: member, ...others }) => {
    const changed = rest.length > 0 ? at(rest, value)(recordOf(member)) : value(member);
    return changed === undefined ? others : { ...others, [first]: changed };
  };
}

/** What may stand in the place of a member, whatever its type: nothing, and what no contract has. */
const SILENCES: Readonly<Record<string, (old: unknown) => unknown>> = {
  null: () => null,
  absent: () => undefined,
  "a number": (old) => (typeof old === "number" ? "x" : 7),
  "an object": (old) => (isRecord(old) ? [] : { a: { b: 1 } }),
};

/** Every member of an answer but its identity, which a client can't do without. */
const allBut = (shape: object, ...identity: readonly string[]): string[] =>
  Object.keys(shape).filter((name) => !identity.includes(name));
const SOURCE = Object.keys(schema.SourceRevisionConfig.shape).map(
  (name) => `source_revision_config.${name}`,
);
const OF_DEPLOYMENTS = [
  ...allBut(schema.Deployment.shape, "id", "name"),
  ...Object.keys(schema.SourceConfig.shape).map((name) => `source_config.${name}`),
  "source_config.listener_config.k8s_namespace",
  ...SOURCE,
];
const OF_REVISIONS = [...allBut(schema.Revision.shape, "id", "status"), ...SOURCE];
const OF_LISTENERS = [
  ...allBut(schema.Listener.shape, "id", "compute_id"),
  "compute_config.k8s_namespaces",
];
const OF_PROVIDERS = allBut(schema.OAuthProvider.shape, "id", "provider_id");

const text = (change: (old: string) => string) => (old: unknown) =>
  typeof old === "string" ? change(old) : old;
const upper = text((old) => old.toUpperCase());
const number = (change: (old: number) => string) => (old: unknown) =>
  typeof old === "number" ? change(old) : old;
const CPU = "source_config.resource_spec.cpu";
const IMAGE = "source_revision_config.image_uri";
const OWN_VARIABLES = ["LANGSMITH_HOST_PROJECT_ID", "PORT"].map((name) => ({ name, value: "1" }));
/** Other forms of values, which name the same. */
const FORMS: readonly (readonly [path: string, form: string, (old: unknown) => unknown])[] = [
  ["tenant_id", "in capitals", upper],
  ["source_config.integration_id", "in capitals", upper],
  ["source_config.listener_id", "in capitals", upper],
  ["source_config.repo_url", "without .git", text((old) => old.replace(/\.git$/, ""))],
  ["source_config.repo_url", "with a slash behind it", text((old) => `${old}/`)],
  ["source_config.repo_url", "with its port", text((old) => old.replace(".com", ".COM:443"))],
  ["source_config.custom_url", "with a slash behind it", text((old) => `${old}/`)],
  ["source_revision_config.repo_ref", "in full", text((old) => `refs/heads/${old}`)],
  ["source_revision_config.repo_ref", "as its commit", () => "a".repeat(40)],
  ["source_revision_config.graph_config_path", "with ./", text((old) => `./${old}`)],
  [IMAGE, "with capitals", text((old) => old.replace("registry", "REGISTRY"))],
  [IMAGE, "with a digest", text((old) => `${old}@sha256:${"0".repeat(64)}`)],
  [CPU, "as a string", number(String)],
  [CPU, "in thousandths", number((old) => `${old * 1000}m`)],
  ["secrets", "with the service's own", (old) => [...Object.values(old ?? []), ...OWN_VARIABLES]],
];

describe("a control plane whose answers are not as the contract has them", () => {
  const test = usePlatform();
  let relay: TestServer;
  let rewrite: { readonly path: RegExp; readonly of: Rewrite } = { path: /^$/, of: AS_IT_IS };
  let patchAnswer: { readonly status: number; readonly body?: string } | undefined;
  let patches = 0;
  let said: string[] = [];

  before(async () => {
    relay = await startRelay(test.platform.url, async (request, response, pass) => {
      const { method, url } = request;
      const { path, of } = rewrite;
      if (method === "PATCH" && patchAnswer !== undefined) {
        const { status } = await test.request(method, url, JSON.parse(request.body));
        expect(status).to.equal(200);
        patches += 1;
        return response.writeHead(patchAnswer.status).end(patchAnswer.body);
      }
      return path.test(url.replace(/\?.*/, "")) ? pass((body) => each(body, of)) : pass();
    });
  });
  after(() => relay.close());
  afterEach(async () => {
    const left = {
      deployments: (await test.deployments()).map(({ id }) => id),
      listeners: (await test.listeners()).map(({ id }) => id),
      // A provider's path has its slug.
      "auth/providers": ["tracker"],
    };
    for (const [kind, ids] of Object.entries(left))
      for (const id of ids) await test.request("DELETE", `/v2/${kind}/${id}`);
    for (const id of left.deployments) await test.untilGone(id);
    [said, patches, patchAnswer] = [[], 0, undefined];
    rewrite = { path: /^$/, of: AS_IT_IS };
  });

  /** Rewrites a thing, or each one of a list. An answer that is a problem stays. */
  const each = (body: unknown, of: Rewrite): unknown => {
    if (Array.isArray(body)) return body.map((item) => each(item, of));
    const thing = recordOf(body);
    if (Array.isArray(thing["resources"])) return { resources: each(thing["resources"], of) };
    return "id" in thing ? of(thing) : body;
  };
  const context = () => ({
    ...contextOf({ ...test.platform, url: relay.url }, said),
    clock: impatientClock(),
  });

  /** Creates, refreshes, and compares as `pulumi up` does. */
  const created = async (lifecycle: Lifecycle, declared: Props) => {
    const { inputs: news = {} } = await lifecycle.check({}, declared, context());
    const { id, outs } = await lifecycle.create(news, context());
    const { props = {}, inputs = {} } = await lifecycle.read(id, outs, context());
    const { inputs: again = {} } = await lifecycle.check(inputs, declared, context());
    const { replaces = [], changes } = lifecycle.diff(id, props, again, context());
    const isUpdate = changes ?? !isDeepStrictEqual(inputs, again);
    return { id, outs, props, again, replaces, isUpdate };
  };

  const DEPLOYMENTS = /\/v2\/deployments(\/[^/]+)?$/;
  const REVISIONS = /\/revisions(\/[^/]+)?$/;
  const SOURCES = { git_host: everyGitArgument, external_container: everyImageArgument };
  const declaredOf = (source: keyof typeof SOURCES): Props => {
    const { wait: _, smokeCheck: _check, ...args } = SOURCES[source](test);
    return args;
  };
  /** A deployment of one source lives through the rewritten answers: made once, changed never, and deleted. */
  const deploymentLives = async (source: keyof typeof SOURCES, path: RegExp, of: Rewrite) => {
    rewrite = { path, of };
    const { id, props, replaces, isUpdate } = await created(
      deploymentLifecycle,
      declaredOf(source),
    );
    expect({ replaces, isUpdate }).to.deep.equal({ replaces: [], isUpdate: false });
    expect(await test.revisions(id)).to.have.length(1);
    await deploymentLifecycle.delete(id, props, context());
    expect(await test.deployments()).to.deep.equal([]);
  };
  const { null: NULL, ...OTHERS } = SILENCES;
  for (const source of ["git_host", "external_container"] as const) {
    for (const [tier, noun, path, members, silences] of [
      ["short", "deployment", DEPLOYMENTS, OF_DEPLOYMENTS, { null: NULL }],
      ["long", "deployment", DEPLOYMENTS, OF_DEPLOYMENTS, OTHERS],
      ["long", "revision", REVISIONS, OF_REVISIONS, SILENCES],
    ] as const)
      describeIn(tier, `of a ${source} ${noun}`, () => {
        for (const member of members)
          for (const [silence, value = String] of Object.entries(silences))
            it(`shows ${member} as ${silence}: it is created once, changed by nothing, and deleted`, () =>
              deploymentLives(source, path, at(member.split("."), value)));
      });
    for (const [member, form, value] of FORMS)
      it(`shows ${member} of a ${source} deployment ${form}: it is changed by nothing`, () =>
        deploymentLives(source, DEPLOYMENTS, at(member.split("."), value)));
  }

  it("is read on, and each resource's log names what does not match, without a value", async () => {
    const of: Rewrite = (thing) => ({ ...thing, updated_at: null, image_version: 7 });
    await deploymentLives("external_container", DEPLOYMENTS, of);
    expect(said.filter((line) => line.includes("does not match the contract")).join("\n"))
      .to.contain("read without updated_at: Invalid input: expected string, received null")
      .and.contain("read without image_version: Invalid input: expected string, received number");
  });

  it("takes the workspace of the request for that of a deployment whose answer names none", async () => {
    rewrite = { path: DEPLOYMENTS, of: at(["tenant_id"], () => null) };
    const { id, props } = await created(deploymentLifecycle, declaredOf("external_container"));
    expect(props).to.include({ tenantId: test.platform.workspaceId });
    await deploymentLifecycle.delete(id, props, context());
  });

  it("never confirms a revision without a status, and the deployment is in the state and deleted", async () => {
    rewrite = { path: REVISIONS, of: at(["status"], () => null) };
    const { inputs = {} } = await deploymentLifecycle.check(
      {},
      declaredOf("external_container"),
      context(),
    );
    const failure: unknown = await deploymentLifecycle
      .create(inputs, context())
      .catch((error: unknown) => error);
    const { id, properties } = recordOf(failure);
    expect(properties).to.deep.include({ ready: false });
    await deploymentLifecycle.delete(String(id), recordOf(properties), context());
    expect(await test.deployments()).to.deep.equal([]);
  });

  const SMALL = [
    {
      noun: "listener",
      lifecycle: listenerLifecycle,
      path: /\/v2\/listeners(\/[^/]+)?$/,
      members: OF_LISTENERS,
      declared: {
        computeType: "k8s",
        computeId: "c-1",
        computeConfig: { k8sNamespaces: ["b", "a"] },
      },
      changed: { computeConfig: { k8sNamespaces: ["c"] } },
      forms: [["compute_id", "in capitals", upper]],
      left: () => test.listeners(),
    },
    {
      noun: "OAuth provider",
      lifecycle: oauthProviderLifecycle,
      path: /\/v2\/auth\/providers(\/[^/]+)?$/,
      members: OF_PROVIDERS,
      declared: { ...EVERY_OAUTH_INPUT, clientSecret: "CANARY" },
      changed: { name: "Another name" },
      forms: [
        ["provider_id", "in capitals", upper],
        ["auth_url", "with a slash behind it", text((old) => `${old}/`)],
        ["token_url", "with a host in capitals", text((old) => old.replace("example", "EXAMPLE"))],
        ["client_id", "in asterisks", () => "cl****"],
      ],
      left: async () => (await test.request("GET", "/v2/auth/providers")).body,
    },
  ] as const;
  for (const { noun, lifecycle, path, members, declared, changed, forms, left } of SMALL) {
    const lives = async (of: Rewrite) => {
      rewrite = { path, of };
      const { id, props, again, replaces, isUpdate } = await created(lifecycle, declared);
      expect({ replaces, isUpdate }).to.deep.equal({ replaces: [], isUpdate: false });
      const { outs } = await lifecycle.update(id, props, { ...again, ...changed }, context());
      expect(outs).to.deep.include(changed);
      expect(JSON.stringify([props, outs])).not.to.contain("**");
      await lifecycle.delete(id, outs, context());
      expect(await left()).to.deep.equal([]);
    };
    for (const [what, answer] of [
      ["204", { status: 204 }],
      ["an empty body", { status: 200 }],
      ["an empty object", { status: 200, body: "{}" }],
      ["an id alone", { status: 200, body: `{"id":"5f7c2b4e-8f0e-4f5c-9e53-2d4e6c1f7a10"}` }],
    ] as const)
      it(`answers a PATCH of a ${noun} with ${what}: it was carried out, once`, async () => {
        patchAnswer = answer;
        await lives(AS_IT_IS);
        expect(patches).to.equal(1);
      });
    for (const member of members)
      for (const [silence, value] of Object.entries(SILENCES))
        it(`shows ${member} of a ${noun} as ${silence}: it lives`, () =>
          lives(at(member.split("."), value)));
    for (const [member, form, value] of forms)
      it(`shows ${member} of a ${noun} ${form}: it is changed by nothing`, () =>
        lives(at([member], value)));
  }
});
