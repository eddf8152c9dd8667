import { expect } from "chai";
import { threadProblems } from "../../../provider/thread/check";
import { difference } from "../../../provider/thread/diff";
import { UNKNOWN } from "../../../provider/inputs/props";

const URL = "https://support.example.com";
const SUPERSTEPS = [{ updates: [{ asNode: "agent", values: { mood: "friendly" } }] }];

describe("a thread's arguments", () => {
  it("have no problem when they are right, or not known yet", () => {
    expect(threadProblems({ deploymentUrl: URL, graphId: "agent", supersteps: SUPERSTEPS })).to.be
      .empty;
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
    expect(problems.map(({ property }) => property)).to.deep.equal([
      "graphid",
      "deploymentUrl",
      "copyFrom",
      "metadata.graph_id",
      "copyFrom",
    ]);
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
      "supersteps[0].updates[0].values: must be of type object",
      "supersteps[0].updates[0].asNode: must not be empty",
      "supersteps[0].updates[1].values: is required",
      "supersteps[1].updates: must not be empty",
      "supersteps[2].updates[0].values.messages[0].content: is required",
      "supersteps[2].updates[0].values.messages[1].type: must not be empty",
      "supersteps[2].updates[0].values.messages[1].content: must be of type string or array",
      "supersteps[2].updates[0].values.messages[1].additional_kwargs: must be of type object",
      "supersteps[3].updates: is required",
      "supersteps[4]: must be of type object",
    ]);
  });

  it("have no members in supersteps but their own, and the graph's in the values", () => {
    const values = { as_node: "a", snake_case: 1, camelCase: 2 };
    expect(
      ofSupersteps({ updates: [{ as_node: "agent", values }], update: [] }, { updates: UNKNOWN }),
    ).to.deep.equal([
      "supersteps[0].update: is no argument; did you mean updates?",
      "supersteps[0].updates[0].as_node: is no argument; did you mean asNode?",
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
      "supersteps[0].updates[1].asNode: must not be empty",
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
    { graphId: "other" },
    { copyFrom: "11111111-1111-4111-8111-111111111111" },
  ])
    it(`replace it, deleted first, for another ${Object.keys(change).join()}`, () => {
      const { result, message } = difference(olds, { ...olds, ...change });
      expect(result).to.deep.equal({ replaces: Object.keys(change), deleteBeforeReplace: true });
      expect(message).to.contain("what was said in it goes with it");
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
    const { result, message } = difference(olds, { ...olds, deploymentUrl: UNKNOWN });
    expect(result).to.deep.equal({});
    expect(message).to.equal(
      "replaced if a value that is not known yet is another one then (deploymentUrl): deleted first, what was said in it goes with it",
    );
  });
});
