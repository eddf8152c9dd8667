import type { dynamic } from "@pulumi/pulumi";
import { expect } from "chai";
import type { Props } from "../../../../provider/arguments/props";
import { announce } from "../../../../provider/resource/announcement";
import type { Context } from "../../../../provider/resource/context";
import { InitializationFailure } from "../../../../provider/resource/errors";
import type { Lifecycle } from "../../../../provider/resource/lifecycle";
import { newProcessCache } from "../../../../provider/resource/process-cache";
import { serve } from "../../../../provider/adapters/dynamic/serve";
import { HOST } from "../../../support/lifecycle";
import { untyped } from "../../../support/values";
import { rejection } from "../../../support/rejection";

const unused = async (): Promise<never> => {
  throw new Error("not part of this test");
};
const lifecycle = (part: Partial<Lifecycle>): Lifecycle => ({
  arguments: [],
  secretInputs: [],
  secretOutputs: [],
  check: unused,
  preview: (news) => news,
  diff: () => ({}),
  create: unused,
  read: unused,
  update: unused,
  delete: unused,
  ...part,
});
const config = (raw: Record<string, string>) => ({
  config: {
    get: (key: string) => raw[key],
    require: (key: string) => raw[key] ?? "",
    rawConfig: raw,
  },
});

describe("serving a lifecycle in Pulumi's process", () => {
  it("returns nothing undefined, at any depth, and nothing frozen", async () => {
    const outs = Object.freeze({ a: undefined, b: { c: undefined, d: [1, undefined] } });
    const provider = serve(lifecycle({ create: async () => ({ id: "1", outs }) }), HOST);
    const created = await provider.create({});
    expect(created.outs).to.deep.equal({ b: { d: [1, null] } });
    expect(Object.isFrozen(created.outs)).to.equal(false);
  });

  it("shows announcements in a preview alone, whose mark is neither checked nor returned", async () => {
    for (const [mark, shown] of [
      [{ __preview: null }, ["grows", "loses all"]],
      [{}, []],
    ] as const) {
      const said: string[] = [];
      const say = (text: string): void => void said.push(text);
      const provider = serve(
        lifecycle({
          check: async (_olds, inputs, context) => {
            announce(context, "grows");
            return { inputs };
          },
          diff: (_id, _olds, _news, context) => {
            announce(context, "loses all");
            return {};
          },
        }),
        {
          ...HOST,
          processCache: newProcessCache(),
          logOf: () => ({ progress: say, info: say, warn: say }),
        },
      );
      const news = { __urn: "urn", size: 1 };
      const checked = await provider.check?.({}, { ...news, ...mark });
      expect(checked).to.deep.equal({ inputs: news, failures: [] });
      await provider.diff?.("1", news, news);
      expect(said).to.deep.equal(shown);
    }
  });

  it("throws an initialisation failure with id, reasons, full properties and the provider's text", async () => {
    const provider = serve(
      lifecycle({
        create: () =>
          Promise.reject(
            new InitializationFailure("1", { url: "u", none: undefined, __secrets: ["a"] }, [
              "why",
            ]),
          ),
      }),
      HOST,
    );
    const own = { __provider: "text", __urn: "urn" };
    const error = await rejection(provider.create({ ...own, __secrets: ["b"], name: "n" }));
    expect(error).to.deep.include({
      id: "1",
      reasons: ["why"],
      properties: { url: "u", ...own, __secrets: ["b", "a"] },
    });
  });

  it("throws any other error as one sentence without a stack", async () => {
    const provider = serve(
      lifecycle({ read: () => Promise.reject(new RangeError("it is gone")) }),
      HOST,
    );
    const error = await rejection(Promise.resolve(provider.read?.("1", {})));
    expect(`${error}: ${error.stack}`).to.equal("it is gone: ");
  });

  it("names no argument as the place of a problem: the CLI would print its value, a secret one too, or <nil>", async () => {
    const failures = [
      { property: "secret", reason: "must be an object" },
      { property: "supersteps[0]", reason: "must be an object" },
      { property: "sourceConfig.repoUrl", reason: "is required" },
      { property: "", reason: "agentserver:apiKey is missing" },
    ];
    const provider = serve(lifecycle({ check: async () => ({ failures }) }), HOST);
    expect((await provider.check?.({}, {}))?.failures).to.deep.equal([
      { property: "", reason: "secret must be an object" },
      { property: "", reason: "supersteps[0] must be an object" },
      { property: "", reason: "sourceConfig.repoUrl is required" },
      { property: "", reason: "agentserver:apiKey is missing" },
    ]);
  });

  it("says nothing that a terminal or Pulumi's CLI obeys, in whatever way it fails", async () => {
    const [theirs, seen] = ["\x1b[2J<{%fg 1%}>\r\n\u0085", "\\x1b[2J<\\{%fg 1%}>\n\\u0085"];
    const provider = serve(
      lifecycle({
        check: async () => ({ failures: [{ property: "name", reason: theirs }] }),
        create: () => Promise.reject(new InitializationFailure("1", { name: theirs }, [theirs])),
        update: () => Promise.reject(new Error(theirs)),
      }),
      HOST,
    );
    const checked = await provider.check?.({}, {});
    expect(checked?.failures).to.deep.equal([{ property: "", reason: `name ${seen}` }]);
    expect(String(await rejection(Promise.resolve(provider.update?.("1", {}, {}))))).to.equal(seen);
    const kept = await rejection(provider.create({}));
    expect(kept).to.have.property("message", seen);
    expect(kept).to.deep.include({ reasons: [seen], properties: { name: theirs } });
  });

  it("reads the configuration that it was given last, when an operation needs it", async () => {
    let seen = "";
    const check = async (_olds: object, _news: object, { settings }: Context) => {
      seen = settings().workspaceId;
      return {};
    };
    const provider = serve(lifecycle({ check }), HOST);
    await provider.configure?.(
      config({
        "agentserver:baseUrl": "https://a.example.com",
        "agentserver:apiKey": "key",
        "agentserver:workspaceId": "mine",
      }),
    );
    await provider.check?.({}, {});
    expect(seen).to.equal("mine");
    await provider.configure?.(config({ "agentserver:baseURL": "x" }));
    const refused = await rejection(Promise.resolve(provider.check?.({}, {})));
    expect(refused.message).to.contain("unknown setting 'agentserver:baseURL'");
    // As the engine passes on the secret output of a stack that has no such output.
    await provider.configure?.(config(untyped({ "agentserver:workspaceId": null })));
    const missing = await rejection(Promise.resolve(provider.check?.({}, {})));
    expect(missing.message).to.contain("agentserver:workspaceId is missing");
  });

  it("gives every verb the place of its resource, and knows no import", async () => {
    const seen: unknown[] = [];
    const note = async ({ urn, canImport, readState, log }: Context) => {
      log.info("noted");
      seen.push([urn, canImport, await readState(true)]);
      return { id: "1", outs: {}, inputs: {} };
    };
    const verbs = lifecycle({
      check: (_olds, _news, context) => note(context),
      create: (_news, context) => note(context),
      read: (_id, _props, context) => note(context),
      update: (_id, _olds, _news, context) => note(context),
      delete: async (_id, _props, context) => void (await note(context)),
    });
    const provider = serve(verbs, {
      ...HOST,
      logOf: (urn) => ({ ...HOST.logOf(urn), info: () => void seen.push(urn) }),
      readState: async (urn, isPreview) => ({
        resources: [],
        creating: [{ urn: `${urn} ${isPreview}` }],
      }),
    });
    const own = { __urn: "own" };
    await provider.check?.({}, own);
    await provider.create(own);
    await provider.read?.("1", own);
    await provider.update?.("1", {}, own);
    await provider.delete?.("1", own);
    const state = { resources: [], creating: [{ urn: "own true" }] };
    const noted = Array.from({ length: 5 }, () => ["own", ["own", false, state]]);
    expect(seen).to.deep.equal(noted.flat());
  });

  type Diff = dynamic.DiffResult;
  const [OURS, OLD] = [{ __provider: "text", __urn: "urn" }, { __urn: "old" }];
  const NEWS = { ...OURS, size: 2, __replaceOnChanges: ["size"] };
  const SIZE = { changes: true, replaces: ["size"] };
  const BOTH = { changes: true, replaces: ["a", "size"] };
  const NOT = { changes: false };
  const rows: [title: string, found: Diff, olds: Props, existing: Props, expected: Diff][] = [
    ["what the lifecycle finds", { replaces: ["a"] }, OURS, NEWS, { replaces: ["a"] }],
    ["nothing", NOT, OURS, OLD, NOT],
    ["a change that only the hidden inputs have", {}, OURS, OLD, SIZE],
    ["a change that the lifecycle finds itself", { changes: true }, OURS, OLD, SIZE],
    ["a state of the native provider", { ...NOT, replaces: ["a"] }, {}, { ...NEWS, size: 1 }, BOTH],
    ["one in which nothing visible changes", NOT, {}, NEWS, { changes: true, replaces: [] }],
  ];
  for (const [title, found, olds, existing, expected] of rows)
    it(`leaves the engine nothing hidden to compare: ${title}`, async () => {
      const processCache = newProcessCache();
      processCache.existing.set("urn", existing);
      const provider = serve(lifecycle({ diff: () => found }), { ...HOST, processCache });
      expect(await provider.diff?.("1", olds, NEWS)).to.deep.equal(expected);
    });
});
