import { expect } from "chai";
import type { Props } from "../../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { InitializationFailure } from "../../../provider/resource/initialization-failure";
import { recordOf } from "../../../shared/records";
import { previewOf } from "../../support/deployment";
import { IMAGE_INPUTS } from "../../support/inputs";
import { contextOf } from "../../support/lifecycle";
import { startTestPlatform, type TestPlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { gitArgs } from "../../support/program";
import { startRelay } from "../../support/relay";

const CONFIG = { "agentserver:dialect": "langsmith" };
const NAMED = { ...IMAGE_INPUTS, name: "support", displayName: "Support" };

describe("what newer versions of the public service know", () => {
  let test: TestPlatform;
  beforeEach(async () => (test = await startTestPlatform({ dialect: "langsmith" })));
  afterEach(() => test.close());

  const contextAt = (url: string) => contextOf({ ...test.platform, url }, [], CONFIG);
  const checked = async (olds: Props, declared: Props, url: string): Promise<Props> => {
    const { inputs = {}, failures } = await lifecycle.check(olds, declared, contextAt(url));
    expect(failures ?? []).to.be.empty;
    return inputs;
  };
  const create = async (declared: Props, { url }: { readonly url: string } = test.platform) =>
    lifecycle.create(await checked({}, declared, url), contextAt(url));
  const update = async (id: string, olds: Props, declared: Props) => {
    const { url } = test.platform;
    return lifecycle.update(id, olds, await checked(olds, declared, url), contextAt(url));
  };
  const stored = async (id: string) =>
    recordOf((await test.request("GET", `/v2/deployments/${id}`)).body);

  it("is adopted, and read for an import, with the type that its Python CLI creates by default", async () => {
    const { sourceConfig, ...others } = gitArgs(test);
    const config = { ...sourceConfig, deploymentType: "dev_free_zero" };
    const declared = { ...others, name: "support", sourceConfig: config };
    const made = await create(declared);
    const { id } = await create({ ...declared, adoptExisting: true });
    expect(id).to.equal(made.id);
    const context = { ...contextAt(test.platform.url), canImport: true };
    const { inputs } = await lifecycle.read(id, {}, context);
    await checked({}, inputs ?? {}, test.platform.url);
    expect(inputs).to.have.nested.property("sourceConfig.deploymentType", "dev_free_zero");
  });

  describe("a display name", () => {
    it("is set after the create and changed in place, without a revision", async () => {
      const { id, outs } = await create(NAMED);
      expect(outs).to.have.property("displayName", "Support");
      expect(await stored(id)).to.include({ name: "support", display_name: "Support" });
      const news = { ...NAMED, displayName: "Support desk" };
      expect(previewOf(outs, news)).to.contain(
        "settings only, without a new revision: displayName",
      );
      await update(id, outs, news);
      expect(await stored(id)).to.have.property("display_name", "Support desk");
      expect(await test.revisions(id)).to.have.lengthOf(1);
    });

    it("that was changed on the service is drift, and one that is not declared is left alone", async () => {
      const { id, outs } = await create(NAMED);
      await test.request("PATCH", `/v2/deployments/${id}`, { display_name: "By hand" });
      const read = await lifecycle.read(id, outs, contextAt(test.platform.url));
      expect(read.inputs).to.have.property("displayName", "By hand");
      const { displayName: _, ...undeclared } = NAMED;
      const kept = await lifecycle.read(
        id,
        { ...outs, displayName: null },
        contextAt(test.platform.url),
      );
      expect(kept.inputs).to.not.have.property("displayName");
      const { failures } = await lifecycle.check(outs, undeclared, contextAt(test.platform.url));
      expect(failures?.[0]?.property).to.equal("displayName");
      expect(failures?.[0]?.reason).to.contain("can't be removed").and.contain("set another name");
    });

    it("that could not be set leaves a state without it, and the next update sets it", async () => {
      const relay = await startRelay(test.platform.url, ({ method }, response, pass) =>
        method === "PATCH" ? response.writeHead(400).end('{"detail":"not now"}') : pass(),
      );
      try {
        const failure = await rejection(create(NAMED, relay));
        expect(failure).to.be.instanceOf(InitializationFailure);
        if (!(failure instanceof InitializationFailure)) return;
        const { id, properties: outs, reasons } = failure;
        expect(reasons.join())
          .to.contain("was created without its display name: ")
          .and.contain("not now");
        expect(outs).to.have.property("displayName", null);
        await update(id, { ...outs, baseUrl: test.platform.url }, NAMED);
        expect(await stored(id)).to.have.property("display_name", "Support");
        expect(await test.revisions(id)).to.have.lengthOf(1);
      } finally {
        await relay.close();
      }
    });
  });

  describe("references to Kubernetes Secrets", () => {
    const KEY = { name: "MODEL_API_KEY", secretName: "agents", secretKey: "model" };
    const OTHER = { name: "A_TOKEN", secretName: "agents", secretKey: "token" };
    const REFERRING = { ...IMAGE_INPUTS, name: "support", secretReferences: [KEY, OTHER] };
    const sentBy = ({ secretKey, secretName, name }: typeof KEY) => ({
      name,
      secret_name: secretName,
      secret_key: secretKey,
    });

    it("are created, and changed by one revision that names each", async () => {
      const { id, outs } = await create(REFERRING);
      const both = [OTHER, KEY].map(sentBy);
      expect(await stored(id)).to.have.deep.property("secret_references", both);
      const reordered = { ...REFERRING, secretReferences: [OTHER, KEY] };
      expect(previewOf(outs, reordered)).to.equal(undefined);
      const news = { ...REFERRING, secretReferences: [{ ...KEY, secretKey: "newer" }] };
      expect(previewOf(outs, news)).to.equal(
        "an update creates a new revision: secret reference MODEL_API_KEY changed, secret reference A_TOKEN removed",
      );
      const changed = await update(id, outs, news);
      expect(await stored(id)).to.have.deep.property(
        "secret_references",
        news.secretReferences.map(sentBy),
      );
      const { secretReferences: _, ...undeclared } = REFERRING;
      await update(id, recordOf(changed.outs), undeclared);
      expect(await test.revisions(id)).to.have.lengthOf(2);
    });

    it("of which one was changed or all were removed on the service are drift, which an update corrects", async () => {
      const { id, outs } = await create(REFERRING);
      const { url } = test.platform;
      for (const secret_references of [[sentBy({ ...KEY, secretKey: "by-hand" })], []]) {
        await test.request("PATCH", `/v2/deployments/${id}`, { secret_references });
        const read = await lifecycle.read(id, outs, contextAt(url));
        const seen = secret_references.length > 0 ? [{ ...KEY, secretKey: "by-hand" }] : [];
        expect(read.inputs).to.have.deep.property("secretReferences", seen);
        await update(id, recordOf(read.props), REFERRING);
        expect(await stored(id))
          .to.have.property("secret_references")
          .that.has.deep.members(REFERRING.secretReferences.map(sentBy));
      }
    });

    it("move from a secret with its value in one revision", async () => {
      const before = { ...IMAGE_INPUTS, name: "support", secrets: { MODEL_API_KEY: "v", B: "b" } };
      const { id, outs } = await create(before);
      await update(id, outs, { ...before, secrets: { B: "b" }, secretReferences: [KEY] });
      expect(await stored(id)).to.deep.include({
        secrets: [{ name: "B", value: "b" }],
        secret_references: [sentBy(KEY)],
      });
      expect(await test.revisions(id)).to.have.lengthOf(2);
    });
  });
});
