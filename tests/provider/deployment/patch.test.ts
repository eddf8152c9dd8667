import { expect } from "chai";
import { patchBack } from "../../../provider/deployment/service/patch";
import type { Deployment } from "pulumi-agentserver/sdk";
import type { Props } from "../../../provider/arguments/props";
import { aDeployment, variablesOf } from "../../support/builders";
import { patchBetween, planBetween } from "../../support/deployment";
import { GIT_INPUTS, IMAGE_INPUTS, sized, withConfig, withSource } from "../../support/inputs";

const { imageUri } = IMAGE_INPUTS.sourceRevisionConfig;
const MAIN = { repo_ref: "main", graph_config_path: "langgraph.json" };
const onRef = (source_revision_config: object | string, more: Partial<Deployment> = {}) =>
  aDeployment({
    source_config: { build_on_push: false },
    source_revision_config:
      typeof source_revision_config === "string"
        ? { repo_ref: source_revision_config }
        : source_revision_config,
    ...more,
  });
const onImage = (image_uri: string, source_config: Deployment["source_config"] = {}) =>
  aDeployment({
    source: "external_container",
    source_config,
    source_revision_config: { image_uri },
  });
const toRef = (repo_ref: string) => ({ source_revision_config: { repo_ref } });
const toImage = (image_uri: string) => ({ source_revision_config: { image_uri } });
const git = (config: object, more: object = {}): Props => ({
  ...withConfig(GIT_INPUTS, config),
  ...more,
});
const ref = (repoRef: string): Props => withSource({ repoRef });

