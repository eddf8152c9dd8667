import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { expect } from "chai";
import { aGitDeployment, anImageDeployment, usePlatform } from "../../support/platform";
import { HTTPValidationError } from "../../../sdk/schema";

const CONFIG = "source_revision_config";
const ID = "11111111-1111-4111-8111-111111111111";

describe("local/http/validation", () => {
  const t = usePlatform();

  const problemsOf = async (method: string, path: string, body?: unknown) => {
    const answer = await t.request(method, path, body);
    expect(answer.status).to.equal(422);
    const { detail } = HTTPValidationError.parse(answer.body);
    return detail.map(({ loc, type }) => [loc.join("."), type]);
  };
  const ofCreate = (changes: object) =>
    problemsOf("POST", "/v2/deployments", { ...aGitDeployment(ID), ...changes });

  it("names every required field that is missing, and repeats the bound and the choices in its words", async () => {
    const names = ["name", "source", "source_config", CONFIG, "secrets"];
    const missing = names.map((name) => [`body.${name}`, "missing"]);
    expect(await problemsOf("POST", "/v2/deployments", {})).to.deep.equal(missing);
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
  it("takes JSON by its content type, with parameters too, and nothing else", async () => {
    const problemOf = async (type: string) => {
      const { body } = await t.request("POST", "/v2/deployments", {}, { "Content-Type": type });
      return HTTPValidationError.parse(body).detail[0]?.type;
    };
    for (const type of ["json; charset=utf-8", "JSON", "merge-patch+json"])
      expect(await problemOf(`application/${type}`), type).to.equal("missing");
    for (const type of ["text/plain", "application/jsonl", "application/x-www-form-urlencoded"])
      expect(await problemOf(type), type).to.equal("model_attributes_type");
  });

  const config = (source_config: object) => ({ source_config });
  const revision = (source_revision_config: object) => ({ source_revision_config });
  const sized = (resource_spec: object) => ({
    ...anImageDeployment(),
    source_config: { resource_spec },
  });
  const SPEC = "source_config.resource_spec";
  const shapes: [object, string, string][] = [
    [{ name: 1 }, "name", "string_type"],
    [{ name: "under_score" }, "name", "string_pattern_mismatch"],
    [{ source: "docker" }, "source", "enum"],
    [{ source_config: 3 }, "source_config", "model_attributes_type"],
    [config({ integration_id: "x" }), "source_config.integration_id", "uuid_parsing"],
    [config({ repo_url: "support" }), "source_config.repo_url", "string_pattern_mismatch"],
    [config({ custom_url: "support" }), "source_config.custom_url", "string_pattern_mismatch"],
    [config({ build_on_push: "yes" }), "source_config.build_on_push", "bool_type"],
    [config({ deployment_type: "dev_zero" }), "source_config.deployment_type", "enum"],
    [revision({ image_uri: "a b" }), `${CONFIG}.image_uri`, "value_error"],
    [revision({ graph_config_path: ".." }), `${CONFIG}.graph_config_path`, "value_error"],
    [{ secrets: {} }, "secrets", "list_type"],
    [{ secrets: [{ name: "A" }] }, "secrets.0.value", "missing"],
    [{ secrets: [{ name: "", value: "" }] }, "secrets.0.name", "string_too_short"],
    [sized({ cpu: 0.06 }), `${SPEC}.cpu`, "greater_than_equal"],
    [sized({ cpu: 8.01 }), `${SPEC}.cpu`, "less_than_equal"],
    [sized({ memory_mb: 1.5 }), `${SPEC}.memory_mb`, "int_type"],
    [sized({ labels: [] }), `${SPEC}.labels`, "dict_type"],
  ];
  for (const [changes, loc, type] of shapes)
    it(`answers ${JSON.stringify(changes)} with ${type}`, async () => {
      expect(await ofCreate(changes)).to.deep.equal([[`body.${loc}`, type]]);
    });

  for (const [query, type] of Object.entries({
    "limit=0": "greater_than_equal",
    "limit=101": "less_than_equal",
    "limit=many": "int_parsing",
    "limit=1.5": "int_parsing",
    "limit=0x10": "int_parsing",
    "limit=1e1": "int_parsing",
    "limit=%207%20": "int_parsing",
    "offset=": "int_parsing",
    "offset=-1": "greater_than_equal",
    "remote_reconciled=perhaps": "bool_parsing",
    "deployment_type=dev_zero": "enum",
  }))
    it(`answers ?${query} with ${type}`, async () => {
      const [name] = query.split("=");
      const found = await problemsOf("GET", `/v2/deployments?${query}`);
      expect(found).to.deep.equal([[`query.${name}`, type]]);
    });

  it("answers an id that is none with uuid_parsing", async () => {
    const paths = { deployment_id: "latest", revision_id: `${ID}/revisions/latest` };
    for (const [name, path] of Object.entries(paths)) {
      const found = await problemsOf("GET", `/v2/deployments/${path}`);
      expect(found).to.deep.equal([[`path.${name}`, "uuid_parsing"]]);
    }
  });

  it("answers a body that is not JSON, nested without end, missing, of another type or with more values than can be checked with its problem", async () => {
    const deep = `{"name": ${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const text = { "Content-Type": "text/plain" };
    for (const [method, sent, type, words, headers] of [
      ["POST", "{", "json_invalid", "JSON decode error: Expected property name"],
      ["PATCH", "{", "json_invalid", "JSON decode error: "],
      ["POST", deep, "json_invalid", "JSON is nested deeper than 100 levels"],
      ["POST", undefined, "missing", "Field required"],
      ["POST", "[]", "model_attributes_type", ""],
      ["POST", "{}", "model_attributes_type", "with Content-Type application/json", text],
    ] as const) {
      const path = `/v2/deployments${method === "PATCH" ? `/${ID}` : ""}`;
      const { status, body } = await t.request(method, path, sent, headers);
      const [{ msg, ...problem } = { msg: "" }, ...others] = HTTPValidationError.parse(body).detail;
      expect([status, problem, others]).to.deep.equal([422, { loc: ["body"], type }, []]);
      expect(msg).to.contain(words);
    }
    const many = (count: number, value: unknown) => ofCreate({ secrets: Array(count).fill(value) });
    for (const wrong of [{}, 1, []])
      expect(await many(100_000, wrong)).to.deep.equal([["body", "json_invalid"]]);
    expect(await many(15_000, {})).to.have.lengthOf(30_000);
  });

  it("answers a text with NUL or half a character with its place, but not in a member that it does not know", async () => {
    const listener = { compute_type: "k8s", compute_config: { k8s_namespaces: ["a"] } };
    const image = { ...aGitDeployment(ID), ...anImageDeployment() };
    const volumes = (bad: string) => ({
      resource_spec: { volumes: [{ name: "a", nfs: { [bad]: "" } }] },
    });
    for (const bad of ["\0", "a\ud800b"])
      for (const [path, body, at] of [
        ["/v2/listeners", { ...listener, compute_id: bad }, /^body\.compute_id$/],
        ["/v2/deployments", { ...image, secrets: [{ name: "A", value: bad }] }, /^body\.secrets/],
        ["/v2/deployments", { ...image, ...config(volumes(bad)) }, /^body\.source_config/],
      ] as const) {
        const [[place, type] = []] = await problemsOf("POST", path, body);
        expect(place).to.match(at);
        expect(type).to.equal("string_unicode");
      }
    const whole = { ...listener, compute_id: "😀", unknown: "\0", "\ud800": "\0" };
    expect((await t.request("POST", "/v2/listeners", whole)).status).to.equal(201);
    const outcome = { stage: "build", status: "BUILD_FAILED", reason: "\0" };
    expect((await t.admin("POST", "/outcomes", outcome)).status).to.equal(422);
  });

  it("answers 413 to a body of more than four megabytes, to one without a length as soon as it has more", async () => {
    const long = "x".repeat(5 * 1024 * 1024);
    const detail = "the body exceeds 4194304 bytes";
    expect(await t.refusal(413, "POST", "/v2/deployments", long)).to.equal(detail);
    const headers = { "X-Api-Key": t.platform.apiKey, "Content-Type": "application/json" };
    const sent = httpRequest(`${t.platform.url}/v2/deployments`, { method: "POST", headers });
    // The server closes the connection of a body that it does not read.
    sent.on("error", () => {});
    const answered = once(sent, "response");
    // Its end is never sent.
    sent.write(long);
    const [response] = await answered;
    expect(response.statusCode).to.equal(413);
    sent.destroy();
    expect((await t.request("GET", "/v2/listeners")).status).to.equal(200);
  });
});
