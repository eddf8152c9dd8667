import { expect } from "chai";
import { z } from "zod";
import { RequestError } from "pulumi-agentserver/sdk";
import {
  announceForcedReplacement,
  showAnnouncement,
} from "../../../provider/resource/announcement";
import { defineLifecycle, type Kind } from "../../../provider/resource/define-lifecycle";
import { InitializationFailure } from "../../../provider/resource/errors";
import type { Context } from "../../../provider/resource/context";
import { newProcessCache } from "../../../provider/resource/process-cache";
import type { Problem } from "../../../provider/arguments/problems";
import type { Props } from "../../../provider/arguments/props";
import { placeholderId } from "../../../provider/resource/placeholder";
import { URN } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { rejection } from "../../support/rejection";

const SOMEWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const failing = async (): Promise<never> => {
  const request = { action: "list boxes", method: "GET", url: "u", reason: "no", secrets: [] };
  throw new RequestError(request);
};
const ROW = { noun: "box", secrets: { inputs: [], outputs: [] } };
type Part = Partial<Kind<Props, Props>> & { readonly endpoint?: string };
const box = ({ endpoint, ...part }: Part) =>
  defineLifecycle<Props>(endpoint === undefined ? ROW : { ...ROW, endpoint }, {
    arguments: [],
    declared: (inputs) => inputs,
    state: (outputs) => outputs,
    nameOf: ({ name }) => (typeof name === "string" ? name : undefined),
    serviceOutputs: [],
    unsettledOutputs: () => [],
    check: () => ({ problems: [] }),
    describeReplacement: () => "deleted first",
    difference: () => ({ result: {}, message: undefined }),
    create: failing,
    read: failing,
    update: failing,
    delete: failing,
    ...part,
  });

