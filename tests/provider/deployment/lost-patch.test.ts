import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { showAnnouncement } from "../../../provider/resource/announcement";
import { type Made, movedTo, useDeployments } from "../../support/deployment-lifecycle";
import { json } from "../../support/http";
import { rejection } from "../../support/rejection";

describe("an update whose PATCH has no answer", () => {
  let how = { arrives: true, pushed: false, answered: false, refusesLook: false };
  let patched = false;
  let made: Made;
  const stack = useDeployments({
    meddle: async (request, response, pass) => {
      if (request.method === "GET" && patched && how.refusesLook)
        return json(response, 401, { detail: "the key was taken back" });
      if (request.method !== "PATCH") return pass();
      patched = true;
      const path = `/v2/deployments/${made.id}`;
      if (how.arrives) await stack.test.request("PATCH", path, JSON.parse(request.body));
      if (how.pushed) await stack.test.request("PATCH", path, movedTo("main"));
      return how.answered ? json(response, 200, {}) : response.destroy();
    },
  });
  beforeEach(async () => {
    how = { arrives: true, pushed: false, answered: false, refusesLook: false };
    patched = false;
    made = await stack.create(stack.git("main", { redeployOn: 1, env: { A: "1" } }));
  });

  const update = async (more: object, olds = made) =>
    stack.update(olds, stack.git("main", { redeployOn: 1, env: { A: "1" }, ...more }));
  const REDEPLOY = { redeployOn: 2 };
  /** What the state has after an update of which nothing could be looked at then. */
  const unconfirmed = async (changes: Partial<typeof how>) => {
    how = { ...how, refusesLook: true, ...changes };
    const { message, ...kept } = await stack.failed(update(REDEPLOY));
    how = { ...how, refusesLook: false, arrives: true };
    return { message, kept };
  };
  const expectMadeUpFor = async (kept: Made) => {
    expect((await update(REDEPLOY, kept)).outs).to.have.property("ready", true);
    expect(await stack.revisions(made.id)).to.have.length(2);
  };

  it("is not done by no revision, nor by one of another client's push", async () => {
    how = { ...how, arrives: false };
    expect(await rejection(update(REDEPLOY)), "of none").not.to.have.property("properties");
    how = { ...how, pushed: true };
    const error = await rejection(update({ env: { A: "2" } }));
    expect(error.message).to.contain("no connection");
    expect(error).not.to.have.property("properties");
    expect((await stack.get(made.id)).secrets).to.deep.equal([{ name: "A", value: "1" }]);
  });

  it("is done by the revision that it made, whatever it is of", async () => {
    // Another client sets it, and nobody declares it.
    await stack.test.request("PATCH", `/v2/deployments/${made.id}`, {
      source_config: { build_on_push: true },
    });
    const news = stack.git("main", { redeployOn: 1 }, { installCommand: "npm ci" });
    const updated = await stack.update(made, news);
    const again = await stack.update(updated, { ...news, ...REDEPLOY });
    for (const { outs } of [updated, again]) expect(outs).to.include({ ready: true });
    expect(await stack.revisions(made.id)).to.have.length(3);
  });

  for (const [what, answered] of Object.entries({ lost: false, "of no use": true }))
    it(`keeps what it asked for when the answer is ${what} and nothing can be looked at`, async () => {
      const { message, kept } = await unconfirmed({ answered });
      expect(message).to.match(
        /^deployment '\S+': requested a new revision but could not confirm that it was created: get deployment '\S+': 401 the key was taken back; check agentserver:apiKey .*\n {6}run `pulumi up` again; it follows that revision, or creates it if it was not created$/,
      );
      await expectMadeUpFor(kept);
    });

  it("is made up for by the next one when it never arrived", async () => {
    const { kept } = await unconfirmed({ arrives: false });
    const preview = stack.context();
    const news = await stack.checked(stack.git("main", { env: { A: "1" }, ...REDEPLOY }));
    await lifecycle.check(made.outs, news, preview);
    stack.diff(kept, news, preview);
    showAnnouncement(preview);
    expect(stack.said.at(-1)).to.contain(
      "follows the revision that was requested last, or creates",
    );
    await expectMadeUpFor(kept);
  });

  it("is a change where a program that goes back has the inputs that the engine has after a refresh", async () => {
    const { kept } = await unconfirmed({});
    const news = await stack.checked(stack.git("main", { env: { A: "1" } }));
    const preview = stack.context();
    await lifecycle.check(news, news, preview);
    expect(stack.diff(kept, news, preview).changes).to.equal(true);
  });

  it("is still to be made up for after a refresh, which sees only the revision before", async () => {
    const { kept } = await unconfirmed({ arrives: false });
    const { props: outs = {} } = await stack.read(kept);
    expect(outs).to.deep.include({ rollout: kept.outs["rollout"], ready: false });
    const news = await stack.checked(stack.git("main", { env: { A: "1" }, ...REDEPLOY }));
    expect(stack.diff({ ...kept, outs }, news).changes).to.equal(true);
    await expectMadeUpFor({ ...kept, outs });
  });
});

