import { expect } from "chai";
import { RequestError } from "pulumi-agentserver/sdk";
import { defineLifecycle, type Kind } from "../../../provider/host/define-lifecycle";
import { InitializationFailure } from "../../../provider/host/initialization-failure";
import type { Props } from "../../../provider/inputs/props";
import { contextOf } from "../../support/lifecycle";
import { rejection } from "../../support/rejection";

const SOMEWHERE = { url: "http://127.0.0.1:9", apiKey: "key", workspaceId: "nobody" };
const failing = async (): Promise<never> => {
  const request = { action: "list boxes", method: "GET", url: "u", reason: "no", secrets: [] };
  throw new RequestError(request);
};
const box = (part: Partial<Kind<Props, Props>>) =>
  defineLifecycle<Props>({
    noun: "box",
    declared: (inputs) => inputs,
    state: (outputs) => outputs,
    nameOf: ({ name }) => (typeof name === "string" ? name : undefined),
    check: () => ({ problems: [] }),
    difference: () => ({ result: {}, message: undefined }),
    create: failing,
    read: failing,
    update: failing,
    delete: failing,
    ...part,
  });

describe("the lifecycle of a kind of resource", () => {
  let said: string[] = [];
  beforeEach(() => {
    said = [];
  });
  const context = (url = SOMEWHERE.url) => contextOf({ ...SOMEWHERE, url }, said);

  it("names in an error the verb and the resource, by its name where it has one, else by its id", async () => {
    const lifecycle = box({});
    const named = { name: "a" };
    const messages = [
      lifecycle.create(named, context()),
      lifecycle.read("1", {}, context()),
      lifecycle.update("1", named, { name: "b" }, context()),
      lifecycle.delete("1", named, context()),
    ].map(async (attempt) => (await rejection(attempt)).message);
    expect(await Promise.all(messages)).to.deep.equal([
      "create box 'a': list boxes: no",
      "get box '1': list boxes: no",
      "update box 'a': list boxes: no",
      "delete box 'a': list boxes: no",
    ]);
  });

  it("reports the problems of the settings with those of the inputs, for the control plane alone", async () => {
    const problems = [{ property: "size", reason: "is required" }];
    const failuresOf = async (part: Partial<Kind<Props, Props>>) =>
      (
        await box({ check: () => ({ problems }), ...part }).check(
          {},
          {},
          context("http://control.example.com"),
        )
      ).failures;
    const [own, ...settings] = (await failuresOf({})) ?? [];
    expect(own).to.deep.equal(problems[0]);
    expect(settings.map(({ reason }) => reason).join()).to.contain("agentserver:baseUrl is plain");
    expect(await failuresOf({ service: "agent server" })).to.deep.equal(problems);
  });

  it("shows the warnings of a check, and its message only where nothing is wrong", async () => {
    const checked = { warnings: ["heavy"], message: "creates a box" };
    const service = "agent server";
    const problems = [{ property: "", reason: "no" }];
    await box({ service, check: () => ({ ...checked, problems: [] }) }).check({}, {}, context());
    expect(said.splice(0)).to.deep.equal(["heavy", "creates a box"]);
    await box({ service, check: () => ({ ...checked, problems }) }).check({}, {}, context());
    expect(said).to.deep.equal(["heavy"]);
  });

  it("shows what a diff explains", () => {
    const found = { result: { changes: true }, message: "grows", warning: "it was dented" };
    expect(box({ difference: () => found }).diff("1", {}, {}, context())).to.equal(found.result);
    expect(said).to.deep.equal(["grows", "it was dented"]);
  });

  it("redacts the secret values of the state and of the inputs in every error, also in reasons that are kept", async () => {
    const secretsOf = ({ key }: Props) => [typeof key === "string" ? key : undefined];
    const [old, now] = [{ key: "old-canary" }, { key: "new-canary" }];
    const throwing = async (): Promise<never> => {
      throw new Error("no: old-canary, new-canary");
    };
    const parts = { create: throwing, read: throwing, update: throwing, delete: throwing };
    const lifecycle = box({ secretsOf, ...parts });
    const messages = [
      lifecycle.create(now, context()),
      lifecycle.read("1", old, context()),
      lifecycle.update("1", old, now, context()),
      lifecycle.delete("1", old, context()),
      lifecycle.create({}, context()),
    ].map(async (attempt) => (await rejection(attempt)).message);
    expect(await Promise.all(messages)).to.deep.equal([
      "no: old-canary, [secret]",
      "no: [secret], new-canary",
      "no: [secret], [secret]",
      "no: [secret], new-canary",
      "no: old-canary, new-canary",
    ]);
    const kept = box({
      secretsOf,
      create: async () => {
        throw new InitializationFailure("1", now, ["new-canary fails"]);
      },
    });
    expect(await rejection(kept.create(now, context()))).to.deep.include({
      id: "1",
      properties: now,
      reasons: ["[secret] fails"],
    });
  });

  it("keeps the hidden members of what is read, and an empty id says that it is gone", async () => {
    const found = { inputs: { size: 1 }, outs: { size: 1, id: "1" } };
    const read = (what: typeof found | undefined) =>
      box({ read: async () => what }).read("1", { __urn: "urn", size: 0 }, context());
    expect(await read(found)).to.deep.equal({
      id: "1",
      inputs: { size: 1, __urn: "urn" },
      props: { size: 1, id: "1", __urn: "urn" },
    });
    expect(await read(undefined)).to.deep.equal({ id: "", props: {} });
  });
});
