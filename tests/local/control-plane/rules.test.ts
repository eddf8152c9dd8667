import { expect } from "chai";
import {
  makesRevision,
  problemsOfCreate,
  problemsOfUpdate,
} from "../../../local/control-plane/rules";
import { dialectOf } from "../../../sdk/dialect";
import { CreateDeployment, UpdateDeployment, type Listener } from "../../../sdk/schema";

const ID = "11111111-1111-4111-8111-111111111111";
const LISTENER: Listener = {
  id: ID,
  compute_type: "k8s",
  compute_id: "local",
  compute_config: { k8s_namespaces: ["default", "agents"] },
  created_at: "",
  updated_at: "",
};
const GIT = {
  name: "support",
  source: "git_host",
  source_config: {
    integration_id: ID,
    repo_url: "https://git.example.com/acme/support.git",
    deployment_type: "dev",
  },
  source_revision_config: { repo_ref: "main", graph_config_path: "langgraph.json" },
  secrets: [],
};
const IMAGE = {
  ...GIT,
  source: "external_container",
  source_config: {},
  source_revision_config: { image_uri: "registry.example.com/agent:1" },
};
const INTERNAL = {
  ...GIT,
  source: "internal_container",
  source_config: {},
  source_revision_config: {},
};

const DIALECT = dialectOf("agentserver");

type Body = typeof GIT | typeof IMAGE | typeof INTERNAL;

function ofCreate(base: Body, config: object = {}, revision: object = {}, around: object = {}) {
  const body = CreateDeployment.parse({
    ...base,
    source_config: { ...base.source_config, ...config },
    source_revision_config: { ...base.source_revision_config, ...revision },
  });
  const surroundings = {
    dialect: DIALECT,
    hosting: undefined,
    integration: {},
    listener: LISTENER,
    ...around,
  };
  return problemsOfCreate(body, surroundings);
}

function ofUpdate(base: Body, body: object, merged: object = {}) {
  const { source } = CreateDeployment.parse(base);
  const tracking = { source_config: {}, source_revision_config: {}, ...merged };
  return problemsOfUpdate(source, UpdateDeployment.parse(body), tracking, DIALECT);
}

describe("local/control-plane/rules create", () => {
  it("accepts the least that each source needs", () => {
    for (const base of [GIT, IMAGE, INTERNAL]) expect(ofCreate(base)).to.deep.equal([]);
  });

  const required = [
    ["integration_id", "config"],
    ["repo_url", "config"],
    ["deployment_type", "config"],
    ["repo_ref", "revision"],
    ["graph_config_path", "revision"],
  ] as const;
  for (const [field, place] of required)
    it(`requires ${field} for git_host`, () => {
      const without = { [field]: null };
      const found = place === "config" ? ofCreate(GIT, without) : ofCreate(GIT, {}, without);
      expect(found).to.have.lengthOf(1);
      expect(found[0]).to.contain(`${field} is required for source git_host`);
    });

  it("requires image_uri for external_container, and more than an empty one", () => {
    for (const image_uri of [null, ""])
      expect(ofCreate(IMAGE, {}, { image_uri })[0]).to.contain("image_uri is required");
  });

  const foreign: [Body, object, object][] = [
    [GIT, {}, { image_uri: "agent:1" }],
    [GIT, { resource_spec: {} }, {}],
    [GIT, { custom_url: "https://agents.example.com" }, {}],
    [GIT, { listener_id: ID }, {}],
    [GIT, { listener_config: { k8s_namespace: "agents" }, listener_id: ID }, {}],
    [IMAGE, { integration_id: ID }, {}],
    [IMAGE, { repo_url: "https://git.example.com/a.git" }, {}],
    [IMAGE, { deployment_type: "dev" }, {}],
    [IMAGE, { build_on_push: true }, {}],
    [IMAGE, {}, { repo_ref: "main" }],
    [IMAGE, {}, { graph_config_path: "langgraph.json" }],
    [INTERNAL, { resource_spec: {} }, {}],
    [INTERNAL, {}, { repo_ref: "main" }],
  ];
  for (const [base, config, revision] of foreign) {
    const [field = ""] = Object.keys({ ...config, ...revision });
    it(`refuses ${field} for ${base.source}`, () => {
      expect(ofCreate(base, config, revision).join()).to.contain(`${field} is for source`);
    });
  }

  it("takes null, and build_on_push false, as not given", () => {
    expect(ofCreate(GIT, { custom_url: null, resource_spec: null }, { image_uri: null })).to.be
      .empty;
    expect(ofCreate(IMAGE, { build_on_push: false, deployment_type: null })).to.be.empty;
  });

  it("refuses build_on_push with a tag, not with a branch", () => {
    const tag = { repo_ref: "refs/tags/v1" };
    expect(ofCreate(GIT, { build_on_push: true }, tag)[0]).to.contain("build_on_push");
    expect(ofCreate(GIT, { build_on_push: false }, tag)).to.be.empty;
    for (const repo_ref of ["main", "v1", "x/refs/tags/v1", "refs/tags"])
      expect(ofCreate(GIT, { build_on_push: true }, { repo_ref })).to.be.empty;
  });

  it("refuses the path of a branch, in a create and in an update, and names the branch", () => {
    const path = { repo_ref: "refs/heads/feature/one" };
    const problem =
      "source_revision_config.repo_ref 'refs/heads/feature/one' is the path of a branch; set its name alone, 'feature/one'";
    expect(ofCreate(GIT, {}, path)).to.deep.equal([problem]);
    expect(ofUpdate(GIT, { source_revision_config: path })).to.deep.equal([problem]);
    for (const repo_ref of ["feature/one", "refs/tags/heads", "heads/one", "x/refs/heads/one"])
      expect(ofCreate(GIT, {}, { repo_ref })).to.be.empty;
  });

  it("refuses an integration and a listener that the workspace does not have", () => {
    expect(ofCreate(GIT, {}, {}, { integration: undefined })).to.deep.equal([
      `integration ${ID} not found`,
    ]);
    expect(ofCreate(IMAGE, { listener_id: ID }, {}, { listener: undefined })).to.deep.equal([
      `listener ${ID} not found`,
    ]);
  });

  it("accepts only a namespace of the listener", () => {
    const at = (k8s_namespace: string) =>
      ofCreate(IMAGE, { listener_id: ID, listener_config: { k8s_namespace } });
    expect(at("agents")).to.be.empty;
    expect(at("other")[0]).to.contain("no namespace 'other', only default, agents");
    const alone = { listener_config: { k8s_namespace: "agents" } };
    expect(ofCreate(IMAGE, alone, {}, { listener: undefined })).to.deep.equal([
      "source_config.listener_config.k8s_namespace needs source_config.listener_id",
    ]);
  });

  it("offers git_host only in the cloud and external_container only when self-hosted", () => {
    const cloud = { hosting: "cloud" };
    const selfHosted = { hosting: "self-hosted" };
    expect(ofCreate(GIT, {}, {}, selfHosted)[0]).to.contain("not available");
    expect(ofCreate(IMAGE, {}, {}, cloud)[0]).to.contain("not available");
    expect(ofCreate(GIT, {}, {}, cloud)).to.be.empty;
    expect(ofCreate(IMAGE, {}, {}, selfHosted)).to.be.empty;
    for (const hosting of [cloud, selfHosted])
      expect(ofCreate(INTERNAL, {}, {}, hosting)).to.be.empty;
  });
});

