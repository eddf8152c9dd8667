import { expect } from "chai";
import {
  makesRevision,
  problemsOfCreate,
  problemsOfUpdate,
} from "../../../local/control-plane/rules";
import { dialectOf } from "../../../sdk/dialect";
import { CreateDeployment, UpdateDeployment, type Listener } from "../../../sdk/schema";
import { aGitDeployment, anImageDeployment } from "../../support/platform";

const ID = "11111111-1111-4111-8111-111111111111";
const LISTENER: Listener = {
  id: ID,
  compute_type: "k8s",
  compute_id: "local",
  compute_config: { k8s_namespaces: ["default", "agents"] },
  created_at: "",
  updated_at: "",
};
const GIT = aGitDeployment(ID);
const IMAGE = { ...GIT, ...anImageDeployment(), source_config: {} };
const INTERNAL = { ...IMAGE, source: "internal_container", source_revision_config: {} };
const DIALECT = dialectOf("agentserver");

type Body = typeof GIT | typeof IMAGE | typeof INTERNAL;

function ofCreate(base: Body, config: object = {}, revision: object = {}, around: object = {}) {
  const body = CreateDeployment.parse({
    ...base,
    source_config: { ...base.source_config, ...config },
    source_revision_config: { ...base.source_revision_config, ...revision },
  });
  const workspace = { hosting: undefined, integration: {}, listener: LISTENER };
  return problemsOfCreate(body, { dialect: DIALECT, ...workspace, ...around }).join("\n");
}

/** One problem alone that has these words. */
const one = (words: string): RegExp => new RegExp(`^.*${words}.*$`);

function ofUpdate(base: Body, body: object, merged: object = {}) {
  const { source } = CreateDeployment.parse(base);
  const tracking = { source_config: {}, source_revision_config: {}, ...merged };
  return problemsOfUpdate(source, UpdateDeployment.parse(body), tracking, DIALECT).join("\n");
}

describe("local/control-plane/rules create", () => {
  it("accepts the least that each source needs, with null, or false for build_on_push, for what is not given", () => {
    for (const base of [GIT, IMAGE, INTERNAL]) expect(ofCreate(base)).to.be.empty;
    const none = { custom_url: null, resource_spec: null };
    expect(ofCreate(GIT, none, { image_uri: null })).to.be.empty;
    expect(ofCreate(IMAGE, { build_on_push: false, deployment_type: null })).to.be.empty;
  });

  it("requires five fields for git_host, and image_uri for external_container, more than an empty one", () => {
    for (const field of ["integration_id", "repo_url", "deployment_type"])
      expect(ofCreate(GIT, { [field]: null })).to.match(one(`${field} is required for source`));
    for (const field of ["repo_ref", "graph_config_path"])
      expect(ofCreate(GIT, {}, { [field]: null })).to.match(one(`${field} is required for`));
    for (const image_uri of [null, ""])
      expect(ofCreate(IMAGE, {}, { image_uri })).to.match(one("image_uri is required"));
  });

  it("refuses what is for another source, and offers git_host only in the cloud and external_container only when self-hosted", () => {
    for (const [base, field, value] of [
      [GIT, "resource_spec", {}],
      [GIT, "custom_url", "https://agents.example.com"],
      [GIT, "listener_id", ID],
      [GIT, "listener_config", { k8s_namespace: "agents" }],
      [IMAGE, "integration_id", ID],
      [IMAGE, "repo_url", "https://git.example.com/a.git"],
      [IMAGE, "deployment_type", "dev"],
      [IMAGE, "build_on_push", true],
      [INTERNAL, "resource_spec", {}],
      [GIT, "image_uri", "x"],
      [IMAGE, "repo_ref", "x"],
      [IMAGE, "graph_config_path", "x"],
      [INTERNAL, "repo_ref", "x"],
    ] as const) {
      const given = { [field]: value };
      const problems = value === "x" ? ofCreate(base, {}, given) : ofCreate(base, given);
      expect(problems, field).to.contain(`${field} is for source`);
    }
    for (const [base, hosting, isOffered] of [
      [GIT, "cloud", true],
      [GIT, "self-hosted", false],
      [IMAGE, "cloud", false],
      [IMAGE, "self-hosted", true],
      [INTERNAL, "cloud", true],
      [INTERNAL, "self-hosted", true],
    ] as const) {
      const words = `source ${base.source} is not available with ${hosting} hosting`;
      expect(ofCreate(base, {}, {}, { hosting })).to.match(isOffered ? /^$/ : one(words));
    }
  });

  it("refuses build_on_push with a tag, not with a branch, and the path of a branch, in a create and in an update, and names the branch", () => {
    const onPush = (build_on_push: boolean, repo_ref: string) =>
      ofCreate(GIT, { build_on_push }, { repo_ref });
    expect(onPush(true, "refs/tags/v1")).to.contain("build_on_push");
    expect(onPush(false, "refs/tags/v1")).to.be.empty;
    for (const repo_ref of ["main", "v1", "x/refs/tags/v1", "refs/tags"])
      expect(onPush(true, repo_ref)).to.be.empty;
    const path = { repo_ref: "refs/heads/feature/one" };
    const problem = one("'refs/heads/feature/one' is the path of a branch;.*'feature/one'");
    expect(ofCreate(GIT, {}, path)).to.match(problem);
    expect(ofUpdate(GIT, { source_revision_config: path })).to.match(problem);
    for (const repo_ref of ["feature/one", "refs/tags/heads", "heads/one", "x/refs/heads/one"])
      expect(ofCreate(GIT, {}, { repo_ref })).to.be.empty;
  });

  it("accepts an integration, a listener and a namespace of it that the workspace has, and no other", () => {
    const at = (k8s_namespace: string) =>
      ofCreate(IMAGE, { listener_id: ID, listener_config: { k8s_namespace } });
    expect(at("agents")).to.be.empty;
    expect(at("other")).to.contain("no namespace 'other', only default, agents");
    const alone = { listener_config: { k8s_namespace: "agents" } };
    const placed = ofCreate(IMAGE, alone, {}, { listener: undefined });
    expect(placed).to.match(one("needs source_config.listener_id"));
    const none = { integration: undefined, listener: undefined };
    expect(ofCreate(GIT, {}, {}, none)).to.equal(`integration ${ID} not found`);
    expect(ofCreate(IMAGE, { listener_id: ID }, {}, none)).to.equal(`listener ${ID} not found`);
  });
});