describe("the lifecycle of a kind of resource", () => {
  let said: string[] = [];
  beforeEach(() => {
    said = [];
  });
  const context = (url = SOMEWHERE.url) => contextOf({ ...SOMEWHERE, url }, said);

  it("names in an error the verb and the resource, by its name where it has one, else by its id", async () => {
    const lifecycle = box({});
    const named = { name: "a" };
    const messages = [
      lifecycle.create(named, context()),
      lifecycle.read("1", {}, context()),
      lifecycle.update("1", named, { name: "b" }, context()),
      lifecycle.delete("1", named, context()),
    ].map(async (attempt) => (await rejection(attempt)).message);
    expect(await Promise.all(messages)).to.deep.equal([
      "create box 'a': list boxes: no",
      "get box '1': list boxes: no",
      "update box 'a': list boxes: no",
      "delete box 'a': list boxes: no",
    ]);
  });

  it("reports the problems of the settings with those of the inputs, for the control plane alone", async () => {
    const problems = [{ property: "size", reason: "is required" }];
    const failuresOf = async (part: Part) =>
      (
        await box({ check: () => ({ problems }), ...part }).check(
          {},
          {},
          context("http://control.example.com"),
        )
      ).failures;
    const [own, ...settings] = (await failuresOf({})) ?? [];
    expect(own).to.deep.equal(problems[0]);
    expect(settings.map(({ reason }) => reason).join()).to.contain("agentserver:baseUrl is plain");
    expect(await failuresOf({ endpoint: "boxes" })).to.deep.equal(problems);
  });

  it("shows the warnings of a check only where nothing is wrong, and leaves a create to Pulumi", async () => {
    const checked = { warnings: ["heavy"] };
    const endpoint = "boxes";
    const problems = [{ property: "", reason: "no" }];
    await box({ endpoint, check: () => ({ ...checked, problems: [] }) }).check({}, {}, context());
    expect(said.splice(0)).to.deep.equal(["heavy"]);
    await box({ endpoint, check: () => ({ ...checked, problems }) }).check({}, {}, context());
    expect(said).to.be.empty;
  });

  it("asks the service only about inputs without problems, and reports all that it refuses", async () => {
    const problem = (reason: string): Problem => ({ property: "", reason });
    const [own, one, other] = [problem("own"), problem("one"), problem("other")];
    const refusalsOf = [async () => [one], async () => [other]];
    const failuresOf = async (...problems: Problem[]) =>
      (await box({ check: () => ({ problems }), refusalsOf }).check({}, {}, context())).failures;
    expect(await failuresOf()).to.deep.equal([one, other]);
    expect(await failuresOf(own)).to.deep.equal([own]);
  });

  describe("of a change", () => {
    const endpoint = "boxes";
    const found = { result: { changes: true }, message: "grows", warning: "it was dented" };
    const check = () => ({ problems: [] });
    const grows = box({ endpoint, check, difference: () => found });
    /** Each as a process of its own. */
    const process = () => ({ ...context(), processCache: newProcessCache() });
    const OLD = { size: 1 };

    it("announces what a diff explains: it is shown once, where the front end asks for it", async () => {
      const change = process();
      await grows.check(OLD, OLD, change);
      expect(grows.diff("1", OLD, OLD, change)).to.equal(found.result);
      expect(said).to.deep.equal(["it was dented"]);
      showAnnouncement(change);
      showAnnouncement(change);
      expect(said).to.deep.equal(["it was dented", "grows"]);
    });

    it("shows of a refresh, which asks for a diff without a check, only the warning", () => {
      const refresh = process();
      expect(grows.diff("1", OLD, OLD, refresh)).to.equal(found.result);
      showAnnouncement(refresh);
      expect(said).to.deep.equal(["it was dented"]);
    });

    const on = (...paths: string[]) => ({ __replaceOnChanges: paths });
    for (const [paths, named] of [
      [["size"], "size"],
      [["lid.color", "size"], "lid.color, size"],
      [["*"], "*"],
      [["lid"], "lid"],
      [["lid.*", "name"], "lid.*"],
    ] as const)
      it(`shows a replacement that replaceOnChanges asks for in one line: ${named}`, async () => {
        const change = process();
        const news = { size: 2, lid: { color: "red" }, ...on(...paths) };
        const olds = { size: 1, lid: { color: "blue" }, ...on(...paths) };
        await grows.check(olds, news, change);
        grows.diff("1", olds, news, change);
        await grows.check({}, news, change);
        showAnnouncement(change);
        expect(said).to.deep.equal([
          "it was dented",
          `replaced, since replaceOnChanges names ${named}: deleted first`,
        ]);
      });

    it("shows an update where what replaceOnChanges names does not change, or is not known to", async () => {
      for (const lid of [OLD, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"]) {
        const change = process();
        const olds = { size: 1, lid: OLD, ...on("lid.size") };
        await grows.check(olds, { ...olds, size: 2, lid }, change);
        grows.diff("1", olds, { ...olds, size: 2, lid }, change);
        showAnnouncement(change);
        expect(said.splice(0)).to.deep.equal(["it was dented", "grows"]);
      }
    });

    it("compares with the inputs of a state that was restored without outputs, and updates it", async () => {
      const [change, seen]: [Context, Props[]] = [process(), []];
      const difference = (_id: string, olds: Props) => {
        seen.push(olds);
        return { result: { changes: false }, message: undefined };
      };
      const update = async (_id: string, olds: Props) => {
        seen.push(olds);
        return { size: 1 };
      };
      const restored = box({ endpoint, check, difference, update, serviceOutputs: ["at"] });
      for (const outputs of [{}, { __secrets: [] }]) {
        await restored.check(OLD, OLD, change);
        expect(restored.diff("1", outputs, OLD, change)).to.deep.equal({ changes: true });
        expect(restored.preview(OLD, outputs)).to.deep.equal(restored.preview(OLD));
        await restored.update("1", outputs, OLD, {
          ...change,
          processCache: { ...change.processCache, retryRecords: new Map() },
        });
        expect(seen.splice(0)).to.deep.equal([OLD, OLD]);
      }
    });

    it("shows no replacement where only what is hidden changes, as where the option is new", async () => {
      const change = process();
      await grows.check({ ...OLD, __urn: "a" }, { ...OLD, __urn: "b", ...on("*") }, change);
      grows.diff("1", OLD, OLD, change);
      showAnnouncement(change);
      expect(said).to.deep.equal(["it was dented", "grows"]);
    });

    it("shows that it is replaced where only the engine knows that it is", async () => {
      const change = process();
      await grows.check(OLD, { size: 2 }, change);
      grows.diff("1", OLD, { size: 2 }, change);
      await grows.check({}, { size: 2 }, change);
      showAnnouncement(change);
      expect(said).to.deep.equal(["it was dented", "replaced instead of updated: deleted first"]);
    });

    const KEPT = { inputs: { __keeping: ["retainOnDelete"] } };
    for (const [what, recorded, shown] of [
      ["has it", {}, "replaced instead of updated: deleted first"],
      [
        "keeps it",
        KEPT,
        "replaced instead of updated: the old one stays, since retainOnDelete is set",
      ],
      ["has another", { urn: `${URN}-other` }, "holds 2"],
      ["reads it", { external: true }, "holds 2"],
      ["has deleted it", { pendingReplacement: true }, "holds 2"],
      ["is to delete it", { delete: true }, "holds 2"],
      ["is not sure of it", { id: placeholderId("box") }, "holds 2"],
      ["cannot be read", undefined, "holds 2"],
    ] as const)
      it(`shows what looks like a create by what the state has of it: a state that ${what}`, async () => {
        const readState = async () => {
          if (recorded === undefined) throw new Error("no backend");
          return { resources: [{ urn: URN, id: "1", ...recorded }], creating: [] };
        };
        const change = { ...process(), readState };
        await box({ endpoint, check: () => ({ problems: [], message: "holds 2" }) }).check(
          {},
          OLD,
          change,
        );
        await announceForcedReplacement(change);
        showAnnouncement(change);
        expect(said).to.deep.equal([shown]);
      });

    it("shows a replacement that the diff decides once", async () => {
      const change = process();
      const replaced = { result: { replaces: ["size"] }, message: "replaced, since it grows" };
      const kind = box({ endpoint, check, difference: () => replaced });
      await kind.check(OLD, { size: 2 }, change);
      kind.diff("1", OLD, { size: 2 }, change);
      await kind.check({}, { size: 2 }, change);
      showAnnouncement(change);
      expect(said).to.deep.equal(["replaced, since it grows"]);
    });

    it("warns of customTimeouts when it is set, with the argument to set instead", async () => {
      const reason =
        "the option customTimeouts has no effect, since Pulumi does not pass it to this provider";
      const timed = { size: 1, __customTimeouts: true };
      const warningsOf = async (olds: Props, timeoutArgument?: string) => {
        const part = timeoutArgument === undefined ? {} : { timeoutArgument };
        await box({ endpoint, ...part }).check(olds, timed, process());
        return said.splice(0);
      };
      expect(await warningsOf({}, "wait.timeoutSeconds")).to.deep.equal([
        `${reason}; set wait.timeoutSeconds instead`,
      ]);
      expect(await warningsOf(OLD)).to.deep.equal([reason]);
      expect(await warningsOf(timed)).to.be.empty;
    });
  });

  it("warns of a path in ignoreChanges that no argument has, when it is set", async () => {
    const argument = { schema: z.unknown(), effect: "none" } as const;
    const rows = ["name", "secrets", "source.repoRef"].map((path) => ({ ...argument, path }));
    const kind = box({ endpoint: "boxes", arguments: rows });
    const warningsOf = async (olds: string[], news: string[]) => {
      await kind.check({ __ignored: olds }, { __ignored: news }, context());
      return said.splice(0);
    };
    const fine = ["name", "source", "source.*", "*", "secrets.A", 'secrets["a.b"]', "*.repoRef"];
    expect(await warningsOf([], fine)).to.be.empty;
    expect(await warningsOf(["old"], ["old", "secret", "repoRef", "source.repoUrl"])).to.deep.equal(
      [
        "the option ignoreChanges has no effect there: unknown argument 'secret'; did you mean secrets?",
        "the option ignoreChanges has no effect there: unknown argument 'repoRef'; did you mean source.repoRef?",
        "the option ignoreChanges has no effect there: unknown argument 'source.repoUrl'; did you mean source.repoRef?",
      ],
    );
  });

  it("redacts the secret values of the state and of the inputs in every error, also in reasons that are kept", async () => {
    const secretsOf = ({ key }: Props) => [typeof key === "string" ? key : undefined];
    const [old, now] = [{ key: "old-canary" }, { key: "new-canary" }];
    const throwing = async (): Promise<never> => {
      throw new Error("no: old-canary, new-canary");
    };
    const parts = { create: throwing, read: throwing, update: throwing, delete: throwing };
    const lifecycle = box({ secretsOf, ...parts });
    const messages = [
      lifecycle.create(now, context()),
      lifecycle.read("1", old, context()),
      lifecycle.update("1", old, now, context()),
      lifecycle.delete("1", old, context()),
    ].map(async (attempt) => (await rejection(attempt)).message.replace("no: ", ""));
    const [created, recorded] = ["old-canary, [secret]", "[secret], new-canary"];
    const both = "[secret], [secret]";
    expect(await Promise.all(messages)).to.deep.equal([created, recorded, both, recorded]);
    const kept = box({
      secretsOf,
      create: async () => {
        throw new InitializationFailure("1", now, ["new-canary fails"]);
      },
    });
    expect(await rejection(kept.create(now, context()))).to.deep.include({
      id: "1",
      properties: now,
      reasons: ["[secret] fails"],
    });
  });

  it("repeats in no error, message or warning what the program has made secret", async () => {
    const [old = {}, now = {}] = ["old-canary", "new-canary"].map((size) => ({
      size,
      __secrets: ["size"],
    }));
    const quoting = async ({ log }: Pick<Context, "log">): Promise<never> => {
      for (const say of [log.progress, log.info, log.warn]) void say("old-canary, new-canary");
      throw new Error("no: old-canary, new-canary");
    };
    const message = "old-canary, new-canary";
    const lifecycle = box({
      create: (_news, its) => quoting(its),
      read: (_id, _olds, its) => quoting(its),
      update: (_id, _olds, _news, its) => quoting(its),
      delete: (_id, _olds, its) => quoting(its),
      difference: () => ({ result: {}, message, warning: message }),
    });
    const own = context();
    const failures = [
      lifecycle.create(now, own),
      lifecycle.read("1", old, own),
      lifecycle.update("1", old, now, own),
      lifecycle.delete("1", old, own),
    ].map(async (attempt) => (await rejection(attempt)).message);
    const created = "old-canary, [secret]";
    const recorded = "[secret], new-canary";
    const both = "[secret], [secret]";
    expect(await Promise.all(failures)).to.deep.equal(
      [created, recorded, both, recorded].map((text) => `no: ${text}`),
    );
    expect(said).to.have.members(
      [created, recorded, both, recorded].flatMap((text) => [text, text, text]),
    );
    said.length = 0;
    await lifecycle.check(old, now, own);
    lifecycle.diff("1", old, now, own);
    showAnnouncement(own);
    expect(said).to.deep.equal([both, both]);
  });

  it("keeps the hidden members of what is read, and an empty id says that it is gone", async () => {
    const found = { inputs: { size: 1 }, outs: { size: 1, id: "1" } };
    const read = (what: typeof found | undefined) =>
      box({ read: async () => what }).read("1", { __urn: "urn", size: 0 }, context());
    expect(await read(found)).to.deep.equal({
      id: "1",
      inputs: { size: 1, __urn: "urn" },
      props: { size: 1, id: "1", __urn: "urn" },
    });
    expect(await read(undefined)).to.deep.equal({ id: "", props: {} });
  });
});