describe("local/rules: update", () => {
  const immutable = [
    { name: "other" },
    { source: "git_host" },
    { source_config: { integration_id: ID } },
    { source_config: { repo_url: "https://git.example.com/acme/support.git" } },
    { source_config: { deployment_type: "dev" } },
    { source_config: { listener_id: ID } },
    { source_config: { listener_config: { k8s_namespace: "agents" } } },
  ];
  for (const body of immutable)
    it(`refuses ${JSON.stringify(body)}`, () => {
      const found = ofUpdate(body.source_config?.listener_id ? IMAGE : GIT, body);
      expect(found).to.have.lengthOf.at.least(1);
      expect(found[0]).to.contain("cannot be changed after creation");
    });

  it("takes null for an immutable field as not given", () => {
    const body = { name: null, source: null, source_config: { repo_url: null, listener_id: null } };
    expect(ofUpdate(GIT, body)).to.be.empty;
  });

  it("refuses fields of another source", () => {
    expect(ofUpdate(GIT, { source_config: { resource_spec: {} } })[0]).to.contain("resource_spec");
    expect(ofUpdate(IMAGE, { source_revision_config: { repo_ref: "main" } })[0]).to.contain(
      "repo_ref is for source git_host only",
    );
    const image = { source_revision_config: { image_uri: "agent:2" } };
    expect(ofUpdate(INTERNAL, image)).to.be.empty;
  });

  it("refuses to empty what the source requires", () => {
    const empty = { source_revision_config: { repo_ref: "" } };
    expect(ofUpdate(GIT, empty)[0]).to.contain("must not be empty");
  });

  it("judges build_on_push on the deployment as it would be", () => {
    const tracked = {
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: "refs/tags/v1" },
    };
    expect(ofUpdate(GIT, { source_config: { build_on_push: true } }, tracked)).to.have.lengthOf(1);
    expect(ofUpdate(GIT, tracked, { ...tracked, source_config: {} })).to.be.empty;
  });
});

describe("local/rules: changes that create a revision", () => {
  const CONTRACT = dialectOf("agentserver");
  const making = [
    { source_revision_config: { repo_ref: "main" } },
    { source_revision_config: { graph_config_path: "langgraph.json" } },
    { source_revision_config: { image_uri: "agent:2" } },
    { secrets: [{ name: "A", value: "" }] },
    { source_config: { resource_spec: {} } },
  ];
  for (const body of making)
    it(`${JSON.stringify(body)} does`, () => {
      expect(makesRevision(UpdateDeployment.parse(body), CONTRACT)).to.equal(true);
    });

  const idle = [
    {},
    { secrets: null, source_revision_config: { repo_ref: null } },
    { source_revision_config: { repo_commit_sha: "abc" } },
    { source_config: { build_on_push: true, custom_url: "https://x", install_command: "npm ci" } },
  ];
  for (const body of idle)
    it(`${JSON.stringify(body)} does not`, () => {
      expect(makesRevision(UpdateDeployment.parse(body), CONTRACT)).to.equal(false);
    });

  it("an empty list of secrets does by the contract, and not on the public service", () => {
    expect(makesRevision({ secrets: [] }, CONTRACT)).to.equal(true);
    expect(makesRevision({ secrets: [] }, dialectOf("langsmith"))).to.equal(false);
  });
});
