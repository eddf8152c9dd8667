import { once } from "node:events";
import type { ServiceError } from "@grpc/grpc-js";
import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { expect } from "chai";
import { structOf, propsOf } from "../../../../provider/adapters/native/wire";
import { type Props, UNKNOWN } from "../../../../provider/arguments/props";
import { textsIn } from "../../../../lab/faults/leaks";
import { configure, serveNative } from "../../../../lab/faults/native-provider";
import { answerOf, madeByHalf } from "../../../../lab/faults/wire";
import { until } from "../../../local/children";
import { usePlatform } from "../../../support/platform";
import { gitArgs } from "../../../support/program";
import { reasonOf, rejection } from "../../../support/rejection";

const SECRET = "value-CANARY-of-a-secret";
const URN = "urn:pulumi:test::shop::agentserver:index:Deployment::support";
const PROVIDER = "urn:pulumi:test::shop::pulumi:providers:agentserver::eu";
const SIGNATURE = "4dabf18193072939515e22adb298388d";
/** A secret as the engine sends it. */
const hidden = (value: string) => ({ [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value });

describe("the service of the native provider", () => {
  const test = usePlatform();
  /** The messages that the engine at an address got. */
  const said: string[] = [];
  let client: ResourceProviderClient;
  let close: () => void;

  beforeEach(async () => {
    said.length = 0;
    const connect = (to: string) => (_urn: string, _severity: string, text: string) =>
      void said.push(`${to}: ${text}`);
    ({ client, close } = await serveNative(connect, "former"));
    const shake = new messages.ProviderHandshakeRequest().setEngineAddress("engine");
    type Shaken = messages.ProviderHandshakeResponse;
    const shaken = await answerOf<Shaken>((done) => client.handshake(shake, done));
    expect(shaken.getAcceptSecrets()).to.equal(true);
    const { url, apiKey, workspaceId } = test.platform;
    const settings = { baseUrl: url, apiKey: hidden(apiKey), workspaceId, version: "0.1.0" };
    await configure(client, settings);
  });
  afterEach(() => close());

  const inputs = (): Props => ({
    ...gitArgs(test),
    name: "support",
    env: { LOG_LEVEL: "info" },
    secrets: { MODEL_API_KEY: SECRET },
    smokeCheck: false,
  });
  const check = (news: Props, olds: Props = {}) => {
    const request = new messages.CheckRequest();
    request.setUrn(URN).setNews(structOf(news)).setOlds(structOf(olds));
    return answerOf<messages.CheckResponse>((done) => client.check(request, done));
  };
  const create = (properties: Props, isPreview: boolean) => {
    const request = new messages.CreateRequest();
    request.setUrn(URN).setProperties(structOf(properties)).setPreview(isPreview);
    return answerOf<messages.CreateResponse>((done) => client.create(request, done));
  };
  /** From a deployment with the old arguments to one with these changes. */
  const diff = (
    created: messages.CreateResponse,
    changes: Props,
    old = inputs(),
    ignoreChanges: string[] = [],
  ) => {
    const request = new messages.DiffRequest();
    request.setUrn(URN).setId(created.getId()).setOlds(created.getProperties());
    request.setOldInputs(structOf(old)).setNews(structOf({ ...old, ...changes }));
    request.setIgnorechangesList(ignoreChanges);
    return answerOf<messages.DiffResponse>((done) => client.diff(request, done));
  };
  const raw = (struct: { toJavaScript: () => object } | undefined) => struct?.toJavaScript() ?? {};

  const update = (created: messages.CreateResponse, news: Props, isPreview = false) => {
    const request = new messages.UpdateRequest();
    request.setUrn(URN).setId(created.getId()).setOlds(created.getProperties());
    request.setNews(structOf(news)).setPreview(isPreview);
    return answerOf<messages.UpdateResponse>((done) => client.update(request, done));
  };
  /** The properties and inputs that a read of these answers. */
  const read = async (
    id: string,
    properties?: ReturnType<typeof structOf>,
    inputsOfState?: Props,
  ) => {
    const request = new messages.ReadRequest();
    request.setUrn(URN).setId(id).setProperties(properties);
    if (inputsOfState !== undefined) request.setInputs(structOf(inputsOfState));
    const found = await answerOf<messages.ReadResponse>((done) => client.read(request, done));
    return [raw(found.getProperties()), raw(found.getInputs())];
  };

  it("marks every secret in what any call answers, whether the program has marked it or not", async () => {
    const answers: object[] = [];
    const checked = await check(inputs());
    answers.push(raw(checked.getInputs()));
    expect(checked.getFailuresList()).to.be.empty;
    answers.push(raw((await create(inputs(), true)).getProperties()));
    const created = await create(inputs(), false);
    answers.push(raw(created.getProperties()));
    const state = propsOf(created.getProperties());
    expect(state).to.have.nested.property("secrets.MODEL_API_KEY", SECRET);

    for (const isPreview of [true, false]) {
      const news = { ...inputs(), env: { LOG_LEVEL: String(isPreview) } };
      const updated = (await update(created, news, isPreview)).getProperties();
      expect(propsOf(updated)).to.have.property("url", state["url"]);
      answers.push(raw(updated));
    }
    for (const properties of [created.getProperties(), undefined])
      answers.push(...(await read(created.getId(), properties)));
    const difference = await diff(created, { secrets: { MODEL_API_KEY: `${SECRET}-2` } });
    const { detaileddiffMap } = difference.toObject();
    expect(detaileddiffMap.map(([path]) => path)).to.deep.equal(["secrets.MODEL_API_KEY"]);
    expect(JSON.stringify(difference.toObject())).not.to.contain("CANARY");
    expect(JSON.stringify(answers)).to.contain("CANARY");
    for (const answer of answers)
      for (const text of textsIn(answer)) expect(text).not.to.contain("CANARY");
  });

  it("marks what the program has made secret in every place that repeats it, by the wire or by the class", async () => {
    const image = (version: number) => `registry.example.com/CANARY/support:CANARY-${version}`;
    const running = (imageUri: unknown, more: Props = {}): Props => ({
      source: "external_container",
      name: "hidden",
      sourceRevisionConfig: { imageUri },
      ...more,
    });
    const [first, second] = [1, 2].map((version) => running(hidden(image(version))));
    const answers: object[] = [raw((await create(first ?? {}, true)).getProperties())];
    const created = await create(first ?? {}, false);
    for (const news of [first ?? {}, running(image(1), { __secrets: ["imageUri"] })]) {
      const checked = await check(news, first);
      expect(checked.getFailuresList()).to.be.empty;
      answers.push(raw(checked.getInputs()));
    }
    const updated = (await update(created, second ?? {})).getProperties();
    answers.push(raw(updated));
    // A program has made it secret since: the state's outputs are in clear, its inputs are not.
    for (const properties of [updated, structOf(propsOf(updated))])
      answers.push(...(await read(created.getId(), properties, second)));
    expect(answers).to.have.length(8);
    for (const answer of answers) {
      expect(JSON.stringify(answer)).to.contain("CANARY");
      expect(JSON.stringify(answer)).not.to.contain("__secrets");
      for (const text of textsIn(answer)) expect(text).not.to.contain("CANARY");
    }
  });

  it("marks all that a function finds by secret arguments, as the engine would, and repeats none in its failure", async () => {
    const invoke = async (args: Props, name = "listDeployments") => {
      const request = new messages.InvokeRequest().setTok(`agentserver:index:${name}`);
      request.setArgs(structOf(args));
      const found = await answerOf<messages.InvokeResponse>((done) => client.invoke(request, done));
      return raw(found.getReturn());
    };
    const found = await invoke({ nameContains: "support" });
    expect(found).to.have.property("deployments").that.is.an("array").and.is.not.empty;
    const marked = await invoke({ nameContains: hidden("support") });
    expect(propsOf(structOf({ ...marked }))).to.deep.equal(found);
    expect(marked).to.have.property("deployments").with.property(SIGNATURE);
    const failed = await rejection(invoke({ name: hidden("CANARY") }, "getDeployment"));
    expect(failed.message).to.contain("get deployment '[secret]'").and.not.contain("CANARY");
  });

  it("lists as many as are asked for, nothing while the query is unknown, and passes on what is wrong", async () => {
    const listing = async (query: Props, limit = 0) => {
      const request = new messages.ListRequest();
      request.setToken("agentserver:index:Deployment");
      request.setQuery(structOf(query));
      request.setLimit(limit);
      const stream = client.list(request);
      const found: messages.ListResponse.AsObject[] = [];
      stream.on("data", (response: messages.ListResponse) => found.push(response.toObject()));
      await once(stream, "end");
      return found;
    };
    for (const name of ["listed-1", "listed-2"]) await create({ ...inputs(), name }, false);
    const both = await listing({ nameContains: "listed" });
    expect(both.map(({ result }) => result?.name)).to.have.members(["listed-1", "listed-2"]);
    expect(await listing({ nameContains: "listed" }, 1)).to.have.length(1);
    expect(await listing({ nameContains: UNKNOWN })).to.have.nested.property("[0].computed");
    const { message } = await rejection(listing({ deploymentType: "odd" }));
    expect(message).to.contain("list deployments: deploymentType must be");
  });

  it("keeps the derived name of what comes from the other front end and is renamed", async () => {
    const { name: _, ...declared } = inputs();
    const olds = { ...declared, name: "support-test-1234567", __nameDerived: true };
    expect(raw((await check(declared, olds)).getInputs())).to.include({ name: olds.name });
  });

  it("reports every wrong argument at once, by its path and never by a value", async () => {
    const { sourceConfig } = gitArgs(test);
    const wrong = { ...sourceConfig, repoUrll: SECRET, resourceSpec: { cpu: "1" } };
    const failures = (await check({ ...inputs(), sourceConfig: wrong })).getFailuresList();
    const places = failures.map((failure) => failure.getProperty()).join("");
    expect(places + failures.map((failure) => failure.getReason()).join("\n"))
      .to.match(/^(unknown argument|sourceConfig\.resourceSpec)/)
      .and.contain("unknown argument 'sourceConfig.repoUrll'; did you mean sourceConfig.repoUrl?")
      .and.contain("sourceConfig.resourceSpec.cpu must be a number")
      .and.not.contain("CANARY");
  });

  it("refuses an asset wherever its content would be sent", async () => {
    const asset = { [SIGNATURE]: "c44067f5952c0a294b673a41bacd8c17", hash: "5f0c", path: "./a" };
    const secret = { [SIGNATURE]: "1b47061264138c4ac30d75fd1eb44270", value: asset };
    const news = { ...inputs(), env: { A: asset }, secrets: { B: secret }, redeployOn: [asset] };
    const reasons = (await check(news)).getFailuresList().map((failure) => failure.getReason());
    expect(reasons).to.deep.equal([
      "env.A is an asset, which is not sent; set its text",
      "secrets.B is an asset, which is not sent; set its text",
    ]);
  });

  it("warns of a path in ignoreChanges that no argument has", async () => {
    const created = await create({ ...inputs(), name: "ignoring" }, true);
    await diff(created, {}, inputs(), ["env.A", "sourceRevisionConfig", "secret.A"]);
    expect(said).to.deep.equal([
      `engine: the option ignoreChanges has no effect there: unknown argument 'secret.A'; did you mean "secrets"?`,
    ]);
  });

  it("marks the secrets of what a create that failed by half leaves to the engine", async () => {
    test.fails("DEPLOY_FAILED");
    const error = await create({ ...inputs(), name: "failing" }, false).catch(
      (reason: ServiceError) => reason,
    );
    const made = error instanceof Error ? madeByHalf(error) : undefined;
    expect(made?.getId()).to.match(/^[0-9a-f-]{36}$/);
    expect(made?.getReasonsList().join()).to.contain("ended with DEPLOY_FAILED");
    const kept = raw(made?.getProperties());
    expect(Object.keys(kept)).not.to.include("__secrets");
    expect(JSON.stringify(kept)).to.contain("CANARY");
    for (const text of textsIn(kept)) expect(text).not.to.contain("CANARY");
  });

  it("adopts nothing where the state can't be read, since it never learns whether a forced replacement creates first", async () => {
    const named = { ...inputs(), name: "forced" };
    const created = await create(named, false);
    expect(await reasonOf(create({ ...named, adoptExisting: true }, false)))
      .to.contain(`deployment ${created.getId()} has this name already`)
      .and.contain("could not be read")
      .and.contain("run `pulumi up` again when the state can be read");
  });

  it("reads by what a program's get gives, which newer engines pass as inputs alone", async () => {
    const request = new messages.ReadRequest();
    request.setUrn("urn:pulumi:test::shop::agentserver:index:Thread::fixture");
    request.setId("0b7c7a52-3a3e-4b0e-9a43-1f2c83f0b0a1");
    request.setInputs(structOf({ deploymentUrl: `${test.platform.url}/agents/nowhere` }));
    expect(await reasonOf(answerOf<messages.ReadResponse>((done) => client.read(request, done))))
      .to.contain("/agents/nowhere")
      .and.not.contain("the id alone does not say");
  });

  it("takes the unknown values of every type for what is not known yet", async () => {
    const unknown = "dd056dcd-154b-4c76-9bd3-c8f88648b5ff";
    const checked = await check({ ...inputs(), env: unknown });
    expect(checked.getFailuresList()).to.be.empty;
    expect(propsOf(checked.getInputs())).to.include({
      env: "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    });
    expect(propsOf(structOf({ a: [unknown] }))).to.deep.equal({ a: [UNKNOWN] });
  });

  it("checks and compares its settings, marks the secret ones, and takes others for the next run", async () => {
    const { url: baseUrl, workspaceId } = test.platform;
    const given = { baseUrl, workspaceId, apiKey: "key-CANARY", baseURL: "x" };
    const checking = new messages.CheckRequest().setUrn(PROVIDER).setNews(structOf(given));
    const checked = await answerOf<messages.CheckResponse>((done) =>
      client.checkConfig(checking, done),
    );
    expect(propsOf(checked.getInputs())).to.deep.equal(given);
    for (const text of textsIn(raw(checked.getInputs()))) expect(text).not.to.contain("CANARY");
    const reason = "unknown Provider argument 'baseURL'; did you mean baseUrl?";
    // The CLI would print the value of a property that is named.
    expect(checked.toObject().failuresList).to.deep.equal([{ property: "", reason }]);
    const { DIFF_NONE, DIFF_SOME } = messages.DiffResponse.DiffChanges;
    for (const [news, changes] of [
      [given, DIFF_NONE],
      [{ ...given, apiKey: "other" }, DIFF_SOME],
    ] as const) {
      const differing = new messages.DiffRequest()
        .setOldInputs(structOf(given))
        .setNews(structOf(news));
      const found = await answerOf<messages.DiffResponse>((done) =>
        client.diffConfig(differing, done),
      );
      expect(found.getChanges()).to.equal(changes);
    }
    await check(inputs());
    const configured = await configure(client, { baseUrl, workspaceId, apiKey: "wrong" });
    expect(configured.getSupportspreview()).to.equal(true);
    expect(await reasonOf(create(inputs(), false))).to.contain("401 unknown API key");
  });

  it("tries nothing again and begins nothing more when it is cancelled, but for a run that configures it again", async () => {
    const { admin } = test.platform;
    admin.clearRequests();
    const busy = { action: "status", status: 429, headers: { "Retry-After": "60" } } as const;
    admin.addFault({ ...busy, match: { method: "POST", path: "/v2/deployments" }, times: 1 });
    const created = create({ ...inputs(), name: "busy" }, false).catch((reason: unknown) => reason);
    await until("the refused POST", () => admin.requests()["POST /v2/deployments"] === 1);
    await answerOf<Empty>((done) => client.cancel(new Empty(), done));
    expect(String(await created))
      .to.contain("create deployment 'busy'")
      .and.contain("429");
    const refused = await create({ ...inputs(), name: "late" }, false).catch(
      (reason: unknown) => reason,
    );
    expect(String(refused)).to.contain("create deployment 'late': cancelled before it began");
    const { url: baseUrl, apiKey, workspaceId } = test.platform;
    await configure(client, { baseUrl, apiKey, workspaceId });
    expect((await create({ ...inputs(), name: "late" }, false)).getId()).not.to.equal("");
  });
});
