import type { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb";
import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { Empty } from "google-protobuf/google/protobuf/empty_pb";
import { expect } from "chai";
import { optionsIn } from "../../../../provider/arguments/option-inputs";
import type { Props } from "../../../../provider/arguments/props";
import { structOf } from "../../../../provider/adapters/native/wire";
import type { Context } from "../../../../provider/resource/context";
import type { Lifecycle } from "../../../../provider/resource/lifecycle";
import { LIFECYCLES } from "../../../../provider/lifecycles";
import { serveNative } from "../../../../lab/faults/native-provider";
import { answerOf } from "../../../../lab/faults/wire";
import { aClock } from "../../../support/builders";
import { emptyState } from "../../../support/lifecycle";
import { reasonOf, rejection } from "../../../support/rejection";

const URN = "urn:pulumi:test::shop::agentserver:index:Deployment::support";
const PATHS = ["env", "secrets.KEY"];
const SECONDS = 7;
const NOTHING = structOf({});

describe("the calls of the native provider", () => {
  const clock = aClock();
  const original = { ...LIFECYCLES.Deployment };
  let client: ResourceProviderClient;
  let close: () => void;
  let called: { verb: string; ignored?: readonly string[]; context?: Context }[] = [];

  /** A lifecycle that notes what each verb gets. */
  const note = (verb: string, news?: Props, context?: Context) => {
    const ignored = news && optionsIn(news).ignoredPaths;
    called.push({ verb, ...(ignored && { ignored }), ...(context && { context }) });
  };
  const noting: Partial<Lifecycle> = {
    check: async (_olds, inputs, context) => (note("check", inputs, context), { inputs }),
    diff: (_id, _olds, news, context) => (note("diff", news, context), { changes: true }),
    preview: (outs) => (note("preview"), outs),
    create: async (outs, context) => (note("create", outs, context), { id: "1", outs }),
    read: async (id, props, context) => (note("read", undefined, context), { id, props }),
    update: async (_id, _olds, outs, context) => (note("update", outs, context), { outs }),
    delete: async (_id, _props, context) => note("delete", undefined, context),
  };

  beforeEach(async () => {
    called = [];
    Object.assign(LIFECYCLES.Deployment, noting);
    ({ client, close } = await serveNative(() => () => {}, "", { clock, readState: emptyState }));
  });
  afterEach(() => {
    Object.assign(LIFECYCLES.Deployment, original);
    close();
  });

  const check = () => {
    const request = new messages.CheckRequest().setUrn(URN).setNews(NOTHING);
    return answerOf<messages.CheckResponse>((done) => client.check(request, done));
  };
  const diff = () => {
    const request = new messages.DiffRequest().setUrn(URN).setId("1").setNews(NOTHING);
    request.setIgnorechangesList(PATHS);
    return answerOf<messages.DiffResponse>((done) => client.diff(request, done));
  };
  const create = (isPreview: boolean) => () => {
    const request = new messages.CreateRequest().setUrn(URN).setProperties(NOTHING);
    request.setTimeout(SECONDS).setPreview(isPreview);
    return answerOf<messages.CreateResponse>((done) => client.create(request, done));
  };
  const read = () => {
    const request = new messages.ReadRequest().setUrn(URN).setId("1").setTimeout(SECONDS);
    return answerOf<messages.ReadResponse>((done) => client.read(request, done));
  };
  const update = (isPreview: boolean) => () => {
    const request = new messages.UpdateRequest().setUrn(URN).setId("1").setNews(NOTHING);
    request.setIgnorechangesList(PATHS).setTimeout(SECONDS).setPreview(isPreview);
    return answerOf<messages.UpdateResponse>((done) => client.update(request, done));
  };
  const remove = () => {
    const request = new messages.DeleteRequest().setUrn(URN).setId("1").setTimeout(SECONDS);
    return answerOf<Empty>((done) => client.delete(request, done));
  };

  const rows: [string, () => Promise<unknown>, object][] = [
    ["check", check, { verb: "check", ignored: [], seconds: undefined, urn: URN }],
    ["diff", diff, { verb: "diff", ignored: PATHS, seconds: undefined, urn: URN }],
    ["create", create(false), { verb: "create", ignored: [], seconds: SECONDS, urn: URN }],
    ["read", read, { verb: "read", seconds: SECONDS, urn: URN }],
    ["update", update(false), { verb: "update", ignored: PATHS, seconds: SECONDS, urn: URN }],
    ["delete", remove, { verb: "delete", seconds: SECONDS, urn: URN }],
    ["preview of a create", create(true), { verb: "preview" }],
    ["preview of an update", update(true), { verb: "preview" }],
  ];
  for (const [title, send, expected] of rows)
    it(`hand the lifecycle the engine's options: ${title}`, async () => {
      await send();
      const seen = called.map(({ context, ...call }) => {
        if (context === undefined) return call;
        const { deadline, urn } = context;
        const seconds = deadline === undefined ? undefined : (deadline - clock.now()) / 1000;
        return { ...call, seconds, urn };
      });
      expect(seen).to.deep.equal([expected]);
    });

  it("end with the run: its signal and its clock's pauses, of every verb", async () => {
    for (const send of [check, diff, create(false), read, update(false), remove]) await send();
    const contexts = called.flatMap(({ context }) => context ?? []);
    expect(contexts.map(({ signal }) => signal?.aborted)).to.deep.equal(Array(6).fill(false));
    await answerOf<Empty>((done) => client.cancel(new Empty(), done));
    expect(contexts.map(({ signal }) => signal?.aborted)).to.deep.equal(Array(6).fill(true));
    const { signal: own } = new AbortController();
    for (const { clock: ending } of contexts)
      for (const signal of [undefined, own]) await rejection(ending.sleep(60_000, signal));
  });

  const STATE = { name: "a", size: { min: 1, max: 9 } };
  const OTHER = { name: "b", size: { min: 1, max: 8 } };
  type Row = [title: string, found: Props, olds: Props, props: Props, shown: Props | undefined];
  const reads: Row[] = [
    ["what others have changed", { name: "b" }, { name: "a" }, OTHER, { name: "b" }],
    ["no default that is as it was", STATE, { name: "a" }, STATE, { name: "a" }],
    ["a default that others have changed", OTHER, { name: "a" }, OTHER, OTHER],
    ["none inside an object", STATE, { size: { min: 2 } }, STATE, { size: { min: 1 } }],
    ["all of an import", STATE, {}, STATE, STATE],
    ["an input that no output repeats", { wait: { a: 1 } }, { name: "a" }, {}, { wait: { a: 1 } }],
    ["an object for another value", STATE, { name: "a", size: 1 }, STATE, STATE],
    ["nothing of what is gone", {}, { name: "a" }, {}, undefined],
  ];
  for (const [title, inputs, olds, props, shown] of reads)
    it(`reads as inputs ${title}`, async () => {
      const id = shown === undefined ? "" : "1";
      LIFECYCLES.Deployment.read = async () => ({ id, inputs, props });
      const request = new messages.ReadRequest().setUrn(URN).setId("1").setInputs(structOf(olds));
      request.setProperties(structOf(STATE));
      const found = await answerOf<messages.ReadResponse>((done) => client.read(request, done));
      expect([found.getId(), found.getInputs()?.toJavaScript()]).to.deep.equal([id, shown]);
    });

  it("deletes by its inputs what a restored state has without outputs, and refuses to refresh it", async () => {
    const olds: Props[] = [];
    LIFECYCLES.Deployment.delete = async (_id, props) => void olds.push(props);
    const removal = new messages.DeleteRequest().setOldInputs(structOf(OTHER));
    const refresh = new messages.ReadRequest().setInputs(structOf(OTHER));
    for (const request of [refresh, removal])
      request.setUrn(URN).setId("1").setProperties(structOf({}));
    await answerOf<Empty>((done) => client.delete(removal, done));
    expect(olds[0]).to.deep.include(OTHER);
    const refused = answerOf<messages.ReadResponse>((done) => client.read(refresh, done));
    expect(await reasonOf(refused)).to.contain("run `pulumi up`");
  });

  it("reads first, before the next update, what was being deleted alone", async () => {
    for (const status of ["READY", "idle", "AWAITING_DELETE"]) {
      LIFECYCLES.Deployment.read = async (id) => ({ id, props: { status } });
      const request = new messages.ReadRequest().setUrn(URN).setId("1");
      const found = await answerOf<messages.ReadResponse>((done) => client.read(request, done));
      expect(found.getRefreshBeforeUpdate(), status).to.equal(status === "AWAITING_DELETE");
    }
  });
});
