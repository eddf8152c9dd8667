import { expect } from "chai";
import { deploymentLifecycle } from "../../../provider/deployment/lifecycle";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { assistantLifecycle } from "../../../provider/assistant/operations";
import { threadLifecycle } from "../../../provider/thread/operations";
import { IMAGE_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";

const URL = "https://support.example.com";
const NOWHERE = { url: "http://127.0.0.1:9", apiKey: "k", workspaceId: "w" };
const ID = "11111111-1111-4111-8111-111111111111";
const THREAD = { deploymentUrl: URL, deploymentId: ID };

describe("the address of a thread whose deployment changes, at a preview", () => {
  const deployed = (members: Props, custom: Props = {}): Props => ({
    ...IMAGE_INPUTS,
    name: "support",
    sourceConfig: { customUrl: URL, ...custom },
    ...members,
  });
  /** The engine's order: it diffs the deployment, then checks the thread with an unknown URL. */
  const addressAfter = async (news: Props, thread: Props = {}, olds: Props = THREAD) => {
    const context = contextOf({ ...NOWHERE });
    const old = deployed({ env: { A: "1" } });
    await deploymentLifecycle.check(old, news, context);
    deploymentLifecycle.diff(ID, { ...old, url: URL }, news, context);
    const inputs = { ...THREAD, deploymentUrl: UNKNOWN, ...thread };
    return (await threadLifecycle.check(olds, inputs, context)).inputs?.["deploymentUrl"];
  };

  it("is known where the deployment surely keeps it", async () =>
    expect(await addressAfter(deployed({ env: { A: "2" } }))).to.equal(URL));

  it("brings its deployment with it, where a program in another language does not name one", async () => {
    const context = contextOf({ ...NOWHERE });
    const deploymentAt = async (deploymentUrl: string) =>
      (await threadLifecycle.check(THREAD, { deploymentUrl }, context)).inputs?.["deploymentId"];
    expect(await deploymentAt(URL)).to.equal(ID);
    expect(await deploymentAt("https://b.example.com")).to.equal(undefined);
    expect(await deploymentAt(UNKNOWN)).to.equal(undefined);
  });

  const CHANGED = deployed({ env: { A: "2" } });
  const FORCED = { ...CHANGED, __replaceOnChanges: ["env.A"] };
  const PROXIED = { ...THREAD, deploymentUrl: "https://proxy.example.com" };
  const unknown: [string, Props, Props?, Props?][] = [
    ["that is set to another one", deployed({}, { customUrl: "https://b.example.com" })],
    ["that may be set to another one", deployed({}, { customUrl: UNKNOWN })],
    ["of a deployment that is replaced", deployed({ name: "other" })],
    ["of a deployment that may be replaced", deployed({ name: UNKNOWN })],
    ["of a deployment that replaceOnChanges replaces", FORCED],
    ["of another deployment", CHANGED, { deploymentId: "other" }],
    ["of a deployment that is not known", CHANGED, { deploymentId: UNKNOWN }],
    ["that leads elsewhere, as through a proxy", CHANGED, {}, PROXIED],
    ["of a new thread", CHANGED, {}, {}],
  ];
  for (const [what, news, thread, olds] of unknown)
    it(`stays unknown where it is one ${what}`, async () =>
      expect(await addressAfter(news, thread, olds)).to.equal(UNKNOWN));
});

describe("what lives on a deployment, at the preview of a change of both", () => {
  const OLD = { ...IMAGE_INPUTS, name: "support" };
  const REPLACED = { replaces: ["deploymentUrl"], deleteBeforeReplace: true };
  const UNKNOWNS = { deploymentUrl: UNKNOWN, deploymentId: UNKNOWN };
  /** The diff of a thread or an assistant, after that of its deployment. */
  const diffAfter = async (
    lifecycle: typeof threadLifecycle,
    news: Props,
    moved: Props,
    isChecked = true,
  ) => {
    const context = contextOf({ ...NOWHERE });
    await deploymentLifecycle.check(OLD, news, context);
    deploymentLifecycle.diff(ID, { ...OLD, url: URL }, news, context);
    const own = { ...context, urn: `${context.urn}-own` };
    const olds = { ...THREAD, graphId: "agent", name: "agent", assistantId: ID };
    const inputs = { ...olds, ...moved };
    if (isChecked) await lifecycle.check(olds, inputs, own);
    return lifecycle.diff(ID, { ...olds, threadId: ID, checkpointId: ID }, inputs, own);
  };
  const other = { ...OLD, name: "other" };

  for (const [kind, lifecycle] of [
    ["a thread", threadLifecycle],
    ["an assistant", assistantLifecycle],
  ] as const)
    it(`replaces ${kind} with the deployment, also where that keeps its URL, and else nothing`, async () => {
      for (const news of [other, { ...OLD, env: { A: "1" }, __replaceOnChanges: ["env"] }])
        for (const moved of [UNKNOWNS, { deploymentId: "new" }])
          expect(await diffAfter(lifecycle, news, moved)).to.deep.equal(REPLACED);
      expect(await diffAfter(lifecycle, { ...OLD, env: { A: "1" } }, UNKNOWNS)).to.deep.equal({});
      expect(await diffAfter(lifecycle, other, {})).to.deep.equal({ changes: false });
    });

  it("leaves the order of deletes to the engine, which asks for it without a check", async () =>
    expect(await diffAfter(threadLifecycle, other, UNKNOWNS, false)).to.deep.equal({}));
});
