import { expect } from "chai";
import { showAnnouncement } from "../../../provider/resource/announcement";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { UNKNOWN } from "../../../provider/arguments/props";
import { previewOf } from "../../support/deployment";
import { GIT_INPUTS, IMAGE_INPUTS, URN } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";

const PLATFORM = {
  url: "https://control.example.com",
  apiKey: "key",
  workspaceId: "22222222-2222-4222-8222-222222222222",
};
const NOBODY = "http://127.0.0.1:9";
const GONE = "deleted first, its threads and database are deleted with it";
/** The control plane that would name the agent server does not respond. */
const COUNTED = `${GONE}; it is not known how many threads go with it: no connection to http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9`;

describe("what the preview says in words", () => {
  const declared = { ...GIT_INPUTS, name: "support" };

  it("says what is destroyed if an unknown value that can't be changed is another one", () => {
    const { sourceConfig } = GIT_INPUTS;
    const news = { ...declared, sourceConfig: { ...sourceConfig, integrationId: UNKNOWN } };
    expect(previewOf(declared, news)).to.equal(
      `may be replaced, depending on a value known only during the update (integrationId): ${GONE}`,
    );
    const { integrationId: _, ...without } = sourceConfig;
    const olds = { ...declared, sourceConfig: without };
    expect(previewOf(olds, news)).to.equal(undefined);
  });

  it("says that an update which asks for more waits for the revision after all", () => {
    const waitingFor = (until: string) => ({
      ...declared,
      wait: { until },
      rollout: { revisionId: "r-1", state: "done" },
    });
    for (const [before, after, words] of [
      ["none", "active", "waits for revision r-1"],
      ["none", "deployed", "waits for revision r-1"],
      ["deployed", "active", "waits for revision r-1"],
      ["active", "none", undefined],
    ] as const)
      expect(previewOf(waitingFor(before), waitingFor(after))).to.equal(words);
  });

  it("leaves unknown what a create brings, and of an update only what that may change", () => {
    const created = lifecycle.preview(declared);
    expect(created).to.deep.include({ ...declared, url: UNKNOWN, ready: UNKNOWN });
    const olds = {
      ...declared,
      url: "https://a.example.com",
      latestRevisionId: "r-1",
      ready: true,
      rollout: { revisionId: "r-1", state: "done" },
    };
    const updated = lifecycle.preview({ ...declared, env: { A: "1" } }, olds);
    expect(updated).to.deep.include({
      env: { A: "1" },
      url: olds.url,
      ready: true,
      latestRevisionId: UNKNOWN,
    });
  });

  describe("of a size", () => {
    const sized = (resourceSpec: object) => ({
      ...declared,
      source: "external_container",
      sourceConfig: { resourceSpec },
      sourceRevisionConfig: { imageUri: "registry.example.com/agent:1" },
    });
    const inCreate = async (inputs: object) => {
      const said: string[] = [];
      const context = { ...contextOf(PLATFORM, said), urn: URN };
      await lifecycle.check({}, { ...inputs }, context);
      showAnnouncement(context);
      return said.join();
    };

    it("says what a create comes to, with the service's defaults", async () => {
      const spec = {
        minScale: 1,
        maxScale: 3,
        cpu: 0.5,
        memoryMb: 1024,
        dbCpu: 2,
        dbMemoryMb: 4096,
      };
      expect(await inCreate(sized({ ...spec, queueCpu: 0.25, queueMaxScale: 1 }))).to.contain(
        "size: server 1–3 × (0.5 CPU, 1024 MB), queue 1 × (0.3 CPU, 1024 MB), database 2 CPU, 4096 MB",
      );
      expect(await inCreate(sized({ cpu: UNKNOWN, memoryMb: 512 }))).not.to.contain("size");
      expect(await inCreate(sized({ labels: { team: "a" } }))).not.to.contain("size");
    });

    it("says what a change comes to before and after, of the parts that change", () => {
      const before = { minScale: 1, maxScale: 1, cpu: 1, memoryMb: 2048, dbCpu: 1 };
      expect(
        previewOf(sized(before), sized({ ...before, maxScale: 4, queueMaxScale: 1 })),
      ).to.equal(
        "an update creates a new revision: resourceSpec.maxScale, resourceSpec.queueMaxScale; " +
          "size: server 1 × (1 CPU, 2048 MB) → 1–4 × (1 CPU, 2048 MB)",
      );
      const { memoryMb: _, ...less } = before;
      expect(previewOf(sized(before), sized({ ...less, cpu: 2 }))).to.contain(
        "queue 1 × (1 CPU, 2048 MB) → 1 × (2 CPU, 2048 MB)",
      );
    });

    it("takes what only repeats a default, as in the state of an import, for not declared", () => {
      const imported = sized({ cpu: 1, cpuLimit: 2, queueCpu: 1, queueCpuLimit: 2 });
      expect(previewOf(imported, sized({ cpu: 1 }))).to.equal(undefined);
    });
  });

  describe("of values that are not known yet", () => {
    const olds = { env: { A: "1", B: "1", GONE: "1" }, secrets: { S: "1" } };
    const { S, ...plain } = { S: "1", A: "1", B: "2", NEW: "1" };
    const source = (repoRef: string) => ({
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
    });
    const sized = (resourceSpec: unknown) => ({ ...IMAGE_INPUTS, sourceConfig: { resourceSpec } });
    const WILL = /^an update creates a new revision: /;
    const MAY = /^may create a new revision, depending on a value known only during the update/;
    const rows: [string, object, object, RegExp, string][] = [
      ["one variable", { env: { A: "1" } }, { env: { A: UNKNOWN } }, MAY, " (variable A)"],
      ["all secrets", olds, { ...olds, secrets: UNKNOWN }, MAY, " (secrets)"],
      ["env", olds, { env: UNKNOWN, secrets: { S: UNKNOWN } }, MAY, " (env, variable S)"],
      ["a ref", source("main"), source(UNKNOWN), MAY, " (repoRef)"],
      ["redeployOn", { redeployOn: "1" }, { redeployOn: UNKNOWN }, MAY, " (redeployOn)"],
      ["a part of a size", sized({ cpu: 1 }), sized({ cpu: UNKNOWN }), MAY, " (resourceSpec.cpu)"],
      ["a size", sized({ cpu: 1 }), sized(UNKNOWN), MAY, " (resourceSpec)"],
      [
        "two variables beside known ones",
        olds,
        { env: { A: UNKNOWN, B: "2", NEW: UNKNOWN }, secrets: { S } },
        WILL,
        "variable NEW added, variable B changed, variable GONE removed; it builds the newest commit of branch main",
      ],
      [
        "a map that may hold the variable that is gone",
        olds,
        { env: plain, secrets: UNKNOWN },
        WILL,
        "variable NEW added, variable B changed; it builds the newest commit of branch main",
      ],
      [
        "a part of a size beside a known one",
        sized({ cpu: 1, memoryMb: 512 }),
        sized({ cpu: UNKNOWN, memoryMb: 1024 }),
        WILL,
        "resourceSpec.memoryMb",
      ],
    ];
    for (const [what, before, after, beginning, rest] of rows)
      it(`names what they may change, and what is known to change: ${what}`, () => {
        const words = previewOf({ ...declared, ...before }, { ...declared, ...after }) ?? "";
        expect(words).to.match(beginning);
        expect(words.replace(beginning, "")).to.equal(rest);
      });

    it("says nothing of a first redeployOn, which creates none", () =>
      expect(previewOf(declared, { ...declared, redeployOn: UNKNOWN })).to.equal(undefined));
  });

  describe("of a branch", () => {
    const olds = {
      ...declared,
      activeRevisionId: "r-1",
      revisions: [{ id: "r-2" }, { id: "r-1", repoCommitSha: "0123456789ab".padEnd(40, "c") }],
    };
    const builds = "it builds the newest commit of branch main";

    it("says that its newest commit will be built, and which one serves, whatever creates the revision", () => {
      for (const [what, change] of Object.entries({
        redeployOn: [{ redeployOn: 1 }, { redeployOn: 2 }],
        installCommand: [
          { sourceConfig: { ...GIT_INPUTS.sourceConfig, installCommand: "npm ci" } },
          { sourceConfig: { ...GIT_INPUTS.sourceConfig, installCommand: "npm i" } },
        ],
        "variable A added": [{}, { env: { A: "1" } }],
      }))
        expect(previewOf({ ...olds, ...change[0] }, { ...declared, ...change[1] })).to.equal(
          `an update creates a new revision: ${what}; ${builds} (0123456789ab serves now)`,
        );
      const failed = { ...olds, rollout: { revisionId: "r-2", state: "failed" } };
      expect(previewOf(failed, declared)).to.equal(
        `${builds} (0123456789ab serves now); new revision of these inputs, since revision r-2 failed`,
      );
    });

    it("names the commit that it must be", () => {
      const repoCommitSha = "d".repeat(40);
      const sourceRevisionConfig = { ...GIT_INPUTS.sourceRevisionConfig, repoCommitSha };
      expect(previewOf(olds, { ...declared, sourceRevisionConfig })).to.equal(
        `an update creates a new revision: repoCommitSha; ${builds}, which must be ${repoCommitSha} (0123456789ab serves now)`,
      );
    });
  });

  describe("of what a failure is rolled back to", () => {
    const good = { id: "r-1", repoRef: "main", repoCommitSha: "a".repeat(40), imageUri: null };
    const failed = { rollout: { revisionId: "r-1", state: "failed" } };
    const none = { ...failed, lastGoodRevision: null };
    const tag = (name: string) => ({
      sourceRevisionConfig: { ...GIT_INPUTS.sourceRevisionConfig, repoRef: `refs/tags/${name}` },
    });
    const [one, two] = [{ redeployOn: 1 }, { redeployOn: 2 }];
    const rows: [string, object, object, RegExp][] = [
      ["the tag", tag("v1"), tag("v2"), /; a failure is rolled back to refs\/tags\/v1$/],
      ["the commit of a branch", one, two, /back by redeploying revision r-1 of commit a{40}$/],
      [
        "variables, by a revision that never serves",
        { env: { A: "1" } },
        { env: { A: "2" } },
        /revision r-1 of commit a{40}, after one that puts the variables back and is interrupted$/,
      ],
      ["nothing", { ...tag("v1"), ...one }, { ...tag("v1"), ...two }, /not .*: it changes nothing/],
      ["no revision", none, {}, /; a failure is not rolled back: no revision has served before$/],
      ["values that are lost", failed, {}, /not rolled back: the state does not have the values/],
      ["what is not to be deployed", {}, {}, /^undefined$/],
    ];
    for (const [what, before, change, words] of rows)
      it(`names it: ${what}`, () => {
        const rollout = { revisionId: "r-1", state: "done" };
        const olds = { ...declared, lastGoodRevision: good, rollout, ...before };
        const news = { ...declared, onFailure: "rollback", ...change };
        expect(String(previewOf(olds, news))).to.match(words);
      });
  });

  it("says of a key of the size that is null what it says of one that is left out", () => {
    const image = { name: "support", source: "external_container" };
    const olds = { ...image, sourceConfig: { resourceSpec: { cpu: 1, memoryMb: null } } };
    for (const resourceSpec of [{}, { cpu: null }]) {
      const news = { ...image, sourceConfig: { resourceSpec } };
      expect(previewOf(olds, news)).to.equal(
        "resourceSpec.cpu is removed from the program and keeps its value 1",
      );
    }
  });

  it("names the variables that stay when neither env nor secrets is set, and takes null for that", () => {
    const olds = { ...declared, env: { B: "1" }, secrets: { A: "CANARY" } };
    for (const news of [declared, { ...declared, env: null }])
      expect(previewOf(olds, news)).to.equal(
        "env and secrets are removed from the program: variables A, B stay on the service",
      );
    expect(previewOf({ ...declared, env: { B: "1" } }, declared)).to.contain("variable B stays");
    expect(previewOf({ ...declared, env: {} }, declared)).to.equal(undefined);
  });

  describe("in the order in which the engine asks", () => {
    let said: string[] = [];
    /** Each as a process of its own. */
    const as = (name: string) => ({
      ...contextOf({ ...PLATFORM, url: NOBODY }, said),
      urn: `${URN}-${name}`,
    });
    beforeEach(() => {
      said = [];
    });

    it("announces a replacement that replaceOnChanges decides once, and refuses nothing that it can do", async () => {
      const context = as("on changes");
      const on = { __replaceOnChanges: ["env"] };
      const [olds, news] = [
        { ...declared, ...on, env: { A: "1" } },
        { ...declared, ...on, env: {} },
      ];
      expect((await lifecycle.check(olds, news, context)).failures).to.be.empty;
      expect(lifecycle.diff("id", olds, news, context)).to.deep.equal({});
      await lifecycle.check({}, news, context);
      showAnnouncement(context);
      expect(said).to.deep.equal([`replaced, since replaceOnChanges names env: ${COUNTED}`]);
    });

    it("repeats nothing that the program has made secret", async () => {
      const context = as("secret");
      const image = (tag: string) => ({
        ...IMAGE_INPUTS,
        name: "support",
        onFailure: "rollback",
        sourceRevisionConfig: { imageUri: `registry.example.com/CANARY:${tag}` },
        __secrets: ["imageUri"],
      });
      const lastGoodRevision = { id: "r-1", ...image("1").sourceRevisionConfig };
      const rollout = { revisionId: "r-1", state: "done" };
      await lifecycle.check(image("1"), image("2"), context);
      lifecycle.diff("id", { ...image("1"), lastGoodRevision, rollout }, image("2"), context);
      showAnnouncement(context);
      expect(said.join()).to.contain("a failure is rolled back to").and.not.contain("CANARY");
    });

    it("takes a resource of which the state has hidden members alone for a new one, as the native provider gives it", async () => {
      const context = as("new");
      await lifecycle.check({ __secrets: [] }, { ...declared, adoptExisting: true }, context);
      showAnnouncement(context);
      expect(said).to.deep.equal(["adopts deployment 'support' if it exists"]);
    });

    const KEPT = "the old one stays, since retainOnDelete is set";
    const late = (options: string) =>
      `${GONE}; ${options} does not count in this run: to keep the old one, run \`pulumi state protect '${URN}-kept'\` first`;
    const keeping = (...options: string[]) => (options.length > 0 ? { __keeping: options } : {});
    const kept: [string, object, object, string][] = [
      ["protect that the run brings", keeping(), keeping("protect"), late("protect")],
      [
        "both that it brings",
        keeping(),
        keeping("protect", "retainOnDelete"),
        late("protect and retainOnDelete"),
      ],
      ["retainOnDelete of the state", keeping("retainOnDelete"), keeping("retainOnDelete"), KEPT],
      ["retainOnDelete that the run removes", keeping("retainOnDelete"), keeping(), KEPT],
      ["protect of the state", keeping("protect"), keeping("protect"), GONE],
    ];
    for (const [what, before, after, effect] of kept)
      it(`says what a replacement leaves of the old one with ${what}`, async () => {
        const [olds, news] = [
          { ...declared, ...before },
          { ...declared, name: "other", ...after },
        ];
        for (const isByEngine of [false, true]) {
          const context = as("kept");
          await lifecycle.check(olds, isByEngine ? { ...olds, ...after } : news, context);
          if (!isByEngine) lifecycle.diff("id", olds, news, context);
          await lifecycle.check({}, isByEngine ? { ...olds, ...after } : news, context);
          showAnnouncement(context);
        }
        expect(said).to.deep.equal([
          `replaced, since name can't be changed: ${effect.replace(GONE, COUNTED)}`,
          `replaced instead of updated: ${effect}`,
        ]);
      });
  });
});
