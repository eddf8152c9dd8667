import { expect } from "chai";
import { dialectOf } from "../../sdk/dialect";

/** A list as a dialect has it, in which a user has named things by words of both. */
const listOf = (source: string, resource_spec: object, source_revision_config: object) => ({
  resources: [
    {
      name: "git_host",
      source,
      source_config: {
        integration_id: "x",
        resource_spec: { ...resource_spec, labels: { cache_cpu: "git_host" } },
      },
      source_revision_config,
      secrets: [{ name: "graph_config_path", value: "git_host" }],
    },
  ],
  offset: 1,
});
const PATH = "langgraph.json";
const CONTRACT = listOf("git_host", { cache_cpu: 1 }, { graph_config_path: PATH });
const LANGSMITH = listOf("github", { redis_cpu: 1 }, { langgraph_config_path: PATH });
const INSTALL = "/v1/integrations/git_host/install";

describe("dialects", () => {
  const { fromContract, toContract } = dialectOf("langsmith");

  it("rename fields and sources, and nothing that a user named", () => {
    expect(fromContract.body(CONTRACT)).to.deep.equal(LANGSMITH);
    expect(toContract.body(LANGSMITH)).to.deep.equal(CONTRACT);
    const ofObjects = { constructor: 1, source: "toString" };
    expect(toContract.body(ofObjects)).to.deep.equal(ofObjects);
  });

  it("rename paths, also behind a prefix", () => {
    expect(fromContract.path(INSTALL)).to.equal("/v1/integrations/github/install");
    expect(toContract.path("/api-host/v1/integrations/github/a/repos")).to.equal(
      "/api-host/v1/integrations/git_host/a/repos",
    );
    expect(fromContract.path("/v2/deployments/git_host")).to.equal("/v2/deployments/git_host");
  });

  it("rename the places of problems", () => {
    const loc = ["body", "source_config", "resource_spec", "redis_cpu"];
    const problem = { loc, msg: "m", type: "t" };
    expect(toContract.body({ detail: [problem] })).to.deep.equal({
      detail: [{ ...problem, loc: ["body", "source_config", "resource_spec", "cache_cpu"] }],
    });
    const choice = { loc: ["body", "source"], msg: "github or external_docker", type: "enum" };
    const others = [
      { loc: ["body", "source"], msg: "github is a word of the user's", type: "value_error" },
      { loc: ["body", "source"], msg: null, type: "enum" },
      { loc: ["body", "secrets", "redis_cpu", 0], msg: "m", type: "t" },
      { loc: ["redis_cpu"], msg: "m", type: "t" },
      { msg: "github", type: "enum" },
      "redis_cpu",
    ];
    expect(toContract.body({ detail: [choice, ...others], source: 7 })).to.deep.equal({
      detail: [{ ...choice, msg: "git_host or external_container" }, ...others],
      source: 7,
    });
    const words = { detail: "redis_cpu is wrong" };
    expect(toContract.body(words)).to.deep.equal(words);
  });

  it("leave everything as it is where the contract's own names are spoken", () => {
    const { fromContract: same } = dialectOf("agentserver");
    expect(same.body(CONTRACT)).to.deep.equal(CONTRACT);
    expect(same.path(INSTALL)).to.equal(INSTALL);
  });
});
