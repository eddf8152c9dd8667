import { expect } from "chai";
import { camelName } from "../../provider/inputs/casing";
import { Source, SourceConfigRequest, SourceRevisionConfig } from "../../sdk/schema";
import { REQUIRED_FIELDS, SOURCES_OF_FIELD } from "../../sdk/schema/source-rules";
import { type Exported, exportedTypes, type Member } from "./interfaces";

/** Their fields are those of any source: which ones are required is said elsewhere. */
const OF_ANY_SOURCE = ["SourceConfigArgs", "SourceRevisionConfigArgs"];

describe("what an editor shows of a resource", () => {
  let types: readonly Exported[] = [];
  const membersOf = (name: string) => types.find((type) => type.name === name)?.members ?? [];
  const named = (keep: (member: Member, type: Exported) => boolean) =>
    types.flatMap((type) =>
      type.members.filter((member) => keep(member, type)).map(({ name }) => `${type.name}.${name}`),
    );

  before(() => {
    types = exportedTypes(["config", "deployment", "listener", "thread"]);
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
      const pascal = camelName(`_${source}`);
      for (const [config, fields] of Object.entries(FIELDS)) {
        const shown = membersOf(`${pascal}${camelName(`_${config}`)}Args`).map(
          ({ name, isOptional }) => `${name}${isOptional ? "?" : ""}`,
        );
        const allowed = fields
          .map((field) => `${config}.${field}`)
          .filter((field) => SOURCES_OF_FIELD[field]?.includes(source) ?? true)
          .map((field) => {
            const name = camelName(field.slice(config.length + 1));
            return REQUIRED_FIELDS[source].includes(field) ? name : `${name}?`;
          });
        expect(shown).to.have.members(allowed);
      }
    });
});

/** The fields of the wire that a program may set. */
const FIELDS = {
  source_config: Object.keys(SourceConfigRequest.shape),
  source_revision_config: Object.keys(SourceRevisionConfig.shape).filter(
    (field) => field !== "repo_commit_sha",
  ),
};

function unitOf(name: string): RegExp {
  if (name.includes("Cpu") || name.startsWith("cpu")) return /\bin cores\b/;
  if (name.endsWith("Mb")) return /\bin MB\b/;
  if (name.endsWith("Gi")) return /\bin GiB\b/;
  return name.endsWith("Scale") ? /\bNumber of .*replicas\b/ : /\bNumber of connections\b/;
}