describe("an update whose PATCH a gateway answers with a page, as one to sign in", () => {
  let arrives: boolean | undefined;
  const stack = useDeployments({
    meddle: async ({ method, url, body }, response, pass) => {
      if (method !== "PATCH" || arrives === undefined) return pass();
      if (arrives) await stack.test.request("PATCH", url, JSON.parse(body));
      return response.writeHead(200).end("<!doctype html><title>Sign in</title>");
    },
  });

  it("is done where its revision is there, and else is not, and is made up for by the next one", async () => {
    arrives = undefined;
    const made = await stack.create(stack.git("main"));
    arrives = false;
    const setting = stack.update(made, stack.git("main", {}, { buildOnPush: true }));
    const { message, outs } = await stack.failed(setting);
    expect(message).to.contain("an HTML page, 'Sign in'");
    const error = await rejection(stack.update(made, stack.git("further")));
    expect(error.message).to.contain("an HTML page, 'Sign in'");
    expect(error).not.to.have.property("properties");
    arrives = true;
    const updated = await stack.update({ ...made, outs }, stack.git("further"));
    arrives = undefined;
    await stack.update(updated, stack.git("further", {}, { buildOnPush: true }));
    expect(await stack.get(made.id)).to.have.nested.property("source_config.build_on_push", true);
    expect(await stack.revisions(made.id)).to.have.length(2);
  });
});

describe("an update that the control plane accepts", () => {
  let shown = Infinity;
  let held: (() => Promise<unknown>) | undefined;
  const stack = useDeployments({
    // A replica that answers a PATCH, and shows its revision after so many looks at the list.
    meddle: async ({ method, url, body }, response, pass) => {
      if (method === "PATCH") {
        held = () => stack.test.request("PATCH", url, JSON.parse(body));
        return json(response, 200, (await stack.test.request("GET", url)).body);
      }
      if (held && url.includes("/revisions?") && --shown < 0)
        await held().then(() => (held = undefined));
      return pass();
    },
  });
  const update = async (looks: number) => {
    const made = await stack.create(stack.git("main"));
    shown = looks;
    return { made, updating: stack.update(made, stack.git("further")) };
  };

  it("waits for the revision that a replica shows late", async () => {
    const { made, updating } = await update(2);
    const { latest_revision_id: latestRevisionId } = await updating.then(() => stack.get(made.id));
    expect(latestRevisionId).not.to.equal(made.outs["latestRevisionId"]);
    expect((await updating).outs).to.include({ latestRevisionId, ready: true });
  });

  it("waits for it also where it adopts a deployment of many revisions", async () => {
    const made = await stack.create(stack.git("main"));
    for (const ref of ["second", "third"]) await stack.changeElsewhere(made.id, movedTo(ref));
    shown = 1;
    const adopting = { name: made.outs["name"], adoptExisting: true };
    const { outs } = await stack.create(stack.git("further", adopting));
    const [newest] = await stack.revisions(made.id);
    expect(outs).to.deep.include({ rollout: { revisionId: newest?.id, state: "done" } });
  });

  it("is not done by the revision before, where it shows no other, and is made up for by the next one", async () => {
    const { message, ...kept } = await stack.failed((await update(Infinity)).updating);
    expect(message).to.contain("the control plane accepted the change, and shows no new revision");
    shown = 0;
    expect((await stack.update(kept, stack.git("further"))).outs).to.include({ ready: true });
    expect((await stack.get(kept.id)).source_revision_config.repo_ref).to.equal("further");
  });
});
