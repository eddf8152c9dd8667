import { expect } from "chai";
import { patchBack } from "../../../provider/deployment/service/patch";
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

describe("the PATCH of an update", () => {
  it("sends only the field that changed", () =>
    expect(patchBetween(GIT, ref("next"), gitOnServer(), false)).to.deep.include({
      body: { source_revision_config: { repo_ref: "next" } },
      createsRevision: true,
    }));

  it("sends nothing that the service has already", () => {
    const there = gitOnServer({ source_revision_config: { repo_ref: "next" } });
    expect(patchBetween(GIT, ref("next"), there, false)).to.deep.include({
      body: {},
      createsRevision: false,
    });
  });

  it("sends nothing that the service has in another form", () => {
    const members = { repo_ref: "refs/heads/next", graph_config_path: "./langgraph.json" };
    const git = gitOnServer({ source_revision_config: members });
    expect(patchBetween(GIT, ref("next"), git, false).body).to.deep.equal({});
    const image = imageOnServer({ cpu: "0.5", memory_mb: "512" });
    const size = spec({ cpu: 0.5, memoryMb: 512 });
    expect(patchBetween(IMAGE, size, image, false).body).to.deep.equal({});
    const other = { source_config: { resource_spec: { cpu: 0.6, memory_mb: 512 } } };
    expect(patchBetween(IMAGE, spec({ cpu: 0.6, memoryMb: 512 }), image, false).body).to.deep.equal(
      other,
    );
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

  it("never puts back a ref that was moved elsewhere and did not change here", () => {
    const moved = gitOnServer({ source_revision_config: { repo_ref: "elsewhere" } });
    const news = { ...GIT, env: { A: "1" } };
    expect(patchBetween(GIT, news, moved, false).body).to.deep.equal({
      secrets: [{ name: "A", value: "1" }],
    });
  });

  it("sends the whole environment, sorted, and nothing when the service has it", () => {
    const olds = { ...GIT, env: { B: "1" } };
    const news = { ...GIT, env: { B: "2" }, secrets: { A: "3" } };
    const secrets = [
      { name: "A", value: "3" },
      { name: "B", value: "2" },
    ];
    expect(patchBetween(olds, news, gitOnServer(), false).body).to.deep.equal({ secrets });
    const there = gitOnServer({ secrets: secrets.toReversed() });
    expect(patchBetween(olds, news, there, false).body).to.deep.equal({});
  });

  it("sends an empty list where the last variable is removed", () => {
    const there = gitOnServer({ secrets: [{ name: "A", value: "1" }] });
    const olds = { ...GIT, env: { A: "1" } };
    expect(patchBetween(olds, { ...GIT, env: {} }, there, false).body).to.deep.equal({
      secrets: [],
    });
  });

  it("leaves the environment alone when the program owns it no more", () =>
    expect(patchBetween({ ...GIT, env: { A: "1" } }, GIT, gitOnServer(), false).body).to.deep.equal(
      {},
    ));

  it("asks for a revision with the current ref when only a build command changed", () => {
    const sourceConfig = { ...GIT_INPUTS.sourceConfig, buildCommand: "npm run build" };
    expect(patchBetween(GIT, { ...GIT, sourceConfig }, gitOnServer(), false)).to.deep.include({
      body: {
        source_config: { build_command: "npm run build" },
        source_revision_config: { repo_ref: "main" },
      },
      createsRevision: true,
    });
  });

  it("asks for a revision with the declared branch where the service shows a commit", () => {
    const there = gitOnServer({ source_revision_config: { repo_ref: "a".repeat(40) } });
    const olds = { ...GIT, redeployOn: 1 };
    expect(patchBetween(olds, { ...GIT, redeployOn: 2 }, there, false).body).to.deep.equal({
      source_revision_config: { repo_ref: "main" },
    });
  });

  it("asks for a revision with the declared form where the service shows another one, or an image's digest", () => {
    const redeployed = (inputs: Props) =>
      [
        { ...inputs, redeployOn: 1 },
        { ...inputs, redeployOn: 2 },
      ] as const;
    const git = gitOnServer({ source_revision_config: { repo_ref: "refs/heads/main" } });
    expect(patchBetween(...redeployed(GIT), git, false).body).to.deep.equal({
      source_revision_config: { repo_ref: "main" },
    });
    const { imageUri: image_uri } = IMAGE_INPUTS.sourceRevisionConfig;
    const pulled = { image_uri: `${image_uri}@sha256:${"0".repeat(64)}` };
    const there = aDeployment({ source: "external_container", source_revision_config: pulled });
    expect(patchBetween(...redeployed(IMAGE), there, false).body).to.deep.equal({
      source_revision_config: { image_uri },
    });
  });

  it("asks for a revision with the ref, or the image, that the service has now, not the declared one", () => {
    const moved = gitOnServer({ source_revision_config: { repo_ref: "elsewhere" } });
    const redeployed = (inputs: Props) =>
      [
        { ...inputs, redeployOn: 1 },
        { ...inputs, redeployOn: 2 },
      ] as const;
    expect(patchBetween(...redeployed(GIT), moved, false).body).to.deep.equal({
      source_revision_config: { repo_ref: "elsewhere" },
    });
    const image = { image_uri: "registry.example.com/support:2" };
    const there = aDeployment({ source: "external_container", source_revision_config: image });
    expect(patchBetween(...redeployed(IMAGE), there, false).body).to.deep.equal({
      source_revision_config: image,
    });
  });

  it("asks for a revision of the same inputs after a failure, once", () => {
    expect(patchBetween(GIT, GIT, gitOnServer(), true).body).to.deep.equal({
      source_revision_config: { repo_ref: "main" },
    });
    expect(patchBetween(IMAGE, IMAGE, imageOnServer(), true).body).to.deep.equal({
      source_revision_config: { image_uri: "registry.example.com/support:1" },
    });
    expect(patchBetween(GIT, ref("next"), gitOnServer(), true).body).to.deep.equal({
      source_revision_config: { repo_ref: "next" },
    });
  });

  it("switches building on push off when it is removed", () => {
    const sourceConfig = { ...GIT_INPUTS.sourceConfig, buildOnPush: true };
    const there = gitOnServer({ source_config: { build_on_push: true } });
    expect(patchBetween({ ...GIT, sourceConfig }, GIT, there, false)).to.deep.include({
      body: { source_config: { build_on_push: false } },
      createsRevision: false,
    });
  });

  it("sends a changed setting also where a read has it already: it may be a replica's, and no revision comes of it", () => {
    const sourceConfig = { ...GIT_INPUTS.sourceConfig, buildOnPush: true };
    expect(patchBetween({ ...GIT, sourceConfig }, GIT, gitOnServer(), false)).to.deep.include({
      body: { source_config: { build_on_push: false } },
      createsRevision: false,
    });
  });

  it("goes from a tag to a branch with building on push in one request", () => {
    const sourceConfig = { ...GIT_INPUTS.sourceConfig, buildOnPush: true };
    const there = gitOnServer({ source_revision_config: { repo_ref: "refs/tags/v1" } });
    expect(
      patchBetween(ref("refs/tags/v1"), { ...GIT, sourceConfig }, there, false).body,
    ).to.deep.equal({
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: "main" },
    });
  });

  describe("of a size", () => {
    const sent = (olds: object, news: object, there: object) =>
      patchBetween(spec(olds), spec(news), imageOnServer(there), false).body.source_config
        ?.resource_spec;

    it("lays the changed keys over what the service has", () =>
      expect(
        sent({ cpu: 1 }, { cpu: 2 }, { cpu: 1, memory_mb: 512, min_scale: null }),
      ).to.deep.equal({
        cpu: 2,
        memory_mb: 512,
      }));

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
