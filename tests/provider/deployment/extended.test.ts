import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { recordOf } from "../../../shared/records";
import { previewOf } from "../../support/deployment";
import { type Made, useDeployments } from "../../support/deployment-lifecycle";
import { IMAGE_INPUTS } from "../../support/inputs";

const NAMED = { ...IMAGE_INPUTS, name: "support", displayName: "Support" };

describe("what newer versions of the public service know", () => {
  let refusesPatch = false;
  let showsNothing = false;
  beforeEach(() => void (refusesPatch = showsNothing = false));
  const stack = useDeployments({
    dialect: "langsmith",
    config: { "agentserver:dialect": "langsmith" },
    meddle: ({ method }, response, pass) =>
      refusesPatch && method === "PATCH"
        ? response.writeHead(400).end('{"detail":"not now"}')
        : pass((body) => (showsNothing && method === "PATCH" ? {} : body)),
  });
  const { create, read, revisions } = stack;
  const update = async ({ id, outs }: Made, declared: Props) =>
    lifecycle.update(id, outs, await stack.checked(declared, outs), stack.context());
  const stored = async (id: string) =>
    recordOf((await stack.test.request("GET", `/v2/deployments/${id}`)).body);
  const patch = (id: string, body: object) =>
    stack.test.request("PATCH", `/v2/deployments/${id}`, body);

  it("is adopted, and read for an import, with the type that its Python CLI creates by default", async () => {
    const declared = stack.git("main", { name: "support" }, { deploymentType: "dev_free_zero" });
    const made = await create(declared);
    const { id } = await create({ ...declared, adoptExisting: true });
    expect(id).to.equal(made.id);
    const { inputs = {} } = await read({ id, outs: {} }, { ...stack.context(), canImport: true });
    await stack.checked(inputs);
    expect(inputs).to.have.nested.property("sourceConfig.deploymentType", "dev_free_zero");
  });

  describe("a display name", () => {
    it("is set after the create and changed in place, without a revision", async () => {
      const made = await create(NAMED);
      expect(made.outs).to.have.property("displayName", "Support");
      expect(await stored(made.id)).to.include({ name: "support", display_name: "Support" });
      const news = { ...NAMED, displayName: "Support desk" };
      expect(previewOf(made.outs, news)).to.contain(
        "settings only, without a new revision: displayName",
      );
      await update(made, news);
      expect(await stored(made.id)).to.have.property("display_name", "Support desk");
      expect(await revisions(made.id)).to.have.lengthOf(1);
    });

    it("is set also where the answer does not show it, as the contract leaves open", async () => {
      showsNothing = true;
      const made = await create(NAMED);
      expect(made.outs).to.include({ displayName: "Support", ready: true });
      expect(await stored(made.id)).to.have.property("display_name", "Support");
    });

    it("that was changed on the service is drift, and one that is not declared is left alone", async () => {
      const { id, outs } = await create(NAMED);
      await patch(id, { display_name: "By hand" });
      expect((await read({ id, outs })).inputs).to.have.property("displayName", "By hand");
      const kept = await read({ id, outs: { ...outs, displayName: null } });
      expect(kept.inputs).to.not.have.property("displayName");
      const { displayName: _, ...undeclared } = NAMED;
      const { failures } = await lifecycle.check(outs, undeclared, stack.context());
      expect(failures?.[0]?.property).to.equal("displayName");
      expect(failures?.[0]?.reason).to.contain("can't be removed").and.contain("set another name");
    });

    for (const ignored of [[], ["displayName"]])
      it(`that could not be set leaves a state without it, and the next update sets it, with ignored: ${ignored.join()}`, async () => {
        refusesPatch = true;
        const { message, ...made } = await stack.failed(create(NAMED));
        refusesPatch = false;
        expect(message).to.contain("was created without its display name: ").and.contain("not now");
        expect(made.outs).to.have.property("displayName", null);
        await update(made, { ...NAMED, __ignored: ignored });
        expect(await stored(made.id)).to.have.property("display_name", "Support");
        expect(await revisions(made.id)).to.have.lengthOf(1);
      });
  });

  describe("references to Kubernetes Secrets", () => {
    const KEY = { name: "MODEL_API_KEY", secretName: "agents", secretKey: "model" };
    const OTHER = { name: "A_TOKEN", secretName: "agents", secretKey: "token" };
    const UNREFERRING = { ...IMAGE_INPUTS, name: "support" };
    const referring = (...secretReferences: Props[]) => ({ ...UNREFERRING, secretReferences });
    const sentBy = ({ secretKey, secretName, name }: typeof KEY) => ({
      name,
      secret_name: secretName,
      secret_key: secretKey,
    });
    const expectStored = async (id: string, ...references: (typeof KEY)[]) =>
      expect((await stored(id))["secret_references"]).to.have.deep.members(references.map(sentBy));

    it("are created, and changed by one revision that names each", async () => {
      const made = await create(referring(KEY, OTHER));
      await expectStored(made.id, KEY, OTHER);
      expect(previewOf(made.outs, referring(OTHER, KEY))).to.equal(undefined);
      const changed = { ...KEY, secretKey: "newer" };
      expect(previewOf(made.outs, referring(changed))).to.equal(
        "an update creates a new revision: secret reference MODEL_API_KEY changed, secret reference A_TOKEN removed",
      );
      const { outs } = await update(made, referring(changed));
      await expectStored(made.id, changed);
      await update({ ...made, outs }, UNREFERRING);
      expect(await revisions(made.id)).to.have.lengthOf(2);
    });

    it("of which one was changed or all were removed on the service are drift, which an update corrects", async () => {
      const { id, outs } = await create(referring(KEY, OTHER));
      for (const theirs of [[{ ...KEY, secretKey: "by-hand" }], []]) {
        await patch(id, { secret_references: theirs.map(sentBy) });
        const { inputs, props = {} } = await read({ id, outs });
        expect(inputs).to.have.deep.property("secretReferences", theirs);
        const imported = await read({ id, outs: {} }, { ...stack.context(), canImport: true });
        if (theirs.length === 0) expect(imported.inputs).not.to.have.property("secretReferences");
        else expect(imported.inputs).to.have.deep.property("secretReferences", theirs);
        await update({ id, outs: props }, referring(KEY, OTHER));
        await expectStored(id, KEY, OTHER);
      }
    });

    it("that an update introduced are taken back where it fails, alone and beside other changes", async () => {
      for (const [index, imageUri] of ["registry.example.com/support:1", "other:2"].entries()) {
        const rollingBack = { ...UNREFERRING, name: `support-${index}`, onFailure: "rollback" };
        const made = await create(rollingBack);
        stack.fails("DEPLOY_FAILED", "it died");
        const declared = { ...rollingBack, secretReferences: [KEY] };
        const news = { ...declared, sourceRevisionConfig: { imageUri } };
        const { message } = await stack.failed(update(made, news));
        expect(message).to.contain("rolled back: revision");
        await expectStored(made.id);
      }
    });

    it("move from a secret with its value in one revision", async () => {
      const made = await create({ ...UNREFERRING, secrets: { MODEL_API_KEY: "v", B: "b" } });
      await update(made, { ...referring(KEY), secrets: { B: "b" } });
      expect(await stored(made.id)).to.deep.include({ secrets: [{ name: "B", value: "b" }] });
      await expectStored(made.id, KEY);
      expect(await revisions(made.id)).to.have.lengthOf(2);
    });
  });
});
