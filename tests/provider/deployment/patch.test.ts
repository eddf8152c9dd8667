import { expect } from "chai";
import { patchBack } from "../../../provider/deployment/service/patch";
import type { Deployment } from "pulumi-agentserver/sdk";
import type { Props } from "../../../provider/arguments/props";
import { aDeployment } from "../../support/builders";
import { patchBetween, planBetween } from "../../support/deployment";
import { GIT_INPUTS, IMAGE_INPUTS } from "../../support/inputs";

const GIT: Props = GIT_INPUTS;
const IMAGE: Props = IMAGE_INPUTS;
const gitOnServer = (members = {}) =>
  aDeployment({
    source_config: { build_on_push: false },
    source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
    ...members,
  });
const imageOnServer = (resource_spec = {}) =>
  aDeployment({
    source: "external_container",
    source_config: { resource_spec },
    source_revision_config: { image_uri: "registry.example.com/support:1" },
  });
const ref = (repoRef: string): Props => ({
  ...GIT,
  sourceRevisionConfig: { ...GIT_INPUTS.sourceRevisionConfig, repoRef },
});
const spec = (resourceSpec: object): Props => ({ ...IMAGE, sourceConfig: { resourceSpec } });

const onRef = (repo_ref: string) => gitOnServer({ source_revision_config: { repo_ref } });
const toRef = (repo_ref: string) => ({ source_revision_config: { repo_ref } });
const imageOf = (image_uri: string) =>
  aDeployment({ source: "external_container", source_revision_config: { image_uri } });
const toImage = (image_uri: string) => ({ source_revision_config: { image_uri } });
const git = (members: object): Props => ({
  ...GIT,
  sourceConfig: { ...GIT_INPUTS.sourceConfig, ...members },
});

