import { expect } from "chai";
import { difference as compare, threadArguments } from "../../../provider/thread/diff";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";

const URL = "https://support.example.com";
const difference = (olds: Props, news: Props) =>
  compare(threadArguments.decode(olds), threadArguments.decode(news));
const SUPERSTEPS = [{ updates: [{ asNode: "agent", values: { mood: "friendly" } }] }];

/** What a check says of the arguments of a thread at `URL`. */
const problems = (args: Props) =>
  threadArguments
    .problems({ deploymentUrl: URL, ...args })
    .map(({ property, reason }) => `${property}: ${reason}`);

describe("a thread's arguments", () => {
  it("have no problem when they are right, or not known yet", () => {
    for (const args of [
      { graphId: "agent", metadata: { graph_id: "agent" }, supersteps: SUPERSTEPS },
      { deploymentUrl: UNKNOWN, supersteps: UNKNOWN, metadata: UNKNOWN },
      { supersteps: [{ updates: [{ asNode: UNKNOWN, values: { order: UNKNOWN } }] }] },
    ])
      expect(problems(args)).to.be.empty;
  });

  it("are judged all at once, by the paths that the user wrote", () => {
    const wrong = {
      deploymentUrl: "not a url",
      graphid: "agent",
      metadata: { graph_id: "agent" },
      copyFrom: "first",
      supersteps: [{ updates: [{ asNode: "", values: {} }] }],
    };
    expect(problems(wrong)).to.deep.equal([
      ": unknown argument 'graphid'; did you mean graphId?",
      "deploymentUrl: is not a valid URL; write it as https://host or https://host/path",
      "supersteps[0].updates[0].asNode: must be a non-empty string",
      "copyFrom: must be a UUID",
      "metadata.graph_id: cannot differ from graphId; set graphId instead",
      "copyFrom: cannot be combined with supersteps: a copy has those of its source",
    ]);
    // A deployment whose URL the service has not reported.
    expect(problems({ deploymentUrl: null })).to.have.length(1);
  });

  it("refuse a key that a header cannot carry, without repeating it", () => {
    for (const apiKey of ["CANARY\n", "CAN\x07ARY", ""])
      expect(problems({ apiKey }).join("\n"))
        .to.match(/^apiKey: .*(HTTP drops; remove it|header cannot carry|non-empty).*$/)
        .and.not.match(/CAN/);
  });

  it("say what is wrong with supersteps, beside what is not known yet, in the words of all other arguments", () => {
    const messages = [
      { type: "human" },
      { type: "", content: { a: 1 }, additional_kwargs: 1 },
      { role: "user", content: "Hello" },
    ];
    const ofGraph = { as_node: "a", snake_case: 1, camelCase: 2 };
    const supersteps = [
      { updates: [{ asNode: "", values: 7 }, { asNode: "agent" }] },
      { updates: [] },
      { updates: [{ asNode: "agent", values: { messages } }] },
      {},
      "then",
      { updates: [{ as_node: "agent", values: ofGraph }], update: [] },
      { updates: [{ asNode: UNKNOWN, values: { messages: UNKNOWN } }, { asNode: "" }, UNKNOWN] },
      UNKNOWN,
    ];
    expect(problems({ supersteps })).to.deep.equal([
      ": unknown argument 'supersteps[5].update'; did you mean supersteps[5].updates?",
      ": unknown argument 'supersteps[5].updates[0].as_node'; did you mean supersteps[5].updates[0].asNode?",
      "supersteps[0].updates[0].values: must be an object",
      "supersteps[0].updates[0].asNode: must be a non-empty string",
      "supersteps[0].updates[1].values: is required",
      "supersteps[1].updates: must be a non-empty array",
      "supersteps[2].updates[0].values.messages[0].content: is required",
      "supersteps[2].updates[0].values.messages[1].type: must be a non-empty string",
      "supersteps[2].updates[0].values.messages[1].content: must be a string or an array",
      "supersteps[2].updates[0].values.messages[1].additional_kwargs: must be an object",
      'supersteps[2].updates[0].values.messages[2].type: is required: "human", "ai", "system" or "tool", not a role',
      "supersteps[3].updates: is required",
      "supersteps[4]: must be an object",
      "supersteps[5].updates[0].asNode: is required",
      "supersteps[6].updates[1].values: is required",
      "supersteps[6].updates[1].asNode: must be a non-empty string",
    ]);
  });
});

describe("a thread's changes", () => {
  const olds = { deploymentUrl: URL, supersteps: SUPERSTEPS, metadata: { team: "a" }, apiKey: "k" };

  for (const change of [
    { deploymentUrl: "https://other.example.com" },
    { supersteps: [] },
    { graphId: "other", copyFrom: "11111111-1111-4111-8111-111111111111" },
  ])
    it(`replace it, deleted first, for another ${Object.keys(change).join(", ")}`, () => {
      const { result, message } = difference(olds, { ...olds, ...change });
      expect(result).to.deep.equal({ replaces: Object.keys(change), deleteBeforeReplace: true });
      expect(message).to.equal(
        `replaced, since ${Object.keys(change).join(", ")} can't be changed: deleted first, its conversation is deleted with it`,
      );
    });

  it("are none for the case of an id", () => {
    const copy = { deploymentUrl: URL, copyFrom: "3a0aba2e-8164-45a2-a2d1-832265a524cb" };
    const { result } = difference(copy, { ...copy, copyFrom: copy.copyFrom.toUpperCase() });
    expect(result.replaces).to.equal(undefined);
  });

  it("are made in place for metadata and key", () => {
    expect(difference(olds, { ...olds, metadata: { team: "b" } }).result).to.deep.equal({});
    expect(difference(olds, { ...olds, apiKey: "other" }).result).to.deep.equal({});
  });

  it("are none when nothing changed, and no replacement where nobody knows yet, which the words say", () => {
    const expected = { result: { changes: false }, message: undefined };
    expect(difference(olds, { ...olds })).to.deep.equal(expected);
    const later = { deploymentUrl: UNKNOWN, supersteps: UNKNOWN };
    const { result, message } = difference(olds, { ...olds, ...later });
    expect(result).to.deep.equal({});
    expect(message).to.equal(
      "may be replaced, depending on a value known only during the update (deploymentUrl, supersteps): deleted first, its conversation is deleted with it",
    );
  });
});
