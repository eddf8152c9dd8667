import { expect } from "chai";
import { redactSecrets } from "../../../provider/deployment/service/redaction";
import { DIALECTS, type Deployment } from "../../../sdk";
import { isRecord, recordOf } from "../../../shared/records";
import { aDeployment, variablesOf } from "../../support/builders";
import { aTarget, observedInputs } from "../../support/deployment";
import { movedTo, useDeployments } from "../../support/deployment-lifecycle";
import { GIT_INPUTS } from "../../support/inputs";
import { anOperation } from "../../support/operation";
import { reasonOf } from "../../support/rejection";

type Variables = NonNullable<Deployment["secrets"]>;

/** What services answer in the place of a variable. */
const FORMS: Readonly<Record<string, (name: string) => Variables[number]>> = {
  asterisks: (name) => ({ name, value: "****" }),
  bullets: (name) => ({ name, value: "••••••••" }),
  "a word for it": (name) => ({ name, value: "[REDACTED]" }),
  "empty strings": (name) => ({ name, value: "" }),
  "items without a value": (name) => ({ name }),
  "items with null": (name) => ({ name, value: null }),
};

describe("variables whose values a control plane does not show", () => {
  const inputs = { ...GIT_INPUTS, env: { A: "1" }, secrets: { KEY: "recorded" } };
  const observed = (secrets: Variables) => {
    const { env, secrets: others } = observedInputs(inputs, aDeployment({ secrets }));
    return { env, secrets: others };
  };

  for (const [form, masked] of Object.entries(FORMS))
    it(`are compared by their names, and keep the recorded values: ${form}`, () => {
      const { env, secrets } = inputs;
      expect(observed(["A", "KEY"].map(masked))).to.deep.equal({ env, secrets });
      expect(observed([masked("A")]), "gone").to.deep.equal({ env, secrets: {} });
      const expected = { env, secrets: { ...secrets, NEW: "" } };
      expect(observed(["A", "KEY", "NEW"].map(masked)), "added").to.deep.equal(expected);
    });

  it("are those alone: others are read, also empty ones and a single asterisk", () => {
    const others = variablesOf({ A: "", NEW: "*" });
    const expected = { env: { A: "" }, secrets: { NEW: "*", KEY: "recorded" } };
    expect(observed([...others, { name: "KEY", value: "****" }])).to.deep.equal(expected);
  });

  it("make no mask a secret that texts are searched for", () => {
    const { settings } = anOperation("http://localhost");
    const there = aDeployment({ secrets: [{ name: "KEY", value: "****" }] });
    expect(redactSecrets("**** KEY", settings, aTarget(GIT_INPUTS), there)).to.equal("**** KEY");
  });
});

for (const dialect of DIALECTS)
  describe(`a control plane that masks variables, in the dialect ${dialect}`, () => {
    let mask: ((variable: Variables[number], at: number) => Variables) | undefined;
    /** The method of a request that is not answered. */
    let lost: string | undefined;
    beforeEach(() => (mask = lost = undefined));
    const masked = (body: unknown): unknown => {
      if (mask === undefined || !isRecord(body)) return body;
      const { secrets, resources } = body;
      return {
        ...body,
        ...(Array.isArray(secrets) && { secrets: secrets.flatMap(mask) }),
        ...(Array.isArray(resources) && { resources: resources.map(masked) }),
      };
    };
    const stack = useDeployments({
      dialect,
      config: { "agentserver:dialect": dialect },
      meddle: async ({ method, url, body }, response, pass) => {
        if (method !== lost) return pass(masked);
        lost = undefined;
        await stack.test.request(method, url, JSON.parse(body));
        return response.destroy();
      },
    });
    const { git, create, update } = stack;
    const variables = { env: { A: "1" }, secrets: { KEY: "ours" } };
    const expectThere = async (id: string, KEY: string) =>
      expect((await stack.get(id)).secrets).to.deep.equal(variablesOf({ A: "2", KEY }));

    it(`and answers an empty list of them has ${dialect === "langsmith" ? "hidden" : "lost"} them`, async () => {
      const made = await create(git("main", { secrets: { KEY: "ours" } }));
      mask = () => [];
      const { props } = await stack.read(made);
      const left = dialect === "langsmith" ? { KEY: "ours" } : {};
      expect(recordOf(props?.["secrets"])).to.deep.equal(left);
    });

    if (dialect === "langsmith")
      it("and answers an empty list of them is found to have carried out what it did not answer", async () => {
        mask = () => [];
        lost = "POST";
        const made = await create(git("main", { secrets: { KEY: "ours" } }));
        lost = "PATCH";
        const news = git("main", { secrets: { KEY: "rotated" } });
        expect((await update(made, news)).outs).to.include({ ready: true });
        expect(await stack.test.deployments()).to.have.length(1);
        expect(await stack.revisions(made.id)).to.have.length(2);
      });

    if (dialect === "langsmith") return;

    for (const [form, of] of Object.entries(FORMS))
      it(`stores and sends none of ${form}`, async () => {
        mask = ({ name }) => [of(name)];
        const made = await create(git("main", variables));
        const { props: outs = {}, inputs } = await stack.read(made);
        expect(inputs).to.deep.include({ env: { A: "1" } });
        expect(recordOf(outs["secrets"]), "a refresh keeps it").to.deep.equal({ KEY: "ours" });
        const read = { ...made, outs };
        await update(read, git("main", { ...variables, wait: { timeoutSeconds: 99 } }));
        expect(stack.patches(), "no needless change").to.equal(0);
        await update(read, git("main", { ...variables, env: { A: "2" } }));
        await expectThere(made.id, "ours");
        expect(await stack.revisions(made.id)).to.have.length(2);
      });

    it("has no mask imported, nor some of the variables without the others", async () => {
      const secrets = ["A", "B"].map((name) => ({ name, value: "1" }));
      const { id } = await stack.test.create({ secrets });
      mask = ({ name, value }, at) => [at === 0 ? { name, value } : { name, value: "***" }];
      const importing = { ...stack.context(), canImport: true };
      const { inputs } = await stack.read({ id, outs: {} }, importing);
      expect(inputs).to.have.property("source");
      expect(inputs).not.to.have.property("secrets");
    });

    it("is sent again what may never have arrived, though another client's revision has come since", async () => {
      mask = ({ name }) => [{ name, value: "****" }];
      const { id, outs } = await create(git("main", variables));
      const news = { ...variables, secrets: { KEY: "rotated" } };
      const rollout = { revisionId: outs["latestRevisionId"], state: "failed" };
      await stack.changeElsewhere(id, movedTo("main"));
      await update({ id, outs: { ...outs, ...news, rollout, ready: false } }, git("main", news));
      expect((await stack.get(id)).secrets?.at(-1)).to.include({ value: "rotated" });
    });

    it("and of which a program ignores one is not updated where all variables are sent, and is sent nothing", async () => {
      const ignoring = { __ignored: ["secrets.KEY"], ...variables };
      const made = await create(git("main", ignoring));
      mask = ({ name }) => [{ name, value: "****" }];
      const news = git("main", { ...ignoring, env: { A: "2" } });
      expect(await reasonOf(update(made, news))).to.match(
        /this change sends variable KEY too, .* remove it from ignoreChanges/,
      );
      expect(stack.patches()).to.equal(0);
      mask = undefined;
      const rotated = variablesOf({ A: "1", KEY: "rotated" });
      await stack.test.request("PATCH", `/v2/deployments/${made.id}`, { secrets: rotated });
      await update(made, news);
      await expectThere(made.id, "rotated");
    });
  });
