import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import { ADOPT } from "../../../provider/deployment/adoption";
import { listenerLifecycle } from "../../../provider/listener/operations";
import { optionInputs } from "../../../provider/arguments/option-inputs";
import { announceForcedReplacement } from "../../../provider/resource/announcement";
import type { Context } from "../../../provider/resource/context";
import { newProcessCache } from "../../../provider/resource/process-cache";
import type { StackState } from "../../../provider/resource/stack-state";
import { type Props, UNKNOWN } from "../../../provider/arguments/props";
import { useDeployments } from "../../support/deployment-lifecycle";
import { IMAGE_INPUTS, URN } from "../../support/inputs";

const OTHER = `${URN}-other`;
const NOWHERE = "99999999-9999-4999-8999-999999999999";

describe("a replacement that the service would refuse after the delete", () => {
  const stack = useDeployments();
  /** A provider process of its own, in a stack of this state. */
  const process = (state: Partial<StackState> = {}): Context => ({
    ...stack.context(),
    processCache: newProcessCache(),
    readState: async () => ({ resources: [], creating: [], ...state }),
  });
  const failuresOf = async (olds: Props, news: Props, context = process()) =>
    ((await lifecycle.check(olds, news, context)).failures ?? []).map(
      ({ property, reason }) => `${property} ${reason}`,
    );
  const named = (name: string): Props => stack.git("main", { name });
  describe("since its name is taken", () => {
    it("is refused where two resources of one run set the name, whichever is new, and none is checked twice", async () => {
      for (const olds of [{}, named("first")]) {
        const context = process();
        for (const before of [olds, {}])
          expect(await failuresOf(before, named("wanted"), context)).to.be.empty;
        expect(
          await failuresOf(named("second"), named("wanted"), { ...context, urn: OTHER }),
        ).to.deep.equal([`name 'wanted' is set for ${URN} too`]);
      }
    });

    it("is none where names are derived, since they move on, or not known yet", async () => {
      const inputs = await stack.checked(stack.git());
      for (const [olds, news] of [
        [inputs, stack.git()],
        [{}, stack.git()],
        [{}, stack.git("main", { name: UNKNOWN })],
      ] as const) {
        const context = process();
        for (const urn of [URN, OTHER])
          expect(await failuresOf(olds, news, { ...context, urn })).to.be.empty;
      }
    });

    it("is refused where another deployment has it, and names the resource of the stack that has it, and what frees it", async () => {
      const { id } = await stack.test.create({ name: "taken" });
      const change = [named("mine"), named("taken")] as const;
      expect(await failuresOf(...change)).to.deep.equal([
        `name 'taken': deployment ${id} has this name already; ${ADOPT}; else choose another name; nothing was deleted`,
      ]);
      const holding = process({ resources: [{ urn: OTHER, id }] });
      expect((await failuresOf(...change, holding)).join()).to.contain(
        `run \`pulumi destroy --target '${OTHER}'\`, then \`pulumi up\`; nothing was deleted`,
      );
      expect(Object.keys(stack.admin.requests()).join()).not.to.contain("DELETE");
    });

    it("is refused where another stack has the derived name that follows the change, unless it is adopted or this stack has it", async () => {
      const olds = await stack.checked(stack.git());
      const repoUrl = "https://git.example.com/acme/moved.git";
      const news = stack.git("main", {}, { repoUrl });
      const { name } = await stack.checked(news);
      const { id } = await stack.test.create({ name });
      expect((await failuresOf(olds, news)).join()).to.match(
        new RegExp(`^name '${String(name)}': deployment ${id} .*adoptExisting: true.*nothing was`),
      );
      const held = process({ resources: [{ urn: OTHER, id }] });
      expect(await failuresOf(olds, news, held)).to.be.empty;
      const adopting = stack.git("main", { adoptExisting: true }, { repoUrl });
      expect((await failuresOf(olds, adopting)).join()).not.to.contain("adoptExisting");
    });

    it("goes on where the create would not be refused: with adoption, its own, after a kill or the loss of the provider, and of one that is replaced too", async () => {
      const { id } = await stack.test.create({ name: "there" });
      const [olds, news] = [named("mine"), named("there")];
      const holding = (urn: string) => process({ resources: [{ urn, id }] });
      const context = holding(OTHER);
      const other = { ...context, urn: OTHER };
      await failuresOf(news, named("elsewhere"), other);
      lifecycle.diff(id, news, named("elsewhere"), other);
      for (const [declared, where] of [
        [{ ...news, adoptExisting: true }, process()],
        [news, holding(URN)],
        [news, process({ creating: [{ urn: URN }] })],
        [news, process({ resources: [{ urn: URN, id: NOWHERE, pendingReplacement: true }] })],
        [news, context],
      ] as const)
        expect(await failuresOf(olds, declared, where)).to.be.empty;
      const leaving = { ...(await stack.test.get(id)), status: "AWAITING_DELETE" };
      const match = { method: "GET", path: "/v2/deployments" };
      stack.test.answers(match, 200, { resources: [leaving], offset: 1 });
      expect(await failuresOf(olds, news)).to.be.empty;
    });

    it("is refused where the deployment that has it cannot be adopted, though the program asks for it", async () => {
      const { id } = await stack.test.create({ name: "another-source" });
      const news = { ...IMAGE_INPUTS, name: "another-source", adoptExisting: true };
      const [reason] = await failuresOf({ ...IMAGE_INPUTS, name: "mine" }, news);
      expect(reason)
        .to.match(new RegExp(`^name 'another-source': deployment ${id} has this name`))
        .and.contain("differ and can't be changed")
        .and.contain("nothing was deleted");
    });

    it("is refused where the old one is deleted last and has it until then, which the preview of a forced one says", async () => {
      const { id } = await stack.test.create({ name: "stays" });
      const holding = () => process({ resources: [{ urn: URN, id }] });
      const args = { name: "stays", ...optionInputs({ deleteBeforeReplace: false }) };
      const olds = stack.git("main", args);
      const words = `'stays': deployment ${id} has this name already; to replace it, remove the option deleteBeforeReplace: false`;
      const next = stack.git("next", args);
      const byOption = optionInputs({ replaceOnChanges: ["sourceRevisionConfig.repoRef"] });
      const moved = stack.git("main", args, { repoUrl: "https://git.example.com/acme/b.git" });
      expect(await failuresOf(olds, next, holding())).to.be.empty;
      for (const news of [moved, { ...next, ...byOption }])
        expect(await failuresOf(olds, news, holding())).to.deep.equal([
          `name ${words}; nothing was deleted`,
        ]);
      const forced = holding();
      for (const before of [olds, {}]) expect(await failuresOf(before, olds, forced)).to.be.empty;
      await announceForcedReplacement(forced);
      const { announcements } = forced.processCache;
      expect(announcements.get(URN)).to.contain(`the update refuses it: ${words}`);
    });

    it("asks nothing for a create, nor where the name stays", async () => {
      await stack.test.create({ name: "stays" });
      const repoUrl = "https://git.example.com/acme/b.git";
      const moved = stack.git("main", { name: "stays" }, { repoUrl });
      expect(await failuresOf({}, named("stays"))).to.be.empty;
      expect(await failuresOf(named("stays"), moved)).to.be.empty;
    });
  });

  describe("since there is no such place for it", () => {
    const placed = (k8sNamespace: unknown, listenerId: unknown = stack.test.listenerId): Props => ({
      ...IMAGE_INPUTS,
      name: "placed",
      sourceConfig: { listenerId, listenerConfig: { k8sNamespace } },
    });
    const refusal = (namespaces: string) =>
      `sourceConfig.listenerConfig.k8sNamespace listener ${stack.test.listenerId} has no namespace 'supportx', only ${namespaces}; nothing was deleted`;

    it("is refused where the listener lacks the namespace", async () => {
      const failures = await failuresOf(placed("default"), placed("supportx"));
      expect(failures).to.deep.equal([refusal("default, agents")]);
      expect(await failuresOf(placed("default"), placed("agents"))).to.be.empty;
    });

    it("is refused where there is no such listener, in the service's words, nor such an integration", async () => {
      expect((await failuresOf(placed("default"), placed("default", NOWHERE))).join()).to.match(
        /^sourceConfig.listenerId get listener '[948-]+': 404 .*; nothing was deleted$/,
      );
      const integrated = (integrationId: string) =>
        stack.git("main", { name: "integrated" }, { integrationId });
      const there = stack.test.integrationId.toUpperCase();
      expect(await failuresOf(integrated(NOWHERE), integrated(there))).to.be.empty;
      const list = { method: "GET", path: "/v1/integrations/git_host/install" };
      stack.test.answers(list, 200, [{ id: there, installation_id: 1, name: "acme" }]);
      expect(await failuresOf(integrated(NOWHERE), integrated(there.toLowerCase()))).to.be.empty;
      expect(await failuresOf(integrated(there), integrated(NOWHERE))).to.deep.equal([
        "sourceConfig.integrationId is not in this workspace; nothing was deleted",
      ]);
    });

    it("takes the namespaces that the program's own listener declares", async () => {
      const olds = { computeType: "k8s", computeId: "c", computeConfig: { k8sNamespaces: ["a"] } };
      for (const [k8sNamespaces, failures] of [
        [["a", "supportx"], []],
        [["a", "b"], [refusal("a, b")]],
      ] as const) {
        const context = process();
        const listener = { ...context, urn: "listener" };
        const news = { ...olds, computeConfig: { k8sNamespaces } };
        await listenerLifecycle.check(olds, news, listener);
        listenerLifecycle.diff(stack.test.listenerId, olds, news, listener);
        expect(await failuresOf(placed("a"), placed("supportx"), context)).to.deep.equal(failures);
      }
    });

    it("goes on where that is not known: a value of the update, another source, a control plane that does not respond", async () => {
      expect(await failuresOf(placed("a"), placed("b", UNKNOWN))).to.be.empty;
      expect(await failuresOf(named("placed"), placed(undefined))).to.be.empty;
      stack.test.answers({ method: "GET" }, 403, undefined, 9);
      expect(await failuresOf(named("mine"), named("other"))).to.be.empty;
      expect(await failuresOf(placed("default"), placed("supportx"))).to.be.empty;
    });
  });
});