describe("local/rules: update", () => {
  it("refuses to change what is immutable, even to the value that it has, but takes null", () => {
    const listener_config = { k8s_namespace: "agents" };
    const { repo_url } = GIT.source_config;
    const fields = { integration_id: ID, repo_url, deployment_type: "dev", listener_config };
    const configs = Object.entries(fields).map(([name, value]) => ({ [name]: value }));
    const bodies = configs.map((source_config) => ({ source_config }));
    for (const body of [{ name: "other" }, { source: "git_host" }, ...bodies])
      expect(ofUpdate(GIT, body)).to.match(/^.* cannot be changed after creation/);
    const listener = { source_config: { listener_id: ID } };
    expect(ofUpdate(IMAGE, listener)).to.match(one("cannot be changed after creation"));
    const none = { name: null, source: null, source_config: { repo_url: null, listener_id: null } };
    expect(ofUpdate(GIT, none)).to.be.empty;
  });

  it("refuses fields of another source, and to empty what its own requires; judges build_on_push on the deployment as it would be", () => {
    const revision = (source_revision_config: object) => ({ source_revision_config });
    expect(ofUpdate(GIT, { source_config: { resource_spec: {} } })).to.contain("resource_spec");
    const refused = ofUpdate(IMAGE, revision({ repo_ref: "main" }));
    expect(refused).to.contain("repo_ref is for source git_host only");
    expect(ofUpdate(INTERNAL, revision({ image_uri: "agent:2" }))).to.be.empty;
    expect(ofUpdate(GIT, revision({ repo_ref: "" }))).to.contain("must not be empty");
    const tracked = {
      source_config: { build_on_push: true },
      source_revision_config: { repo_ref: "refs/tags/v1" },
    };
    const on = { source_config: { build_on_push: true } };
    expect(ofUpdate(GIT, on, tracked)).to.match(one("build_on_push"));
    expect(ofUpdate(GIT, tracked, { ...tracked, source_config: {} })).to.be.empty;
  });
});

describe("local/rules: changes that create a revision", () => {
  it("are those of what runs, and an empty list of secrets by the contract, not on the public service", () => {
    for (const [body, makes] of [
      [{ source_revision_config: { repo_ref: "main" } }, true],
      [{ source_revision_config: { graph_config_path: "langgraph.json" } }, true],
      [{ source_revision_config: { image_uri: "agent:2" } }, true],
      [{ secrets: [{ name: "A", value: "" }] }, true],
      [{ source_config: { resource_spec: {} } }, true],
      [{}, false],
      [{ secrets: null, source_revision_config: { repo_ref: null } }, false],
      [{ source_revision_config: { repo_commit_sha: "abc" } }, false],
      [{ source_config: { build_on_push: true, install_command: "npm ci" } }, false],
      [{ secrets: [] }, true],
    ] as const) {
      const made = makesRevision(UpdateDeployment.parse(body), DIALECT);
      expect(made, JSON.stringify(body)).to.equal(makes);
    }
    expect(makesRevision({ secrets: [] }, dialectOf("langsmith"))).to.equal(false);
  });
});
