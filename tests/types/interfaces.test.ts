import { expect } from "chai";
import { deploymentArguments } from "../../provider/deployment/declared/argument-table";
import { camelName } from "../../provider/arguments/casing";
import { Source } from "../../sdk/schema";
import { type Exported, exportedTypes, type Member } from "./interfaces";

/** Their fields are those of any source: which ones are required is said elsewhere. */
const OF_ANY_SOURCE = ["SourceConfigArgs", "SourceRevisionConfigArgs"];

describe("what an editor shows of a resource or a function", () => {
  let types: readonly Exported[] = [];
  const membersOf = (name: string) => types.find((type) => type.name === name)?.members ?? [];
  const named = (keep: (member: Member, type: Exported) => boolean) =>
    types.flatMap((type) =>
      type.members.filter((member) => keep(member, type)).map(({ name }) => `${type.name}.${name}`),
    );

  before(() => {
    types = exportedTypes();
  });

  it("is a comment on each class, type, argument and output", () => {
    expect(types.map(({ name }) => name)).to.include.members(["Deployment", "ResourceSpecArgs"]);
    expect(types.filter(({ comment }) => comment === "")).to.deep.equal([]);
    expect(named(({ comment }) => comment === "")).to.deep.equal([]);
  });

  it("is the default of each argument that may be left out", () => {
    const lacking = named(
      ({ isOptional, fallback }, { name }) =>
        isOptional && !fallback && name.endsWith("Args") && !OF_ANY_SOURCE.includes(name),
    );
    expect(lacking).to.deep.equal([]);
  });

  it("is the unit of each number in a resource spec", () => {
    const numbers = membersOf("ResourceSpecArgs").filter(({ type }) => type.includes("number"));
    expect(numbers).to.have.length(31);
    for (const { name, comment } of numbers) expect(comment, name).to.match(unitOf(name));
  });

  it("is what the service marks “do not use”", () => {
    const marked = membersOf("ResourceSpecArgs").filter(({ comment }) =>
      comment.includes('Marked "do not use"'),
    );
    const names = membersOf("ResourceSpecArgs").map(({ name }) => name);
    expect(marked.map(({ name }) => name)).to.deep.equal(
      names.filter((name) => /^(orchestrator|executor)/.test(name)),
    );
  });

  for (const source of Source.options)
    it(`is which fields ${source} has, and which it requires, as check has it`, () => {
      for (const config of ["sourceConfig", "sourceRevisionConfig"]) {
        const fields = deploymentArguments.rows
          .filter(({ path }) => path.split(".").length === 2)
          .filter(({ path }) => path.startsWith(`${config}.`))
          .filter(({ sources }) => sources?.includes(source) ?? true)
          .map(
            ({ path, requiredBy }) =>
              path.slice(config.length + 1) + (requiredBy?.includes(source) ? "" : "?"),
          );
        const shown = membersOf(`${camelName(`_${source}_${config}`)}Args`).map(
          ({ name, isOptional }) => name + (isOptional ? "?" : ""),
        );
        expect(shown).to.have.members(fields);
      }
    });
});

function unitOf(name: string): RegExp {
  if (name.includes("Cpu") || name.startsWith("cpu")) return /\bin cores\b/;
  if (name.endsWith("Mb")) return /\bin MB\b/;
  if (name.endsWith("Gi")) return /\bin GiB\b/;
  return name.endsWith("Scale") ? /\bNumber of .*replicas\b/ : /\bNumber of connections\b/;
}
