import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { expect } from "chai";
import {
  aGitDeployment,
  anImageDeployment,
  startTestPlatform,
  type TestPlatform,
} from "../../support/platform";
import { HTTPValidationError } from "../../../sdk/schema";

const ID = "11111111-1111-4111-8111-111111111111";

describe("local/http/validation", () => {
  let t: TestPlatform;
  const listener = {
    compute_type: "k8s",
    compute_id: "a",
    compute_config: { k8s_namespaces: ["a"] },
  };
  before(async () => (t = await startTestPlatform()));
  after(() => t.close());

  const problemsOf = async (method: string, path: string, body?: unknown, headers?: object) => {
    const answer = await t.request(method, path, body, { ...headers });
    expect(answer.status).to.equal(422);
    return HTTPValidationError.parse(answer.body).detail.map(({ loc, type }) => [
      loc.join("."),
      type,
    ]);
  };
  const ofCreate = (changes: object) =>
    problemsOf("POST", "/v2/deployments", { ...aGitDeployment(ID), ...changes });
  const ofResources = (resource_spec: object) =>
    ofCreate({ ...anImageDeployment(), source_config: { resource_spec } });

  it("names every required field that is missing", async () => {
    expect(await problemsOf("POST", "/v2/deployments", {})).to.deep.equal([
      ["body.name", "missing"],
      ["body.source", "missing"],
      ["body.source_config", "missing"],
      ["body.source_revision_config", "missing"],
      ["body.secrets", "missing"],
    ]);
  });

  const shapes: [object, string, string][] = [
    [{ name: 1 }, "body.name", "string_type"],
    [{ name: "under_score" }, "body.name", "string_pattern_mismatch"],
    [{ source: "docker" }, "body.source", "enum"],
    [{ source_config: 3 }, "body.source_config", "model_attributes_type"],
    [
      { source_config: { integration_id: "x" } },
      "body.source_config.integration_id",
      "uuid_parsing",
    ],
    [
      { source_config: { repo_url: "support" } },
      "body.source_config.repo_url",
      "string_pattern_mismatch",
    ],
    [
      { source_config: { custom_url: "support" } },
      "body.source_config.custom_url",
      "string_pattern_mismatch",
    ],
    [{ source_config: { build_on_push: "yes" } }, "body.source_config.build_on_push", "bool_type"],
    [{ source_config: { deployment_type: "big" } }, "body.source_config.deployment_type", "enum"],
    [
      { source_config: { deployment_type: "dev_zero" } },
      "body.source_config.deployment_type",
      "enum",
    ],
    [
      { source_revision_config: { image_uri: "a b" } },
      "body.source_revision_config.image_uri",
      "value_error",
    ],
    [
      { source_revision_config: { graph_config_path: "../langgraph.json" } },
      "body.source_revision_config.graph_config_path",
      "value_error",
    ],
    [{ secrets: {} }, "body.secrets", "list_type"],
    [{ secrets: [{ name: "A" }] }, "body.secrets.0.value", "missing"],
    [{ secrets: [{ name: "", value: "" }] }, "body.secrets.0.name", "string_too_short"],
  ];
  for (const [changes, loc, type] of shapes)
    it(`answers ${JSON.stringify(changes)} with ${type}`, async () => {
      expect(await ofCreate(changes)).to.deep.equal([[loc, type]]);
    });

  const spec = "body.source_config.resource_spec";
  const resources: [object, string, string][] = [
    [{ cpu: 0.06 }, `${spec}.cpu`, "greater_than_equal"],
    [{ cpu: 8.01 }, `${spec}.cpu`, "less_than_equal"],
    [{ queue_cpu_limit: 16.04 }, `${spec}.queue_cpu_limit`, "less_than_equal"],
    [{ memory_mb: 1.5 }, `${spec}.memory_mb`, "int_type"],
    [{ labels: { a: 1 } }, `${spec}.labels.a`, "string_type"],
    [{ labels: [] }, `${spec}.labels`, "dict_type"],
    [
      { volume_mounts: [{ name: "v", mountPath: "/v" }] },
      `${spec}.volume_mounts.0.name`,
      "value_error",
    ],
  ];
  for (const [given, loc, type] of resources)
    it(`answers resource_spec ${JSON.stringify(given)} with ${type}`, async () => {
      expect(await ofResources(given)).to.deep.equal([[loc, type]]);
    });

  it("repeats the bound and the choices in its words", async () => {
    const { body } = await t.request("POST", "/v2/deployments", {
      ...aGitDeployment(ID),
      source: "docker",
      source_config: { resource_spec: { cpu: 9 } },
    });
    expect(HTTPValidationError.parse(body).detail.map(({ msg }) => msg)).to.deep.equal([
      "Input should be 'git_host', 'external_container' or 'internal_container'",
      "Input should be less than or equal to 8",
    ]);
  });

  const queries: [string, string, string][] = [
    ["limit=0", "query.limit", "greater_than_equal"],
    ["limit=101", "query.limit", "less_than_equal"],
    ["limit=many", "query.limit", "int_parsing"],
    ["limit=1.5", "query.limit", "int_parsing"],
    ["limit=0x10", "query.limit", "int_parsing"],
    ["limit=1e1", "query.limit", "int_parsing"],
    ["limit=%207%20", "query.limit", "int_parsing"],
    ["offset=", "query.offset", "int_parsing"],
    ["offset=-1", "query.offset", "greater_than_equal"],
    ["remote_reconciled=perhaps", "query.remote_reconciled", "bool_parsing"],
    ["deployment_type=big", "query.deployment_type", "enum"],
    ["deployment_type=dev_zero", "query.deployment_type", "enum"],
  ];
  for (const [query, loc, type] of queries)
    it(`answers ?${query} with ${type}`, async () => {
      expect(await problemsOf("GET", `/v2/deployments?${query}`)).to.deep.equal([[loc, type]]);
    });

  it("answers an id that is none with uuid_parsing", async () => {
    const path = `/v2/deployments/${ID}/revisions`;
    const bad = [["path.deployment_id", "uuid_parsing"]];
    expect(await problemsOf("GET", "/v2/deployments/latest")).to.deep.equal(bad);
    expect(await problemsOf("GET", `${path}/latest`)).to.deep.equal([
      ["path.revision_id", "uuid_parsing"],
    ]);
  });

  it("answers a body that is not JSON with json_invalid", async () => {
    expect(await problemsOf("POST", "/v2/deployments", "{")).to.deep.equal([
      ["body", "json_invalid"],
    ]);
    expect(await problemsOf("PATCH", `/v2/deployments/${ID}`, "{")).to.deep.equal([
      ["body", "json_invalid"],
    ]);
  });

  it("answers a text with NUL or half a character with its place", async () => {
    const image = { ...aGitDeployment(ID), ...anImageDeployment() };
    for (const bad of ["\0", "a\ud800b"])
      for (const [path, body] of [
        ["/v2/listeners", { ...listener, compute_id: bad }],
        ["/v2/deployments", { ...aGitDeployment(ID), secrets: [{ name: "A", value: bad }] }],
        [
          "/v2/deployments",
          {
            ...image,
            source_config: { resource_spec: { volumes: [{ name: "a", nfs: { [bad]: "" } }] } },
          },
        ],
      ] as const) {
        const [[place = "", type] = []] = await problemsOf("POST", path, body);
        expect(place).to.match(
          /^body\.(compute_id|secrets\.0\.value|source_config\.resource_spec\.)/,
        );
        expect(type).to.equal("string_unicode");
      }
    const whole = { ...listener, compute_id: "😀" };
    expect((await t.request("POST", "/v2/listeners", whole)).status).to.equal(201);
    const outcome = { stage: "build", status: "BUILD_FAILED", reason: "\0" };
    expect((await t.admin("POST", "/outcomes", outcome)).status).to.equal(422);
  });

  it("ignores a member that it does not know, whatever is in it", async () => {
    const body = { ...listener, compute_id: "unknown-members", unknown: "\0", "\ud800": "\0" };
    expect((await t.request("POST", "/v2/listeners", body)).status).to.equal(201);
  });

  it("answers 422 to a body with more values than can be checked", async () => {
    for (const wrong of [{}, 1, []])
      expect(await ofCreate({ secrets: Array(100_000).fill(wrong) })).to.deep.equal([
        ["body", "json_invalid"],
      ]);
    expect(
      await ofCreate({ secrets: Array.from({ length: 15_000 }, () => ({})) }),
    ).to.have.lengthOf(30_000);
  });

  it("answers JSON that is nested without end with json_invalid", async () => {
    const deep = `{"name": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(await problemsOf("POST", "/v2/deployments", deep)).to.deep.equal([
      ["body", "json_invalid"],
    ]);
  });

  it("asks for a body, and for JSON as its type", async () => {
    expect(await problemsOf("POST", "/v2/deployments")).to.deep.equal([["body", "missing"]]);
    const text = { "Content-Type": "text/plain" };
    expect(await problemsOf("POST", "/v2/deployments", "{}", text)).to.deep.equal([
      ["body", "model_attributes_type"],
    ]);
    expect(await problemsOf("POST", "/v2/deployments", "[]")).to.deep.equal([
      ["body", "model_attributes_type"],
    ]);
  });

  it("answers 413 to a body without a length as soon as it has more than four megabytes", async () => {
    const headers = { "X-Api-Key": t.platform.apiKey, "Content-Type": "application/json" };
    const sent = httpRequest(`${t.platform.url}/v2/deployments`, { method: "POST", headers });
    // The server closes the connection of a body that it does not read.
    sent.on("error", () => {});
    const answered = once(sent, "response");
    // Its end is never sent.
    sent.write("x".repeat(5 * 1024 * 1024));
    const [response] = await answered;
    expect(response.statusCode).to.equal(413);
    sent.destroy();
    expect((await t.request("GET", "/v2/listeners")).status).to.equal(200);
  });

  it("answers 413 to a body of more than four megabytes", async () => {
    const value = "x".repeat(5 * 1024 * 1024);
    const body = { ...aGitDeployment(ID), secrets: [{ name: "A", value }] };
    expect((await t.request("POST", "/v2/deployments", body)).status).to.equal(413);
  });
});
