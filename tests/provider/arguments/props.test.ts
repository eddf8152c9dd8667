import { output, Output } from "@pulumi/pulumi";
import { expect } from "chai";
import {
  optionInputs,
  optionsIn,
  withoutHiddenInputs,
} from "../../../provider/arguments/option-inputs";
import { changedPaths, replacedAt, withValueAt } from "../../../provider/arguments/property-path";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import {
  encryptedAsUnknown,
  secretNames,
  withoutSecretForm,
  withSecretNames,
  withSecrets,
} from "../../../provider/arguments/secrets";
import { variables } from "../../../provider/arguments/variables";

const secret = (value: unknown) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

describe("the secret values of properties", () => {
  const marked = (props: Props, ...paths: string[]) => withSecrets(props, paths);

  it("are marked as a whole, member by member, and deep in an object", () => {
    const props = { secrets: { A: "1", B: "2" }, key: "k", gate: { key: "g", name: "n" } };
    expect(marked(props, "key", "secrets.*", "gate.key")).to.deep.equal({
      secrets: { A: secret("1"), B: secret("2") },
      key: secret("k"),
      gate: { key: secret("g"), name: "n" },
    });
    expect(marked(props, "secrets")["secrets"]).to.deep.equal(secret(props.secrets));
  });

  it("are marked once, and as a whole where their members are not known yet", () => {
    expect(marked({ key: secret("k") }, "key")).to.deep.equal({ key: secret("k") });
    expect(marked({ secrets: UNKNOWN }, "secrets.*")).to.deep.equal({ secrets: secret(UNKNOWN) });
  });

  it("are marked by their names too, at any depth", () => {
    const props = { key: "k", list: [{ key: ["a"], name: "n" }], gate: secret({ key: "g" }) };
    expect(withSecretNames(props, ["key"])).to.deep.equal({
      key: secret("k"),
      list: [{ key: secret(["a"]), name: "n" }],
      gate: secret({ key: "g" }),
    });
  });

  it("have names: theirs, those of all that is in them, and of a list that holds one", () => {
    const props = {
      plain: { name: "n" },
      whole: secret({ inner: [{ deep: 1 }] }),
      map: { A: secret("a"), B: "b" },
      list: [secret("x"), { own: secret(null) }],
    };
    expect(secretNames(props)).to.deep.equal(["whole", "inner", "deep", "A", "list", "own"]);
    expect(secretNames(undefined)).to.deep.equal([]);
  });

  it("are none where there is nothing to hide, and what has no members stays", () => {
    const props = { key: null, secrets: undefined, gate: "text" };
    expect(marked(props, "key", "secrets.*", "gate.key", "other")).to.deep.equal(props);
  });

  it("lose their mark, or are unknown, at any depth", () => {
    const props = { list: [{ key: secret({ inner: secret("k") }) }], plain: "p" };
    expect(withoutSecretForm(props)).to.deep.equal({ list: [{ key: { inner: "k" } }], plain: "p" });
    expect(encryptedAsUnknown(props)).to.deep.equal({ list: [{ key: UNKNOWN }], plain: "p" });
  });
});

describe("the options that a lifecycle needs", () => {
  it("go through hidden inputs, of which one that is not set has none", () => {
    expect(optionInputs()).to.deep.equal({});
    expect(optionInputs({ deleteBeforeReplace: true, protect: false })).to.deep.equal({});
    const options = {
      deleteBeforeReplace: false,
      ignoreChanges: ["env.A"],
      replaceOnChanges: ["source"],
      customTimeouts: { create: "1m" },
      protect: true,
      retainOnDelete: true,
    };
    expect(optionsIn(optionInputs(options))).to.deep.equal({
      replacementOrder: "creates first",
      ignoredPaths: ["env.A"],
      replacingPaths: ["source"],
      keeping: ["protect", "retainOnDelete"],
      hasCustomTimeouts: true,
      secretNames: [],
    });
    const unset = optionInputs({
      protect: false,
      retainOnDelete: false,
      deleteBeforeReplace: true,
    });
    expect(optionsIn(unset)).to.include({ replacementOrder: "deletes first" });
    expect(optionsIn(unset).keeping).to.deep.equal([]);
    expect(optionsIn({ __ignored: "env.A", __secrets: ["imageUri"] })).to.deep.equal({
      replacementOrder: "deletes first",
      ignoredPaths: [],
      replacingPaths: [],
      keeping: [],
      hasCustomTimeouts: false,
      secretNames: ["imageUri"],
    });
    const hidden = { ...optionInputs(options), __provider: "p", __urn: "u", __secrets: ["n"] };
    const own = { name: "n", __own: 1 };
    expect(withoutHiddenInputs({ ...hidden, ...own })).to.deep.equal(own);
  });
});

