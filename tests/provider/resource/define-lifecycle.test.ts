import { expect } from "chai";
import { z } from "zod";
import { ConnectionError, RequestError } from "pulumi-agentserver/sdk";
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
import { reasonOf, rejection } from "../../support/rejection";

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
    findUnconfirmed: failing,
    ...part,
  });

describe("the lifecycle of a kind of resource", () => {
  const said: string[] = [];
  beforeEach(() => void (said.length = 0));
  const context = (url = SOMEWHERE.url) => contextOf({ ...SOMEWHERE, url }, said);
  const endpoint = "boxes";
  /** The errors of create, read, update and delete, the resource being of these outputs and inputs. */
  const errorsOf = async (part: Part, olds: Props, news: Props, own = context()) => {
    const lifecycle = box(part);
    const attempts = [
      lifecycle.create(news, own),
      lifecycle.read("1", olds, own),
      lifecycle.update("1", olds, news, own),
      lifecycle.delete("1", olds, own),
    ];
    return Promise.all(attempts.map(async (attempt) => await reasonOf(attempt)));
  };

  it("names in an error the verb and the resource, by its name where it has one, else by its id", async () => {
    for (const [olds, name] of [
      [{ name: "a" }, "a"],
      [{}, "1"],
    ] as const)
      expect(await errorsOf({}, olds, { name: "b" })).to.deep.equal([
        "create box 'b': list boxes: no",
        `get box '${name}': list boxes: no`,
        `update box '${name}': list boxes: no`,
        `delete box '${name}': list boxes: no`,
      ]);
  });

  it("reports the problems of the settings with those of the inputs, for the control plane alone", async () => {
    const problems = [{ property: "size", reason: "is required" }];
    const failuresOf = async (part: Part) => {
      const own = context("http://control.example.com");
      return (
        (await box({ check: () => ({ problems }), ...part }).check({}, {}, own)).failures ?? []
      );
    };
    const [own, ...settings] = await failuresOf({});
    expect(own).to.deep.equal(problems[0]);
    expect(settings.map(({ reason }) => reason).join()).to.contain("agentserver:baseUrl is plain");
    expect(await failuresOf({ endpoint })).to.deep.equal(problems);
  });

  it("shows the warnings of a check only where nothing is wrong, and leaves a create to Pulumi", async () => {
    for (const [problems, shown] of [
      [[], ["heavy"]],
      [[{ property: "", reason: "no" }], []],
    ] as const) {
      const check = () => ({ warnings: ["heavy"], problems });
      await box({ endpoint, check }).check({}, {}, context());
      expect(said.splice(0)).to.deep.equal(shown);
    }
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
    const found = { result: { changes: true }, message: "grows", warning: "it was dented" };
    const check = () => ({ problems: [] });
    const grows = box({ endpoint, check, difference: () => found });
    /** Each as a process of its own. */
    const process = (): Context => ({ ...context(), processCache: newProcessCache() });
    const OLD = { size: 1 };
    /** What is shown of a change; the engine replaces what is checked as a create then. */
    const shownOf = async (olds: Props, news: Props, isReplaced = false, kind = grows) => {
      const change = process();
      await kind.check(olds, news, change);
      kind.diff("1", olds, news, change);
      if (isReplaced) await kind.check({}, news, change);
      showAnnouncement(change);
      return said.splice(0);
    };

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

    it("warns of what stays in another workspace than that of the settings, which may have a new address", async () => {
      const baseUrl = "https://old.example.com";
      const kindOf = (part: Part) => box({ check, ...part });
      const warningsOf = async (kind: ReturnType<typeof box>, tenantId?: string) => {
        const change = process();
        await kind.check(OLD, OLD, change);
        kind.diff("1", { ...OLD, baseUrl, tenantId }, OLD, change);
        return said.splice(0).join();
      };
      expect(await warningsOf(kindOf({}), "other")).to.contain(
        `${baseUrl} in workspace other, but the settings name ${SOMEWHERE.url} and workspace nobody; it stays there`,
      );
      expect(await warningsOf(kindOf({}), SOMEWHERE.workspaceId.toUpperCase())).to.equal("");
      expect(await warningsOf(kindOf({}))).to.equal("");
      expect(await warningsOf(kindOf({ endpoint }), "other")).to.equal("");
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
        const olds = { size: 1, lid: { color: "blue" }, ...on(...paths) };
        const news = { size: 2, lid: { color: "red" }, ...on(...paths) };
        const line = `replaced, since replaceOnChanges names ${named}: deleted first`;
        expect(await shownOf(olds, news, true)).to.deep.equal(["it was dented", line]);
      });

    it("shows an update where what replaceOnChanges names does not change, or is not known to, or where the option is new", async () => {
      const named = { size: 1, lid: OLD, ...on("lid.size") };
      for (const [olds, news] of [
        [named, { ...named, size: 2 }],
        [named, { ...named, size: 2, lid: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }],
        [
          { ...OLD, __urn: "a" },
          { ...OLD, __urn: "b", ...on("*") },
        ],
      ] as const)
        expect(await shownOf(olds, news)).to.deep.equal(["it was dented", "grows"]);
    });

    it("compares with the inputs of a state that was restored without outputs, and updates it", async () => {
      const seen: Props[] = [];
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
        const change = process();
        await restored.check(OLD, OLD, change);
        expect(restored.diff("1", outputs, OLD, change)).to.deep.equal({ changes: true });
        expect(restored.preview(OLD, outputs)).to.deep.equal(restored.preview(OLD));
        await restored.update("1", outputs, OLD, change);
        expect(seen.splice(0)).to.deep.equal([OLD, OLD]);
      }
    });

    it("shows that it is replaced where only the engine knows that it is, and once where the diff decides it", async () => {
      const shown = await shownOf(OLD, { size: 2 }, true);
      expect(shown).to.deep.equal(["it was dented", "replaced instead of updated: deleted first"]);
      const replaced = { result: { replaces: ["size"] }, message: "replaced, since it grows" };
      const kind = box({ endpoint, check, difference: () => replaced });
      expect(await shownOf(OLD, { size: 2 }, true, kind)).to.deep.equal([replaced.message]);
    });

    it("shows that an option keeps the old one, where the diff has words of its own for what becomes of it", async () => {
      const loss = "the new one is created first";
      const replaced = { result: { replaces: ["size"] }, message: `replaced: ${loss}`, loss };
      const kind = box({ endpoint, check, difference: () => replaced });
      const kept = { ...OLD, __keeping: ["retainOnDelete"] };
      expect(await shownOf(kept, { ...kept, size: 2 }, true, kind)).to.deep.equal([
        "replaced: the old one stays, since retainOnDelete is set",
      ]);
    });

    const REPLACED = "replaced instead of updated: ";
    const KEPT = { inputs: { __keeping: ["retainOnDelete"] } };
    for (const [what, recorded, shown] of [
      ["has it", {}, `${REPLACED}deleted first`],
      ["keeps it", KEPT, `${REPLACED}the old one stays, since retainOnDelete is set`],
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
        const holds = () => ({ problems: [], message: "holds 2" });
        await box({ endpoint, check: holds }).check({}, OLD, change);
        await announceForcedReplacement(change);
        showAnnouncement(change);
        expect(said).to.deep.equal([shown]);
      });

    it("warns of customTimeouts when it is set, with the argument to set instead", async () => {
      const reason =
        "the option customTimeouts has no effect, since Pulumi does not pass it to this provider";
      const timed = { size: 1, __customTimeouts: true };
      for (const [olds, part, warnings] of [
        [{}, { timeoutArgument: "wait.timeout" }, [`${reason}; set wait.timeout instead`]],
        [OLD, {}, [reason]],
        [timed, {}, []],
      ] as const) {
        await box({ endpoint, ...part }).check(olds, timed, process());
        expect(said.splice(0)).to.deep.equal(warnings);
      }
    });
  });

  it("warns of a path in ignoreChanges that no argument has, when it is set", async () => {
    const argument = { schema: z.unknown(), effect: "none" } as const;
    const rows = ["name", "secrets", "source.repoRef"].map((path) => ({ ...argument, path }));
    const kind = box({ endpoint, arguments: rows });
    const warningsOf = async (olds: string[], news: string[]) => {
      await kind.check({ __ignored: olds }, { __ignored: news }, context());
      return said.splice(0);
    };
    const fine = ["name", "source", "source.*", "*", "secrets.A", 'secrets["a.b"]', "*.repoRef"];
    expect(await warningsOf([], fine)).to.be.empty;
    const wrong = [
      ["secret", "secrets"],
      ["repoRef", "source.repoRef"],
      ["source.repoUrl", "source.repoRef"],
    ] as const;
    const news = ["old", ...wrong.map(([path]) => path)];
    expect(await warningsOf(["old"], news)).to.deep.equal(
      wrong.map(
        ([path, meant]) =>
          `the option ignoreChanges has no effect there: unknown argument '${path}'; did you mean "${meant}"?`,
      ),
    );
  });

  const QUOTE = "old-canary, new-canary";
  /** What errors of create, read, update and delete have of these values of the state and the inputs. */
  const REDACTED = [
    "old-canary, [secret]",
    "[secret], new-canary",
    "[secret], [secret]",
    "[secret], new-canary",
  ];

  it("redacts the secret values of the state and of the inputs in every error, also in reasons that are kept", async () => {
    const secretsOf = ({ key }: Props) => [typeof key === "string" ? key : undefined];
    const [old, now] = [{ key: "old-canary" }, { key: "new-canary" }];
    const quoting = () => Promise.reject(new Error(QUOTE));
    const verbs = { create: quoting, read: quoting, update: quoting, delete: quoting };
    expect(await errorsOf({ secretsOf, ...verbs }, old, now)).to.deep.equal(REDACTED);
    const create = () => Promise.reject(new InitializationFailure("1", now, ["new-canary fails"]));
    const kept = await rejection(box({ secretsOf, create }).create(now, context()));
    expect(kept).to.deep.include({ id: "1", properties: now, reasons: ["[secret] fails"] });
  });

  it("repeats in no error, problem, message or warning what the program has made secret", async () => {
    const hidden = { __secrets: ["size"] };
    const old = { size: "old-canary", ...hidden };
    const now = { size: "new-canary", ...hidden };
    const quoting = async ({ log }: Pick<Context, "log">): Promise<never> => {
      for (const say of [log.progress, log.info, log.warn]) void say(QUOTE);
      throw new Error(QUOTE);
    };
    const part: Part = {
      create: (_news, its) => quoting(its),
      read: (_id, _olds, its) => quoting(its),
      update: (_id, _olds, _news, its) => quoting(its),
      delete: (_id, _olds, its) => quoting(its),
      difference: () => ({ result: {}, message: QUOTE, warning: QUOTE }),
    };
    const own = context();
    expect(await errorsOf(part, old, now, own)).to.deep.equal(REDACTED);
    expect(said.splice(0)).to.have.members(REDACTED.flatMap((text) => [text, text, text]));
    const found = { warnings: [QUOTE], problems: [] };
    await box({ ...part, check: () => found }).check(old, now, own);
    box(part).diff("1", old, now, own);
    showAnnouncement(own);
    expect(said).to.deep.equal(Array.from({ length: 3 }, () => "[secret], [secret]"));
    const fresh = context();
    const created = () => ({ message: QUOTE, problems: [] });
    await box({ check: created }).check({}, { ...now, of: old }, fresh);
    showAnnouncement(fresh);
    expect(said.pop()).to.equal("[secret], [secret]");
    const problems = [{ property: "size", reason: QUOTE }];
    const { failures } = await box({ check: () => ({ problems }) }).check(old, now, own);
    expect(failures).to.deep.equal([{ property: "size", reason: "[secret], [secret]" }]);
  });

  it("says what was cancelled where that ends a pause", async () => {
    const cancellation = new AbortController();
    const read = async (): Promise<never> => {
      cancellation.abort();
      throw cancellation.signal.reason;
    };
    const own = { ...context(), signal: cancellation.signal };
    expect(await reasonOf(box({ read }).read("1", { name: "a" }, own))).to.equal(
      "get box 'a': cancelled",
    );
  });

  for (const [where, at] of [
    ["the control plane", {}],
    ["an agent server", { endpoint: "boxes" }],
  ] as const)
    it(`names no resource of the state to remove where an import cannot connect to ${where}`, async () => {
      const request = { action: "list boxes", method: "GET", url: "u", reason: "no", secrets: [] };
      const read = async (): Promise<never> => {
        throw new ConnectionError(request);
      };
      const reading = (olds: Props) => reasonOf(box({ ...at, read }).read("1", olds, context()));
      expect(await reading({ name: "a" })).to.contain("`pulumi state delete 'urn:");
      expect(await reading({}))
        .to.match(/is running and .* right/)
        .and.not.contain("state delete");
    });

  it("keeps the hidden members of what is read, and an empty id says that it is gone", async () => {
    const read = (found?: { inputs: Props; outs: Props }) =>
      box({ read: async () => found }).read("1", { __urn: "urn", size: 0 }, context());
    expect(await read({ inputs: { size: 1 }, outs: { size: 1, id: "1" } })).to.deep.equal({
      id: "1",
      inputs: { size: 1, __urn: "urn" },
      props: { size: 1, id: "1", __urn: "urn" },
    });
    expect(await read()).to.deep.equal({ id: "", props: {} });
  });
});
