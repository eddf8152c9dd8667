import { type Input, type Inputs, isSecret, Output, output, runtime, secret } from "@pulumi/pulumi";
import { expect } from "chai";
import { namesOfSecrets, withSecretInputs } from "../../../provider/program/secret-inputs";
import { isLater } from "../../../provider/arguments/variables";
import { isRecord } from "../../../shared/records";

/** Paths of the secrets among inputs, as the engine would get them. */
async function secretPaths(value: Input<unknown>, path = ""): Promise<string[]> {
  if (isLater(value)) {
    const later: Output<unknown> = Output.isInstance(value) ? value : output(value);
    if (await isSecret(later)) return [path];
    return secretPaths(await new Promise((resolve) => later.apply(resolve)), path);
  }
  if (!isRecord(value)) return [];
  const members = Object.entries(value).map(([name, member]) =>
    secretPaths(member, path === "" ? name : `${path}.${name}`),
  );
  return (await Promise.all(members)).flat();
}

const PATHS = ["key", "secrets.*", "check.apiKey"];
const marked = (inputs: Inputs) => secretPaths(withSecretInputs(inputs, PATHS));

describe("the secret inputs of a resource", () => {
  after(() => runtime.resetOptions("project", "stack", -1, "", "", false, ""));

  it("are secrets though the program gives plain values, each by itself", async () => {
    const check = { apiKey: "d", graphId: "e" };
    const inputs = { key: "a", secrets: { A: "b", B: output("c") }, check };
    expect(await marked(inputs)).to.deep.equal(["key", "secrets.A", "secrets.B", "check.apiKey"]);
  });

  it("are secrets within an output, and of an object of secrets the whole", async () => {
    const check = output({ apiKey: "d", graphId: "e" });
    const inputs = { key: Promise.resolve("a"), secrets: output({ A: "b" }), check };
    expect(await marked(inputs)).to.deep.equal(["key", "secrets", "check.apiKey"]);
  });

  it("stay secrets, and nothing else becomes one", async () => {
    const inputs = { key: secret("a"), secrets: null, check: true, name: "n" };
    expect(await marked(inputs)).to.deep.equal(["key"]);
    expect(withSecretInputs(inputs, PATHS)).to.include({ secrets: null, check: true, name: "n" });
  });

  it("have names, with those of all that is in a secret, for who gets the values in clear", async () => {
    await runtime.setMocks({ newResource: () => ({ id: "", state: {} }), call: () => ({}) });
    const inputs = {
      key: secret("a"),
      check: { apiKey: output(secret("d")), graphId: "e" },
      source: secret({ image: { uri: "f" } }),
      list: [{ token: secret("g") }],
      later: Promise.resolve(secret("h")),
    };
    const expected = ["key", "apiKey", "source", "image", "uri", "token", "later"];
    expect(await namesOfSecrets(inputs)).to.deep.equal(expected);
    expect(await namesOfSecrets({ key: output("a"), list: [{ token: "g" }] })).to.equal(undefined);
    const failing = { key: Promise.reject(new Error("no key")), token: secret("a") };
    expect(await namesOfSecrets(failing)).to.equal(undefined);
  });

  it("are secrets also where their type is wrong", async () => {
    expect(await marked({ key: ["a"], secrets: "API_KEY=b" })).to.deep.equal(["key", "secrets"]);
  });
});