describe("property paths", () => {
  it("name a change at their place, in any member for *, and none where that is not known", () => {
    const paths = ["env.A", 'env["a.b"]', "env.*", "size.cpu", "name"];
    const changed = (olds: Props, news: Props) => changedPaths(paths, olds, news);
    expect(changed({ env: { A: "1", B: "1" } }, { env: { A: "1", B: "2" } })).to.eql(["env.*"]);
    expect(changed({ env: { "a.b": "1" } }, { env: {} })).to.eql(['env["a.b"]', "env.*"]);
    expect(changed({}, { env: { A: "1" } })).to.eql(["env.A", "env.*"]);
    expect(changed({ size: { cpu: 1 } }, { size: UNKNOWN })).to.eql([]);
    expect(changed({ size: { cpu: 1 } }, { size: null })).to.eql(["size.cpu"]);
    expect(changed({ env: "text", name: "a" }, { env: "text", name: "b" })).to.eql(["name"]);
  });

  it("set and remove a value, and leave absent what has none there", () => {
    const props = { size: { cpu: 1, processCache: null }, name: "n" };
    const expected = { ...props, size: { cpu: 2, processCache: null } };
    expect(withValueAt(props, ["size", "cpu"], 2)).to.eql(expected);
    expect(withValueAt(props, ["size"], { cpu: 2 })["size"]).to.eql({ cpu: 2, processCache: null });
    expect(withValueAt(props, ["size"], undefined)).to.eql({ name: "n" });
    expect(withValueAt(props, ["env", "A"], undefined)).to.equal(props);
    expect(withValueAt(props, ["env", "A"], "1")).to.eql({ ...props, env: { A: "1" } });
  });

  it("take the value of another object, of one member or of all", () => {
    const [own, theirs] = [{ env: { A: "1", B: "1" } }, { env: { A: "2", C: "2" } }];
    expect(replacedAt(own, theirs, ["env", "A"])).to.eql({ env: { A: "2", B: "1" } });
    expect(replacedAt(own, theirs, ["env", "B"])).to.eql({ env: { A: "1" } });
    expect(replacedAt(own, theirs, ["env", "*"])).to.eql(theirs);
    expect(replacedAt("text", theirs, ["env"])).to.equal(theirs);
  });

  it("take one item of a list, a member of one or of all, or the whole list, and add nothing to it", () => {
    const own = [{ a: 1, b: 1 }, { a: 1 }];
    const theirs = [{ a: 2, b: 2 }, { a: 2 }, { a: 2 }];
    expect(replacedAt(own, theirs, ["0"])).to.eql([{ a: 2, b: 2 }, { a: 1 }]);
    expect(replacedAt(own, theirs, ["0", "a"])).to.eql([{ a: 2, b: 1 }, { a: 1 }]);
    expect(replacedAt(own, theirs, ["*", "a"])).to.eql([{ a: 2, b: 1 }, { a: 2 }]);
    expect(replacedAt(own, theirs, ["*"])).to.eql(theirs);
    expect(replacedAt(own, undefined, ["0", "a"])).to.eql(own);
  });

  it("take a member of what is not there, and stay absent without one", () => {
    expect(replacedAt({}, { env: { A: "1", B: "1" } }, ["env", "A"])).to.eql({ env: { A: "1" } });
    expect(replacedAt({ a: 1 }, { env: { B: "1" } }, ["env", "A"])).to.eql({ a: 1 });
    expect(replacedAt({ env: null }, {}, ["env", "A"])).to.eql({ env: null });
  });
});

describe("variables", () => {
  const known = (given: unknown) =>
    new Promise((resolve) => output([given]).apply(([value]) => resolve(value)));

  it("have null in the place of an undefined value, now or later", async () => {
    const given = { A: "1" };
    Reflect.set(given, "B", output(undefined));
    Reflect.set(given, "C", undefined);
    expect(await known(variables(given))).to.deep.equal({ A: "1", B: null, C: null });
    for (const later of [Promise.resolve(given), output(given)]) {
      const settled = variables(later);
      expect(Output.isInstance(settled)).to.equal(true);
      expect(await known(settled)).to.deep.equal({ A: "1", B: null, C: null });
    }
  });
});
