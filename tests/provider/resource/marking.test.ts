import { expect } from "chai";
import { withValueAt } from "../../../provider/arguments/property-path";
import type { Props } from "../../../provider/arguments/props";
import { markingSecrets } from "../../../provider/resource/marking";
import { InitializationFailure } from "../../../provider/resource/errors";
import type { Lifecycle } from "../../../provider/resource/lifecycle";
import { LIFECYCLES } from "../../../provider/lifecycles";
import { textsIn } from "../../../lab/faults/leaks";
import { recordOf } from "../../../shared/records";
import { contextOf } from "../../support/lifecycle";
import { initializationFailure } from "../../support/rejection";

/** The answers of each verb that answers with properties, where the lifecycle answers these inputs and outputs. */
const VERBS: Readonly<
  Record<string, (lifecycle: Lifecycle, given: Props, outs: Props) => Promise<unknown>>
> = {
  check: async (lifecycle, given) => lifecycle.check({}, given, CONTEXT),
  create: async (lifecycle, given) => lifecycle.create(given, CONTEXT),
  "the preview of a create": async (lifecycle, given) => lifecycle.preview(given),
  "the preview of an update": async (lifecycle, given) => lifecycle.preview(given, given),
  read: async (lifecycle, given) => lifecycle.read("id", given, CONTEXT),
  update: async (lifecycle, given) => lifecycle.update("id", {}, given, CONTEXT),
  "a create that fails by half": async (lifecycle, given, outs) => {
    const create = () => Promise.reject(new InitializationFailure("id", outs, ["why"]));
    const failing = markingSecrets({ ...lifecycle, create });
    return (await initializationFailure(failing.create(given, CONTEXT))).properties;
  },
  "an update that fails by half": async (lifecycle, given, outs) => {
    const update = () => Promise.reject(new InitializationFailure("id", outs, ["why"]));
    const failing = markingSecrets({ ...lifecycle, update });
    return (await initializationFailure(failing.update("id", {}, given, CONTEXT))).properties;
  },
};

const CONTEXT = contextOf({ url: "https://control.example.com", apiKey: "key", workspaceId: "w" });

/** A lifecycle of a kind that answers all that it is given, and these outputs. */
function answering(own: Lifecycle, outs: Props): Lifecycle {
  return {
    ...own,
    check: async (_olds, inputs) => ({ inputs }),
    create: async () => ({ id: "id", outs }),
    preview: () => outs,
    read: async (id, inputs) => ({ id, props: outs, inputs }),
    update: async () => ({ outs }),
  };
}

const put = (props: Props, path: string, value: unknown): Props =>
  withValueAt(props, path.replace("*", "ANY").split("."), value);

describe("marking secrets", () => {
  for (const [kind, lifecycle] of Object.entries(LIFECYCLES))
    for (const [verb, call] of Object.entries(VERBS)) {
      it(`marks what is always secret, whoever has added it: ${kind}, ${verb}`, async () => {
        const { secretInputs, secretOutputs } = lifecycle;
        const filled = (paths: readonly string[]) =>
          paths.reduce<Props>((props, path) => put(props, path, "CANARY"), { plain: "shown" });
        const outs = filled([
          ...secretOutputs.filter((path) => path !== "secrets"),
          ...secretInputs,
        ]);
        const answer = await call(
          markingSecrets(answering(lifecycle, outs)),
          filled(secretInputs),
          outs,
        );
        expect(JSON.stringify(answer).includes("CANARY")).to.equal(
          secretInputs.length > 0 || "config" in outs,
        );
        expect(textsIn(answer).join()).to.contain("shown");
        expect(textsIn(answer).join()).not.to.contain("CANARY");
      });

      it(`marks what a program has made secret wherever it is answered: ${kind}, ${verb}`, async () => {
        for (const { path } of lifecycle.arguments) {
          const name = path.split(".").at(-1) ?? "";
          const given = { ...put({ plain: "shown" }, path, "CANARY"), __secrets: [name] };
          const repeated = { [name]: "CANARY", list: [{ [name]: "CANARY" }], other: "shown" };
          const outs = { ...given, revisions: [repeated], last: repeated };
          const answer = await call(markingSecrets(answering(lifecycle, outs)), given, outs);
          expect(JSON.stringify(answer), path).to.contain("CANARY");
          expect(textsIn(answer).join(), path).to.contain("shown");
          expect(textsIn(answer).join(), path).not.to.contain("CANARY");
          const known = await call(
            markingSecrets(answering(lifecycle, { revisions: [repeated] })),
            { other: "shown" },
            { revisions: [repeated] },
          );
          if (verb !== "check" && !lifecycle.secretOutputs.includes(name))
            expect(textsIn(known).join(), path).to.contain("CANARY");
        }
      });
    }

  it("marks what is made of a secret argument: the version of an image, the URL that is asked for", () => {
    const outs = { imageVersion: "CANARY", url: "CANARY", name: "shown" };
    const marked = (name: string): Props =>
      markingSecrets(answering(LIFECYCLES.Deployment, outs)).preview({ __secrets: [name] });
    const shown = (name: string) =>
      Object.keys(recordOf(marked(name))).filter((key) => typeof marked(name)[key] === "string");
    expect(shown("imageUri")).to.deep.equal(["url", "name"]);
    expect(shown("customUrl")).to.deep.equal(["imageVersion", "name"]);
    expect(shown("repoRef")).to.deep.equal(["imageVersion", "url", "name"]);
  });
});