describe("the PATCH of an update", () => {
  const [ONE, TWO] = [
    { ...GIT, redeployOn: 1 },
    { ...GIT, redeployOn: 2 },
  ];
  const [FIRST, SECOND] = [
    { ...IMAGE, redeployOn: 1 },
    { ...IMAGE, redeployOn: 2 },
  ];
  const A = { A: "1" };
  const BOTH = { env: { B: "2" }, secrets: { A: "3" } };
  const SORTED = [
    { name: "A", value: "3" },
    { name: "B", value: "2" },
  ];
  const TURNED = { repo_ref: "refs/heads/next", graph_config_path: "./langgraph.json" };
  const PUSHED = gitOnServer({ source_config: { build_on_push: true } });
  const { imageUri } = IMAGE_INPUTS.sourceRevisionConfig;
  const PULLED = `${imageUri}@sha256:${"0".repeat(64)}`;
  const UNPUSHED = { source_config: { build_on_push: false } };
  const rows: [string, Props, Props, Deployment, object][] = [
    ["only the field that changed", GIT, ref("next"), gitOnServer(), toRef("next")],
    ["nothing that is there", GIT, ref("next"), onRef("next"), {}],
    [
      "nothing that is there in another form",
      GIT,
      ref("next"),
      gitOnServer({ source_revision_config: TURNED }),
      {},
    ],
    [
      "no ref that was moved elsewhere",
      GIT,
      { ...GIT, env: A },
      onRef("elsewhere"),
      { secrets: [{ name: "A", value: "1" }] },
    ],
    [
      "the whole environment, sorted",
      { ...GIT, env: { B: "1" } },
      { ...GIT, ...BOTH },
      gitOnServer(),
      { secrets: SORTED },
    ],
    [
      "no environment that is there",
      GIT,
      { ...GIT, ...BOTH },
      gitOnServer({ secrets: SORTED.toReversed() }),
      {},
    ],
    [
      "an empty list for the last variable",
      { ...GIT, env: A },
      { ...GIT, env: {} },
      gitOnServer({ secrets: [{ name: "A", value: "1" }] }),
      { secrets: [] },
    ],
    ["no environment that the program owns no more", { ...GIT, env: A }, GIT, gitOnServer(), {}],
    [
      "the current ref with a build command",
      GIT,
      git({ buildCommand: "make" }),
      gitOnServer(),
      { source_config: { build_command: "make" }, ...toRef("main") },
    ],
    ["the declared branch for a commit", ONE, TWO, onRef("a".repeat(40)), toRef("main")],
    ["the declared form of a branch", ONE, TWO, onRef("refs/heads/main"), toRef("main")],
    ["the declared image for its digest", FIRST, SECOND, imageOf(PULLED), toImage(imageUri)],
    [
      "the ref that is there, not the declared one",
      ONE,
      TWO,
      onRef("elsewhere"),
      toRef("elsewhere"),
    ],
    ["the image that is there", FIRST, SECOND, imageOf("b:2"), toImage("b:2")],
    ["building on push off when it is removed", git({ buildOnPush: true }), GIT, PUSHED, UNPUSHED],
    ["a setting that a replica may show", git({ buildOnPush: true }), GIT, gitOnServer(), UNPUSHED],
    [
      "a branch that builds on push for a tag",
      ref("refs/tags/v1"),
      git({ buildOnPush: true }),
      onRef("refs/tags/v1"),
      { source_config: { build_on_push: true }, ...toRef("main") },
    ],
  ];
  for (const [what, olds, news, there, body] of rows)
    it(`sends ${what}`, () => {
      const patch = patchBetween(olds, news, there);
      expect(patch.body).to.deep.equal(body);
      const creates = ["source_revision_config", "secrets"].some((name) => name in body);
      expect(patch.createsRevision).to.equal(creates);
    });

  it("asks for a revision of the same inputs after a failure, once", () => {
    for (const [olds, news, there, body] of [
      [GIT, GIT, gitOnServer(), toRef("main")],
      [IMAGE, IMAGE, imageOnServer(), toImage(imageUri)],
      [GIT, ref("next"), gitOnServer(), toRef("next")],
    ] as const)
      expect(patchBetween(olds, news, there, true).body).to.deep.equal(body);
  });

  it("sends no size that the service has in another form", () => {
    const image = imageOnServer({ cpu: "0.5", memory_mb: "512" });
    const sent = (cpu: number) => patchBetween(IMAGE, spec({ cpu, memoryMb: 512 }), image).body;
    expect(sent(0.5)).to.deep.equal({});
    expect(sent(0.6).source_config?.resource_spec).to.deep.equal({ cpu: 0.6, memory_mb: 512 });
  });

  it("sends the whole declared size where the service does not show the one that is there", () => {
    for (const source_config of [{ resource_spec: null }, {}]) {
      const hidden = aDeployment({ ...imageOnServer(), source_config });
      const [before, after] = [spec({ cpu: 1, memoryMb: 512 }), spec({ cpu: 2, memoryMb: 512 })];
      expect(patchBetween(before, after, hidden, false).body).to.deep.equal({
        source_config: { resource_spec: { cpu: 2, memory_mb: 512 } },
      });
    }
  });

  describe("of a size", () => {
    const sent = (olds: object, news: object, there: object) =>
      patchBetween(spec(olds), spec(news), imageOnServer(there), false).body.source_config
        ?.resource_spec;

    it("lays the changed keys over what the service has", () =>
      expect(
        sent({ cpu: 1 }, { cpu: 2 }, { cpu: 1, memory_mb: 512, min_scale: null }),
      ).to.deep.equal({ cpu: 2, memory_mb: 512 }));

    it("keeps what others added, also fields that this release does not know", () => {
      const there = { cpu: 1, sidecars: [{ name: "theirs", image: "x" }], gpu_count: 1 };
      expect(sent({ cpu: 1 }, { cpu: 2 }, there)).to.deep.equal({ ...there, cpu: 2 });
    });

    it("leaves out a default that the service had filled in from the old value", () =>
      expect(sent({ cpu: 1 }, { cpu: 4 }, { cpu: 1, cpu_limit: 2, queue_cpu: 1 })).to.deep.equal({
        cpu: 4,
      }));

    const filledIn = [
      ["cpu_limit", "cpu", 2],
      ["memory_limit_mb", "memory_mb", 2],
      ["queue_min_scale", "min_scale", 1],
      ["queue_max_scale", "max_scale", 1],
      ["queue_cpu", "cpu", 1],
      ["queue_cpu_limit", "queue_cpu", 2],
      ["queue_memory_mb", "memory_mb", 1],
      ["queue_memory_limit_mb", "queue_memory_mb", 2],
      ["cache_cpu_limit", "cache_cpu", 2],
      ["db_cpu_limit", "db_cpu", 2],
      ["db_memory_limit_mb", "db_memory_mb", 2],
    ] as const;
    for (const [name, base, times] of filledIn)
      it(`leaves out ${name} where it is ${times} times ${base}, and only there`, () => {
        const there = { [base]: 3, [name]: 3 * times };
        expect(sent({}, { labels: {} }, there)).to.deep.equal({ [base]: 3, labels: {} });
        const set = { [base]: 3, [name]: 3 * times + 1 };
        expect(sent({}, { labels: {} }, set)).to.deep.equal({ ...set, labels: {} });
      });

    it("keeps a value that only looks like a default when it was declared", () =>
      expect(
        sent({ cpu: 1, cpuLimit: 2 }, { cpu: 1.5, cpuLimit: 2 }, { cpu: 1, cpu_limit: 2 }),
      ).to.deep.equal({ cpu: 1.5, cpu_limit: 2 }));

    it("sends nothing when a key is only removed, or is there already", () => {
      expect(sent({ cpu: 1 }, { cpu: null }, { cpu: 1 })).to.equal(undefined);
      expect(sent({ cpu: 1 }, {}, { cpu: 1 })).to.equal(undefined);
      expect(sent({ cpu: 1 }, { cpu: 2 }, { cpu: 2 })).to.equal(undefined);
    });

    it("takes back what came with a failed change, and the defaults that the service filled in from it", () => {
      const there = { cpu: 8, cpu_limit: 16, memory_mb: 64, memory_limit_mb: 128, gpu_count: 1 };
      const failed = { cpu: 8, memoryMb: 64 };
      const back = (before: object) =>
        patchBack(planBetween(spec(failed), spec(before)), imageOnServer(there)).body.source_config;
      expect(back({ cpu: 1 })).to.deep.equal({ resource_spec: { cpu: 1, gpu_count: 1 } });
      expect(back({})).to.deep.equal({ resource_spec: { gpu_count: 1 } });
      expect(back(failed)).to.equal(undefined);
    });
  });
});
