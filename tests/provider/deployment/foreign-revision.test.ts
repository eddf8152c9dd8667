import { expect } from "chai";
import { recordOf } from "../../../shared/records";
import type { Props } from "../../../provider/arguments/props";
import { type Made, useDeployments } from "../../support/deployment-lifecycle";
import { rejection } from "../../support/rejection";

describe("a revision that another client creates while an operation waits for its own", () => {
  const FOREIGN = "registry.example.com/foreign:1";
  let isMeddling = false;
  let hasWritten = false;
  /** Whether the response to a PATCH shows no deployment. */
  let isSilent = false;
  beforeEach(() => void (isMeddling = hasWritten = isSilent = false));
  const stack = useDeployments({
    meddle: async ({ method, url }, _response, pass) => {
      const [, id] = /deployments\/([^/?]+)/.exec(url) ?? [];
      if (method !== "GET") hasWritten = isMeddling;
      else if (hasWritten && id !== undefined) {
        isMeddling = hasWritten = false;
        const { source } = await stack.get(id);
        await changeCode(
          id,
          source === "git_host" ? { repo_ref: "other" } : { image_uri: FOREIGN },
        );
      }
      await pass(isSilent && method === "PATCH" ? () => ({}) : undefined);
    },
  });
  const { image, create, update, said } = stack;

  const changeCode = (id: string, source: object) =>
    stack.test.request("PATCH", `/v2/deployments/${id}`, { source_revision_config: source });
  const warnings = () => said.filter((line) => line.includes("was created elsewhere"));
  const diff = async (made: Made, news: Props) => {
    said.length = 0;
    stack.diff(made, await stack.checked(news, made.outs));
    return warnings();
  };
  /** The state keeps the revision that was asked for, and lists the other one. */
  const expectOwn = async ({ id, outs }: Made) => {
    const [foreign, own] = await stack.revisions(id);
    expect(warnings()).to.have.length(1);
    expect(warnings()[0]).to.contain(foreign?.id);
    expect(outs).to.include({ latestRevisionId: own?.id });
    expect(outs).to.have.nested.property("rollout.revisionId", own?.id);
    expect(outs).to.have.nested.property("revisions[0].id", foreign?.id);
  };

  it("is warned of by a create, by each later preview, and by the next update", async () => {
    isMeddling = true;
    const made = await create(image());
    await expectOwn(made);
    for (const buildOnPush of [undefined, false]) {
      const sourceConfig = { ...recordOf(made.outs["sourceConfig"]), buildOnPush };
      const shown = { ...made, outs: { ...made.outs, sourceConfig } };
      expect(await diff(shown, image())).to.have.length(1);
    }
    const { props: outs = {} } = await stack.read(made);
    expect(outs, "a refresh shows the drift").to.have.nested.property(
      "sourceRevisionConfig.imageUri",
      FOREIGN,
    );
    expect(await diff({ ...made, outs }, image())).to.be.empty;
    said.length = 0;
    await update(made, image("v1", { env: { A: "1" } }));
    const [warning, ...others] = warnings();
    expect(warning).to.contain("`pulumi refresh` shows what else differs");
    expect(others).to.be.empty;
    const { source_revision_config: source } = await stack.get(made.id);
    expect(source.image_uri, "what it has beside the program's change stays").to.equal(FOREIGN);
  });

  for (const [what, more, change, tag] of [
    ["active", {}, {}, "v2"],
    ["deployed", { wait: { until: "deployed" } }, {}, "v2"],
    ["accepted", { wait: { until: "none" } }, {}, "v2"],
    ["silent", {}, {}, "v2"],
    ["settings", {}, { sourceConfig: { customUrl: "https://agents.example.com" } }, "v1"],
  ] as const)
    it(`is warned of by an update of which the wait, the response or the change is another one: ${what}`, async () => {
      const made = await create(image("v1", more));
      isMeddling = true;
      isSilent = what === "silent";
      await expectOwn(await update(made, image(tag, { ...more, ...change })));
    });

  it("is warned of by the next update also where the own one is no longer among the newest", async () => {
    const { id, outs } = await create(image());
    const latestRevisionId = "55555555-5555-4555-8555-555555555555";
    await update({ id, outs: { ...outs, latestRevisionId } }, image("v1", { env: { A: "1" } }));
    expect(warnings()).to.have.length(1);
  });

  it("is none where the service says only in the list which one is the newest", async () => {
    const { id, outs } = await create(image());
    await update(
      { id, outs: { ...outs, latestRevisionId: null } },
      image("v1", { env: { A: "1" } }),
    );
    expect(warnings()).to.be.empty;
  });

  it("is warned of where the own one failed", async () => {
    const made = await create(image());
    isMeddling = true;
    stack.fails("DEPLOY_FAILED");
    await expectOwn(await stack.failed(update(made, image("v2"))));
  });

  it("is what an update that the service refuses beside it says to refresh first", async () => {
    const made = await create(stack.git("main"));
    await changeCode(made.id, { repo_ref: "refs/tags/v1" });
    const { message } = await rejection(update(made, stack.git("main", {}, { buildOnPush: true })));
    const advice =
      "another client has changed the deployment: run `pulumi refresh`, then `pulumi up`";
    expect(message).to.contain("400 source_config.build_on_push").and.contain(advice);
  });

  it("is nothing to warn of where the service builds on push, and the newest one is in the state", async () => {
    const pushed = (more: Props) => stack.git("main", more, { buildOnPush: true });
    const made = await create(pushed({}));
    isMeddling = true;
    const news = pushed({ env: { A: "1" } });
    const updated = await update(made, news);
    const [newest, ...others] = await stack.revisions(made.id);
    expect(others).to.have.length(2);
    expect(updated.outs).to.include({ latestRevisionId: newest?.id });
    expect(warnings()).to.be.empty;
    expect(await diff(updated, news)).to.be.empty;
  });
});
