import { expect } from "chai";
import * as sdk from "pulumi-agentserver/sdk";
import { hasFailed, isBeingDeleted } from "../../sdk/status";
import { aClock, aDeployment } from "../support/builders";
import { json, startServer, type TestServer } from "../support/http";
import { reasonOf, rejection } from "../support/rejection";

describe("a response of a server", () => {
  let server: TestServer;
  let answer: { readonly status: number; readonly text: string };
  beforeEach(async () => {
    server = await startServer((_request, response) =>
      response.writeHead(answer.status).end(answer.text),
    );
  });
  afterEach(() => server.close());

  const errorOf = (status: number, body: unknown) => {
    answer = { status, text: typeof body === "string" ? body : JSON.stringify(body) };
    return rejection(controlPlane().deployments.update("d", {}));
  };
  const controlPlane = (more: object = {}) => {
    const keys = { apiKey: "key", workspaceId: "w" };
    return new sdk.ControlPlane({ baseUrl: server.url, ...keys, clock: aClock(), ...more });
  };
  const agentServer = () => new sdk.AgentServer({ url: server.url, clock: aClock() });

  const { name: _name, ...withoutName } = aDeployment();
  const MISMATCH = "200 with a response that does not match the contract";
  const BOTH = `${MISMATCH}: missing name; id: Invalid input: expected string, received number`;
  const PAGE = ' \n<!doctype html><body class="a">Bad\n\n  Gateway<br>at 7</body>';
  const words: [string, number, unknown, string][] = [
    ["a member that is missing", 200, withoutName, `${MISMATCH}: missing name`],
    ["a member that is wrong beside one that is missing", 200, { ...withoutName, id: 7 }, BOTH],
    ["a body that is missing", 200, "", `${MISMATCH}: missing the body`],
    ["a success that only has a message", 200, { detail: "at work" }, `${MISMATCH}: at work`],
    ["text that only contains a bracket and HTML", 502, "see {a} <html>", "502 see {a} <html>"],
    ["a gateway's, before its kind", 403, { error: "A", message: "no key" }, "403 no key"],
    ["null", 200, "null", `${MISMATCH}: the body: Invalid input: expected object, received null`],
    ["a page with 200", 200, "<h1>Sign in</h1>", `${MISMATCH}: <h1>Sign in</h1>`],
    ["a failure without a message", 503, {}, "503"],
    ["a redirect that names no address", 300, "these or those", "300 these or those"],
    ["a page, without what is not text", 502, PAGE, "502 an HTML page, 'Bad Gateway at 7'"],
    ["a method that is not there", 405, {}, "405; the control plane does not offer this endpoint"],
    ["the kind alone, as text", 403, { detail: "", error: "denied" }, "403 denied"],
  ];
  for (const [what, status, body, message] of words)
    it(`is described by its own words: ${what}`, async () => {
      const error = await errorOf(status, body);
      expect(error.message.startsWith(`update deployment 'd': ${message}`), error.message).to.equal(
        true,
      );
    });

  it("is no success where it has none to read, and a page to sign in is there", async () => {
    answer = { status: 200, text: "<!DOCTYPE html><title>Sign in</title>" };
    const { threads, crons, assistants } = agentServer();
    for (const one of [threads, crons, assistants])
      expect(await reasonOf(one.delete("1"))).to.contain(`${MISMATCH}: an HTML page, 'Sign in'`);
  });

  it("has no part of a secret where a page is cut", async () => {
    const apiKey = "CANARY-OF-A-PASSWORD";
    answer = { status: 502, text: `${"x".repeat(295)}${apiKey}` };
    const message = await reasonOf(controlPlane({ apiKey }).deployments.update("d", {}));
    expect(message).to.contain("x".repeat(200)).and.not.contain("CANA");
  });

  describe("of which a client needs the identity alone", () => {
    const read = async (more: object) => {
      const mismatches: string[] = [];
      const onMismatch = (member: string): void => void mismatches.push(member);
      const page = { resources: [{ ...aDeployment(), ...more }] };
      answer = { status: 200, text: JSON.stringify(page) };
      const [found] = await Array.fromAsync(controlPlane({ onMismatch }).deployments.list());
      return { found, mismatches };
    };
    const { image_version: _, secrets: _secrets, ...withoutMembers } = aDeployment();

    it("is read without what does not fit, which is named where it stands in a thing, and no value", async () => {
      const { found, mismatches } = await read({
        updated_at: null,
        image_version: 7,
        source_config: { repo_url: "https://git.example.com/a", build_on_push: "CANARY" },
        secrets: [{ name: "A", value: "CANARY" }, { value: "CANARY" }],
      });
      expect(found).to.deep.equal({
        ...withoutMembers,
        updated_at: "",
        source_config: { repo_url: "https://git.example.com/a" },
      });
      expect(mismatches).to.deep.equal([
        "source_config.build_on_push: Invalid input: expected boolean, received string",
        "secrets.name: Invalid input: expected string, received undefined",
        "updated_at: Invalid input: expected string, received null",
        "image_version: Invalid input: expected string, received number",
      ]);
    });

    it("is read where a member or the page's offset is left out, which is nothing to name", async () => {
      const { found, mismatches } = await read({ tenant_id: undefined });
      const seen = { ...aDeployment(), tenant_id: "" };
      expect({ found, mismatches }).to.deep.equal({ found: seen, mismatches: [] });
    });

    it("is refused without the identity, also beside others that have one", async () => {
      for (const more of [{ id: 7 }, { id: undefined }, { name: null }, { id: "" }])
        expect(await rejection(read(more)), JSON.stringify(more)).to.be.instanceOf(
          sdk.InvalidResponseError,
        );
    });
  });

  it("has every problem of a field, in the contract's form and in zod's", async () => {
    const first = { loc: ["body", "source_config", 0], msg: "too small", type: "range" };
    const second = { loc: ["body", "name"], msg: "taken", type: "value_error" };
    const broken = { ...second, loc: [...second.loc, {}, null] };
    const detail = await errorOf(422, { detail: ["text", first, broken, { msg: 1 }] });
    const rest = { loc: [], msg: "1", type: "undefined" };
    expect(detail).to.be.instanceOf(sdk.Unprocessable);
    expect(detail).to.have.deep.property("problems", [first, second, rest]);
    expect(detail.message).to.contain("body.source_config.0: too small; body.name: taken; : 1");
    const issues = [null, { path: ["name"], message: "taken", code: "custom" }];
    const error = await errorOf(400, { error: { issues } });
    expect(error).to.be.instanceOf(sdk.Unprocessable);
    expect(error).to.have.deep.property("problems", [
      { loc: ["name"], msg: "taken", type: "custom" },
    ]);
  });

  it("does not refuse the request where the server failed, whatever the body has", async () => {
    const error = await errorOf(500, { detail: [{ loc: ["body"], msg: "wrong", type: "t" }] });
    expect(error).to.be.instanceOf(sdk.ServerError);
  });

  it("is none of an agent server's where it has neither a thread nor a message", async () => {
    answer = { status: 200, text: "{}" };
    expect(await rejection(agentServer().threads.get("t"))).to.be.instanceOf(
      sdk.InvalidResponseError,
    );
  });

  it("leaves open whether a request was carried out, unless it refuses it", async () => {
    expect(sdk.isAmbiguous(await errorOf(500, {}))).to.equal(true);
    expect(sdk.isAmbiguous(await errorOf(200, {}))).to.equal(true);
    expect(sdk.isAmbiguous(await errorOf(409, {}))).to.equal(false);
    await server.close();
    expect(sdk.isAmbiguous(await errorOf(200, {}))).to.equal(false);
  });

  it("has the members of a thread that were asked for, empty where the server omits them", async () => {
    answer = { status: 200, text: '[{"thread_id":"t","metadata":null,"values":null}]' };
    const select = (...members: ("thread_id" | "metadata" | "config" | "values")[]) =>
      agentServer().threads.search({ select: members });
    expect(await select("thread_id")).to.deep.equal([{ thread_id: "t" }]);
    for (const member of ["metadata", "config", "values"] as const)
      expect(await select(member)).to.deep.equal([{ thread_id: "t", [member]: {} }]);
  });

  it("ends a log at a page that names no next one, or itself", async () => {
    const walk = async (next: string | null) => {
      const log = await startServer((_request, response, count) =>
        json(response, 200, {
          logs: [{ message: `${count}` }],
          next_offset: count === 1 ? "2" : next,
        }),
      );
      const { revisions } = controlPlane({ baseUrl: log.url });
      const lines = await Array.fromAsync(revisions.logLines("d", "r", "build"));
      await log.close();
      return [
        lines.map(({ message }) => message),
        log.received.map(({ url }) => /offset=\w+/.exec(url)?.[0]),
      ];
    };
    for (const next of [null, "2", ""])
      expect(await walk(next)).to.deep.equal([
        ["1", "2"],
        [undefined, "offset=2"],
      ]);
  });

  it("says that a run has ended which is not there to be cancelled", async () => {
    answer = { status: 404, text: '{"detail":"Run not found"}' };
    expect(await agentServer().runs.cancel("t", "r")).to.equal(undefined);
    expect(await agentServer().crons.count()).to.equal(0);
    const { assistants } = agentServer();
    for (const work of [assistants.count(), Array.fromAsync(assistants.listVersions("a"))])
      expect(await rejection(work)).to.be.instanceOf(sdk.NotFound);
  });
});

describe("a status", () => {
  it("that this release does not know is none of a deployment being deleted, and of a failed revision by its name", () => {
    const deployments = ["AWAITING_DELETE", "READY", "LATER", undefined];
    expect(deployments.filter(isBeingDeleted)).to.deep.equal(["AWAITING_DELETE"]);
    const revisions = ["INTERRUPTED", "LATER_FAILED", "FAILED_LATER", "LATER", "DEPLOYED"];
    expect(revisions.filter(hasFailed)).to.deep.equal(revisions.slice(0, 3));
  });
});
