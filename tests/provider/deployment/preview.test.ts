import { expect } from "chai";
import { showAnnouncement } from "../../../provider/resource/announcement";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { optionInputs } from "../../../provider/arguments/option-inputs";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { previewOf } from "../../support/deployment";
import { GIT_INPUTS, IMAGE_INPUTS, sized, URN, withConfig, withSource } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";

const PLATFORM = { url: "https://control.example.com", apiKey: "key", workspaceId: "w" };
const NOBODY = "http://127.0.0.1:9";
const GONE = "deleted first, its threads and database are deleted with it";
/** The control plane that would name the agent server does not respond. */
const COUNTED = `${GONE}; it is not known how many threads go with it: no connection to http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9`;

describe("what the preview says in words", () => {
  const declared = { ...GIT_INPUTS, name: "support" };
  const changed = (before: Props, after: Props) =>
    previewOf({ ...declared, ...before }, { ...declared, ...after });

  it("says what is destroyed if an unknown value that can't be changed is another one", () => {
    const { integrationId: _, ...without } = GIT_INPUTS.sourceConfig;
    const news = { sourceConfig: { ...without, integrationId: UNKNOWN } };
    expect(changed({}, news)).to.equal(
      `may be replaced, depending on a value known only during the update (integrationId): ${GONE}`,
    );
    expect(changed({}, { name: UNKNOWN })).to.equal(
      `may be replaced, depending on a value known only during the update (name): ${GONE}`,
    );
    expect(changed({ sourceConfig: without }, news)).to.equal(undefined);
  });

  it("offers to create the new one of a derived name first, until the option says so", () => {
    const derived = { ...declared, __nameDerived: true };
    const news = withConfig(derived, { repoUrl: "https://git.example.com/acme/moved.git" });
    const replaced = (order: string, option = "") =>
      `replaced, since repoUrl can't be changed: ${order}, its threads and database are deleted with it${option}`;
    const offer = "; the option deleteBeforeReplace: false creates the new one first";
    expect(previewOf(derived, news)).to.equal(replaced("deleted first", offer));
    const told = optionInputs({ deleteBeforeReplace: false });
    expect(previewOf(derived, { ...news, ...told })).to.equal(replaced("deleted last"));
    expect(previewOf(derived, { ...news, __nameDerived: false })).not.to.contain("the option");
  });

  it("says that an update which asks for more waits for the revision after all", () => {
    const rollout = { revisionId: "r-1", state: "done" };
    const waitingFor = (until: string) => ({ wait: { until }, rollout });
    for (const [before, after, words] of [
      ["none", "active", "waits for revision r-1"],
      ["none", "deployed", "waits for revision r-1"],
      ["deployed", "active", "waits for revision r-1"],
      ["active", "none", undefined],
    ] as const)
      expect(changed(waitingFor(before), waitingFor(after))).to.equal(words);
    const smokeCheck = { graphId: "agent", runs: [{ input: {}, expect: { contains: "a" } }] };
    for (const [before, words] of [
      ["none", "waits for revision r-1; a gate of 1 run follows"],
      ["deployed", "waits for revision r-1"],
    ] as const)
      expect(
        changed({ ...waitingFor(before), smokeCheck }, { ...waitingFor("active"), smokeCheck }),
      ).to.equal(words);
  });

  it("leaves unknown what a create brings, and of an update only what that may change", () => {
    const created = lifecycle.preview(declared);
    expect(created).to.deep.include({ ...declared, url: UNKNOWN, ready: UNKNOWN });
    const rollout = { revisionId: "r-1", state: "done" };
    const kept = { url: "https://a.example.com", ready: true };
    const revisions = { latestRevisionId: "r-1", activeRevisionId: "r-1", revisions: [], rollout };
    const service = { ...revisions, status: "READY", updatedAt: "", lastGoodRevision: null };
    const revised = { ...service, failedRevision: null };
    const news = { env: { A: "1" } };
    const seen = lifecycle.preview({ ...declared, ...news }, { ...declared, ...kept, ...revised });
    expect(seen).to.deep.include({ ...news, ...kept });
    for (const name of Object.keys(revised)) expect(seen).to.have.property(name, UNKNOWN);
  });

  const named = (resourceSpec: unknown) => ({ ...sized(resourceSpec), name: "support" });

  describe("of a size", () => {
    const inCreate = async (resourceSpec: object) => {
      const said: string[] = [];
      const context = contextOf({ ...PLATFORM }, said);
      await lifecycle.check({}, named(resourceSpec), context);
      showAnnouncement(context);
      return said.join();
    };

    it("says what a create comes to, with the service's defaults", async () => {
      const database = { dbCpu: 2, dbMemoryMb: 4096 };
      const spec = { minScale: 1, maxScale: 3, cpu: 0.5, memoryMb: 1024, ...database };
      expect(await inCreate({ ...spec, queueCpu: 0.25, queueMaxScale: 1 })).to.contain(
        "size: server 1–3 × (0.5 CPU, 1024 MB), queue 1 × (0.3 CPU, 1024 MB), database 2 CPU, 4096 MB",
      );
      for (const unsized of [{ cpu: UNKNOWN, memoryMb: 512 }, { labels: { team: "a" } }])
        expect(await inCreate(unsized)).not.to.contain("size");
    });

    const BEFORE = { minScale: 1, maxScale: 1, cpu: 1, memoryMb: 2048, dbCpu: 1 };
    const rows: [string, object, object, RegExp][] = [
      [
        "what a change comes to before and after",
        BEFORE,
        { ...BEFORE, maxScale: 4, queueMaxScale: 1 },
        /^an update creates a new revision: resourceSpec.maxScale, resourceSpec.queueMaxScale; size: server 1 × \(1 CPU, 2048 MB\) → 1–4 × \(1 CPU, 2048 MB\)$/,
      ],
      [
        "the parts that change",
        BEFORE,
        { ...BEFORE, memoryMb: undefined, cpu: 2 },
        /queue 1 × \(1 CPU, 2048 MB\) → 1 × \(2 CPU, 2048 MB\)/,
      ],
      ["no value that may be secret", { labels: { a: "b" } }, {}, /labels .* keeps its value$/],
      [
        "nothing of what only repeats a default, as in the state of an import",
        { cpu: 1, cpuLimit: 2, queueCpu: 1, queueCpuLimit: 2 },
        { cpu: 1 },
        /^undefined$/,
      ],
      ...[{}, { cpu: null }].map((none): [string, object, object, RegExp] => [
        `of a key that is null or left out that it keeps its value: ${JSON.stringify(none)}`,
        { cpu: 1, memoryMb: null },
        none,
        /^resourceSpec.cpu is removed from the program and keeps its value 1$/,
      ]),
    ];
    for (const [what, before, after, words] of rows)
      it(`says ${what}`, () =>
        expect(String(previewOf(named(before), named(after)))).to.match(words));
  });

  describe("of values that are not known yet", () => {
    const olds = { env: { A: "1", B: "1", GONE: "1" }, secrets: { S: "1" } };
    const { S, ...plain } = { S: "1", A: "1", B: "2", NEW: "1" };
    const source = (repoRef: string) => withSource({ repoRef });
    const WILL = "an update creates a new revision: ";
    const MAY = "may create a new revision, depending on a value known only during the update ";
    const OF_MAIN = "; it builds the newest commit of branch main";
    const CHANGED = "variable NEW added, variable B changed";
    const SIZE = { cpu: 1, memoryMb: 512 };
    const GONE_TOO = "variable GONE removed";
    const known = { env: { A: UNKNOWN, B: "2", NEW: UNKNOWN }, secrets: { S } };
    const hidden = { env: plain, secrets: UNKNOWN };
    const PARTLY = { cpu: UNKNOWN, memoryMb: 1024 };
    const rows: [string, object, object, string | undefined][] = [
      ["one variable", { env: { A: "1" } }, { env: { A: UNKNOWN } }, `${MAY}(variable A)`],
      ["all secrets", olds, { ...olds, secrets: UNKNOWN }, `${MAY}(secrets)`],
      ["env", olds, { env: UNKNOWN, secrets: { S: UNKNOWN } }, `${MAY}(env, variable S)`],
      ["a ref", source("main"), source(UNKNOWN), `${MAY}(repoRef)`],
      ["redeployOn", { redeployOn: "1" }, { redeployOn: UNKNOWN }, `${MAY}(redeployOn)`],
      ["a first redeployOn, which creates none", {}, { redeployOn: UNKNOWN }, undefined],
      ["a part", named(SIZE), named({ ...SIZE, cpu: UNKNOWN }), `${MAY}(resourceSpec.cpu)`],
      ["a size", named(SIZE), named(UNKNOWN), `${MAY}(resourceSpec)`],
      ["two variables beside known ones", olds, known, `${WILL}${CHANGED}, ${GONE_TOO}${OF_MAIN}`],
      ["a map that may hold what is gone", olds, hidden, `${WILL}${CHANGED}${OF_MAIN}`],
      ["a part beside a known one", named(SIZE), named(PARTLY), `${WILL}resourceSpec.memoryMb`],
    ];
    for (const [what, before, after, words] of rows)
      it(`names what they may change, and what is known to change: ${what}`, () =>
        expect(changed({ ...before }, { ...after })).to.equal(words));
  });

  describe("of a branch", () => {
    const served = { id: "r-1", repoCommitSha: "0123456789ab".padEnd(40, "c") };
    const olds = { activeRevisionId: "r-1", revisions: [{ id: "r-2" }, served] };
    const builds = "it builds the newest commit of branch main";
    const serves = "(0123456789ab serves now)";
    const repoCommitSha = "d".repeat(40);
    const pinned = withSource({ repoCommitSha });
    const installing = (installCommand: string) => withConfig(GIT_INPUTS, { installCommand });
    const failed = { rollout: { revisionId: "r-2", state: "failed" } };
    const rows: [string, object, object, string][] = [
      ["redeployOn", { redeployOn: 1 }, { redeployOn: 2 }, `${builds} ${serves}`],
      ["installCommand", installing("npm ci"), installing("npm i"), `${builds} ${serves}`],
      ["variable A added", {}, { env: { A: "1" } }, `${builds} ${serves}`],
      ["repoCommitSha", {}, pinned, `${builds}, which must be ${repoCommitSha} ${serves}`],
    ];
    for (const [what, before, after, words] of rows)
      it(`says which commit will be built, and which one serves, whatever creates the revision: ${what}`, () =>
        expect(changed({ ...olds, ...before }, { ...after })).to.equal(
          `an update creates a new revision: ${what}; ${words}`,
        ));

    it("says nothing where a commit is no longer expected", () =>
      expect(changed({ ...olds, ...pinned }, {})).to.equal(undefined));

    it("says it of the revision after one that failed", () =>
      expect(changed({ ...olds, ...failed }, {})).to.equal(
        `${builds} ${serves}; new revision of these inputs, since revision r-2 failed`,
      ));
  });

  describe("of what a failure is rolled back to", () => {
    const good = { id: "r-1", repoRef: "main", repoCommitSha: "a".repeat(40), imageUri: null };
    const failed = { rollout: { revisionId: "r-1", state: "failed" } };
    const none = { ...failed, lastGoodRevision: null };
    const tag = (name: string) => withSource({ repoRef: `refs/tags/${name}` });
    const [one, two] = [{ redeployOn: 1 }, { redeployOn: 2 }];
    const open = { ...one, rollout: { revisionId: "r-2", state: "pending" } };
    const [A1, A2] = [{ env: { A: "1" } }, { env: { A: "2" } }];
    const checked = (values: object) => ({ ...values, smokeCheck: true });
    const UNCHANGED = /^(?!.*serves by then).*; a failure is/;
    const PUT_BACK =
      /revision r-1 of commit a{40}, after one that puts the variables back and is interrupted$/;
    const rows: [string, object, object, RegExp][] = [
      ["the tag", tag("v1"), tag("v2"), /; a failure is rolled back to refs\/tags\/v1$/],
      ["the commit of a branch", one, two, /back by redeploying revision r-1 of commit a{40}$/],
      ["variables, by a revision that never serves", A1, A2, PUT_BACK],
      ["nothing", { ...tag("v1"), ...one }, { ...tag("v1"), ...two }, /not .*: it changes nothing/],
      ["no revision", none, {}, /; a failure is not rolled back: no revision has served before$/],
      ["values that are lost", failed, {}, /not rolled back: the state does not have the values/],
      ["what may serve until then", open, two, /unless revision r-2 serves by then, a failure is/],
      ["with a smoke check, which is to pass first", checked(open), checked(two), UNCHANGED],
      ["what is not to be deployed", {}, {}, /^undefined$/],
    ];
    for (const [what, before, change, words] of rows)
      it(`names it: ${what}`, () => {
        const rollout = { revisionId: "r-1", state: "done" };
        const olds = { lastGoodRevision: good, rollout, ...before };
        expect(String(changed(olds, { onFailure: "rollback", ...change }))).to.match(words);
      });
  });

  it("names the variables that stay when neither env nor secrets is set, and takes null for that", () => {
    for (const news of [{}, { env: null }])
      expect(changed({ env: { B: "1" }, secrets: { A: "CANARY" } }, news)).to.equal(
        "env and secrets are removed from the program: variables A, B stay on the service",
      );
    expect(changed({ env: { B: "1" } }, {})).to.contain("variable B stays");
    expect(changed({ env: {} }, {})).to.equal(undefined);
  });

  describe("in the order in which the engine asks", () => {
    /** What is shown of checks against these olds, with a diff after the first one or not, in a process of its own. */
    const shownOf = async (news: Props, checked: Props[], diffed?: Props) => {
      const said: string[] = [];
      const context = contextOf({ ...PLATFORM, url: NOBODY }, said);
      for (const [at, olds] of checked.entries()) {
        expect((await lifecycle.check(olds, news, context)).failures ?? []).to.be.empty;
        if (at === 0 && diffed) lifecycle.diff("id", diffed, news, context);
      }
      showAnnouncement(context);
      return said;
    };

    it("announces a replacement that replaceOnChanges decides once, and refuses nothing that it can do", async () => {
      const of = (env: Props) => ({ ...declared, __replaceOnChanges: ["env"], env });
      const [olds, news] = [of({ A: "1" }), of({})];
      expect(await shownOf(news, [olds, {}], olds)).to.deep.equal([
        `replaced, since replaceOnChanges names env: ${COUNTED}`,
      ]);
    });

    it("repeats nothing that the program has made secret", async () => {
      const image = (tag: string) => ({
        ...IMAGE_INPUTS,
        name: "support",
        onFailure: "rollback",
        sourceRevisionConfig: { imageUri: `registry.example.com/CANARY:${tag}` },
        __secrets: ["imageUri"],
      });
      const lastGoodRevision = { id: "r-1", ...image("1").sourceRevisionConfig };
      const rollout = { revisionId: "r-1", state: "done" };
      const olds = { ...image("1"), lastGoodRevision, rollout };
      const shown = await shownOf(image("2"), [image("1")], olds);
      expect(shown.join()).to.contain("a failure is rolled back to").and.not.contain("CANARY");
    });

    it("takes a resource of which the state has hidden members alone for a new one, as the native provider gives it", async () => {
      const shown = await shownOf({ ...declared, adoptExisting: true }, [{ __secrets: [] }]);
      expect(shown).to.deep.equal(["adopts deployment 'support' if it exists"]);
      const unnamed = { ...declared, name: UNKNOWN, adoptExisting: true };
      expect(await shownOf(unnamed, [{}])).to.deep.equal([]);
    });

    const KEPT = "the old one stays, since retainOnDelete is set";
    const late = (options: string) =>
      `${GONE}; ${options} does not count in this run: to keep the old one, run \`pulumi state protect '${URN}'\` first`;
    const NONE = {};
    const RETAINED = { __keeping: ["retainOnDelete"] };
    const PROTECTED = { __keeping: ["protect"] };
    const BOTH = { __keeping: ["protect", "retainOnDelete"] };
    const kept: [string, Props, Props, string][] = [
      ["protect that the run brings", NONE, PROTECTED, late("protect")],
      ["both that it brings", NONE, BOTH, late("protect and retainOnDelete")],
      ["retainOnDelete of the state", RETAINED, RETAINED, KEPT],
      ["retainOnDelete that the run removes", RETAINED, NONE, KEPT],
      ["protect of the state", PROTECTED, PROTECTED, GONE],
    ];
    for (const [what, before, after, effect] of kept)
      it(`says what a replacement leaves of the old one with ${what}`, async () => {
        const olds = { ...declared, ...before };
        const news = { ...declared, name: "other", ...after };
        expect(await shownOf(news, [olds, {}], olds)).to.deep.equal([
          `replaced, since name can't be changed: ${effect.replace(GONE, COUNTED)}`,
        ]);
        expect(await shownOf({ ...declared, ...after }, [olds, {}])).to.deep.equal([
          `replaced instead of updated: ${effect}`,
        ]);
      });
  });
});
