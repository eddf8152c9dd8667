import { expect } from "chai";
import { difference as compare, threadArguments } from "../../../provider/thread/diff";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";

const URL = "https://support.example.com";
const threadProblems = threadArguments.problems;
const difference = (olds: Props, news: Props) =>
  compare(threadArguments.decode(olds), threadArguments.decode(news));
const SUPERSTEPS = [{ updates: [{ asNode: "agent", values: { mood: "friendly" } }] }];

describe("a thread's arguments", () => {
  it("have no problem when they are right, or not known yet", () => {
    const named = { graphId: "agent", metadata: { graph_id: "agent" } };
    expect(threadProblems({ deploymentUrl: URL, ...named, supersteps: SUPERSTEPS })).to.be.empty;
    expect(threadProblems({ deploymentUrl: UNKNOWN, supersteps: UNKNOWN, metadata: UNKNOWN })).to.be
      .empty;
    expect(
      threadProblems({
        deploymentUrl: URL,
        supersteps: [{ updates: [{ asNode: UNKNOWN, values: { order: UNKNOWN } }] }],
      }),
    ).to.be.empty;
  });

  it("need the URL of a deployment that the service has reported", () =>
    expect(threadProblems({ deploymentUrl: null }).map(({ property }) => property)).to.deep.equal([
      "deploymentUrl",
    ]));

  it("are judged all at once, by the paths that the user wrote", () => {
    const problems = threadProblems({
      deploymentUrl: "not a url",
      graphid: "agent",
      metadata: { graph_id: "agent" },
      copyFrom: "first",
      supersteps: [{ updates: [{ asNode: "", values: {} }] }],
    });
    expect(problems.map(({ property, reason }) => `${property}: ${reason}`)).to.deep.equal([
      ": unknown argument 'graphid'; did you mean graphId?",
      "deploymentUrl: is not a valid URL; write it as https://host or https://host/path",
      "supersteps[0].updates[0].asNode: must be a non-empty string",
      "copyFrom: must be a UUID",
      "metadata.graph_id: cannot differ from graphId; set graphId instead",
      "copyFrom: cannot be combined with supersteps: a copy has those of its source",
    ]);
  });

  it("refuse a key that a header cannot carry, without repeating it", () => {
    for (const apiKey of ["CANARY\n", "CAN\x07ARY", ""]) {
      const [problem, ...others] = threadProblems({ deploymentUrl: URL, apiKey });
      expect(others).to.be.empty;
      expect(problem?.property).to.equal("apiKey");
      expect(problem?.reason)
        .to.match(/HTTP drops; remove it|header cannot carry|non-empty/)
        .and.not.match(/CAN/);
    }
  });

  const ofSupersteps = (...supersteps: unknown[]) =>
    threadProblems({ deploymentUrl: URL, supersteps }).map(
      ({ property, reason }) => `${property}: ${reason}`,
    );

  it("say what is wrong with supersteps, in the words of all other arguments", () => {
    const content = { a: 1 };
    const messages = [{ type: "human" }, { type: "", content, additional_kwargs: 1 }];
    expect(
      ofSupersteps(
        { updates: [{ asNode: "", values: 7 }, { asNode: "agent" }] },
        { updates: [] },
        { updates: [{ asNode: "agent", values: { messages } }] },
        {},
        "then",
      ),
    ).to.deep.equal([
      "supersteps[0].updates[0].values: must be an object",
      "supersteps[0].updates[0].asNode: must be a non-empty string",
      "supersteps[0].updates[1].values: is required",
      "supersteps[1].updates: must be a non-empty array",
      "supersteps[2].updates[0].values.messages[0].content: is required",
      "supersteps[2].updates[0].values.messages[1].type: must be a non-empty string",
      "supersteps[2].updates[0].values.messages[1].content: must be a string or an array",
      "supersteps[2].updates[0].values.messages[1].additional_kwargs: must be an object",
      "supersteps[3].updates: is required",
      "supersteps[4]: must be an object",
    ]);
  });

  it("name the type of a message that has a role instead", () => {
    const values = { messages: [{ role: "user", content: "Hello" }] };
    expect(ofSupersteps({ updates: [{ asNode: "__start__", values }] })).to.deep.equal([
      'supersteps[0].updates[0].values.messages[0].type: is required: "human", "ai", "system" or "tool", not a role',
    ]);
  });

  it("have no members in supersteps but their own, and the graph's in the values", () => {
    const values = { as_node: "a", snake_case: 1, camelCase: 2 };
    expect(
      ofSupersteps({ updates: [{ as_node: "agent", values }], update: [] }, { updates: UNKNOWN }),
    ).to.deep.equal([
      ": unknown argument 'supersteps[0].update'; did you mean supersteps[0].updates?",
      ": unknown argument 'supersteps[0].updates[0].as_node'; did you mean supersteps[0].updates[0].asNode?",
      "supersteps[0].updates[0].asNode: is required",
    ]);
  });

  it("are judged beside what is not known yet", () =>
    expect(
      ofSupersteps(
        { updates: [{ asNode: UNKNOWN, values: { messages: UNKNOWN } }, { asNode: "" }, UNKNOWN] },
        UNKNOWN,
      ),
    ).to.deep.equal([
      "supersteps[0].updates[1].values: is required",
      "supersteps[0].updates[1].asNode: must be a non-empty string",
    ]));

  it("repeat no address that may hold a password", () => {
    const [problem] = threadProblems({ deploymentUrl: "https://me:CANARY@host.example.com" });
    expect(problem?.reason).not.to.contain("CANARY");
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

  it("are made in place for metadata and key", () => {
    expect(difference(olds, { ...olds, metadata: { team: "b" } }).result).to.deep.equal({});
    expect(difference(olds, { ...olds, apiKey: "other" }).result).to.deep.equal({});
  });

  it("are none when nothing changed, and no replacement where nobody knows yet, which the words say", () => {
    expect(difference(olds, { ...olds })).to.deep.equal({
      result: { changes: false },
      message: undefined,
    });
    const { result, message } = difference(olds, {
      ...olds,
      deploymentUrl: UNKNOWN,
      supersteps: UNKNOWN,
    });
    expect(result).to.deep.equal({});
    expect(message).to.equal(
      "may be replaced, depending on a value known only during the update (deploymentUrl, supersteps): deleted first, its conversation is deleted with it",
    );
  });
});