describe("the PATCH of an update", () => {
  const GIT: Props = GIT_INPUTS;
  const THERE = onRef(MAIN);
  const [ONE, TWO] = [git({}, { redeployOn: 1 }), git({}, { redeployOn: 2 })];
  const FIRST = { ...IMAGE_INPUTS, redeployOn: 1 };
  const SECOND = { ...IMAGE_INPUTS, redeployOn: 2 };
  const A = git({}, { env: { A: "1" } });
  const B = git({}, { env: { B: "1", C: "1" } });
  const BOTH = git({}, { env: { B: "2", C: "1" }, secrets: { A: "3" } });
  const NO_ENV = git({}, { env: {} });
  const SENT_A = [{ name: "A", value: "1" }];
  const WITH_A = onRef(MAIN, { secrets: SENT_A });
  const SORTED = variablesOf({ A: "3", B: "2", C: "1" });
  const TURNED = onRef({ repo_ref: "refs/heads/next", graph_config_path: "./langgraph.json" });
  const PUSHED = onRef(MAIN, { source_config: { build_on_push: true } });
  const PUSHING = git({ buildOnPush: true });
  const PULLED = onImage(`${imageUri}@sha256:${"0".repeat(64)}`);
  const UNPUSHED = { source_config: { build_on_push: false } };
  const MADE = git({ buildCommand: "make" });
  const TO_MADE = { source_config: { build_command: "make" }, ...toRef("main") };
  const ON_TAG = onRef("refs/tags/v1");
  const TO_PUSHING = { source_config: { build_on_push: true }, ...toRef("main") };
  const rows: [string, Props, Props, Deployment, object][] = [
    ["only the field that changed", GIT, ref("next"), THERE, toRef("next")],
    ["nothing that is there", GIT, ref("next"), onRef("next"), {}],
    ["nothing that is there in another form", GIT, ref("next"), TURNED, {}],
    ["no ref that was moved elsewhere", GIT, A, onRef("elsewhere"), { secrets: SENT_A }],
    ["the whole environment, sorted", B, BOTH, THERE, { secrets: SORTED }],
    ["no environment that is there", GIT, BOTH, onRef(MAIN, { secrets: SORTED.toReversed() }), {}],
    ["an empty list for the last variable", A, NO_ENV, WITH_A, { secrets: [] }],
    ["no environment that the program owns no more", A, GIT, THERE, {}],
    ["the current ref with a build command", GIT, MADE, THERE, TO_MADE],
    ["the declared branch for a commit", ONE, TWO, onRef("a".repeat(40)), toRef("main")],
    ["the declared form of a branch", ONE, TWO, onRef("refs/heads/main"), toRef("main")],
    ["the declared image for its digest", FIRST, SECOND, PULLED, toImage(imageUri)],
    ["the ref that is there, not the declared one", ONE, TWO, onRef("b"), toRef("b")],
    ["the image that is there", FIRST, SECOND, onImage("b:2"), toImage("b:2")],
    ["building on push off when it is removed", PUSHING, GIT, PUSHED, UNPUSHED],
    ["a setting that a replica may show", PUSHING, GIT, THERE, UNPUSHED],
    ["a branch that builds on push for a tag", ref("refs/tags/v1"), PUSHING, ON_TAG, TO_PUSHING],
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
      [GIT, GIT, THERE, toRef("main")],
      [IMAGE_INPUTS, IMAGE_INPUTS, onImage(imageUri), toImage(imageUri)],
      [GIT, ref("next"), THERE, toRef("next")],
    ] as const)
      expect(patchBetween(olds, news, there, true).body).to.deep.equal(body);
  });

  describe("of a size", () => {
    const sent = (olds: object, news: object, there?: Props | null) => {
      const live = onImage(imageUri, there === undefined ? {} : { resource_spec: there });
      return patchBetween(sized(olds), sized(news), live).body.source_config?.resource_spec;
    };
    const THEIRS = { sidecars: [{ name: "theirs", image: "x" }], gpu_count: 1 };
    const HALF = { cpu: 0.5, memoryMb: 512 };
    const HALF_CORE = { cpu: "0.5", memory_mb: "512" };
    const [SMALL, LARGE, LEFT] = [{ cpu: 1 }, { cpu: 2 }, { cpu: 0.5, memory_mb: 512 }];
    const LIMITED = { cpu: 1, cpuLimit: 2 };
    const MORE = { cpu: 1.5, cpuLimit: 2 };
    const LIMIT = { cpu: 1, cpu_limit: 2 };
    const SHOWN = { memory_mb: 512, min_scale: null };
    const GROWN = { ...LARGE, memory_mb: 512 };
    const BESIDE_THEIRS = { ...LARGE, ...THEIRS };
    const sizes: [string, object, object, Props | null | undefined, object | undefined][] = [
      ["nothing that is there in another form", {}, HALF, HALF_CORE, undefined],
      ["all that others have changed", {}, HALF, { ...HALF_CORE, cpu: "0.6" }, LEFT],
      ["all that is declared where it is hidden", SMALL, HALF, null, LEFT],
      ["all that is declared where it is left out", SMALL, HALF, undefined, LEFT],
      ["the changes over what is there", SMALL, LARGE, { ...SMALL, ...SHOWN }, GROWN],
      ["what others added, known or not", SMALL, LARGE, { ...SMALL, ...THEIRS }, BESIDE_THEIRS],
      ["what only looks like a default", LIMITED, MORE, LIMIT, { ...LIMIT, cpu: 1.5 }],
      ["nothing for a key that is set to null", SMALL, { cpu: null }, SMALL, undefined],
      ["nothing for a key that is removed", SMALL, {}, SMALL, undefined],
      ["nothing for a key that is there already", SMALL, LARGE, LARGE, undefined],
    ];
    for (const [what, olds, news, there, expected] of sizes)
      it(`sends ${what}`, () => expect(sent(olds, news, there)).to.deep.equal(expected));

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

    it("takes back what came with a failed change, and the defaults that the service filled in from it", () => {
      const there = { cpu: 8, cpu_limit: 16, memory_mb: 64, memory_limit_mb: 128, gpu_count: 1 };
      const live = onImage(imageUri, { resource_spec: there });
      for (const [before, left] of [
        [{ cpu: 1 }, { resource_spec: { cpu: 1, gpu_count: 1 } }],
        [{}, { resource_spec: { gpu_count: 1 } }],
        [{ cpu: 8, memoryMb: 64 }, undefined],
      ] as const) {
        const plan = planBetween(sized({ cpu: 8, memoryMb: 64 }), sized(before));
        expect(patchBack(plan, live).body.source_config).to.deep.equal(left);
      }
    });
  });
});
