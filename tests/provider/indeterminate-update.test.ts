import { expect } from "chai";
import type { Props } from "../../provider/arguments/props";
import { deploymentLifecycle } from "../../provider/deployment/lifecycle";
import { listenerLifecycle } from "../../provider/listener/operations";
import { oauthProviderLifecycle } from "../../provider/oauth-provider/operations";
import type { Context } from "../../provider/resource/context";
import type { Lifecycle } from "../../provider/resource/lifecycle";
import { newProcessCache } from "../../provider/resource/process-cache";
import { isRecord } from "../../shared/records";
import { OAUTH_INPUTS } from "../support/inputs";
import { contextOf } from "../support/lifecycle";
import { type TestPlatform, useFreshPlatform } from "../support/platform";
import { gitArgs } from "../support/program";
import { startRelay } from "../support/relay";
import { initializationFailure, rejection } from "../support/rejection";

/** A thing on a control plane, what is declared of it before and after, and the member that shows it. */
interface Case {
  readonly lifecycle: Lifecycle;
  readonly path: string;
  readonly before: (test: TestPlatform) => Props;
  readonly after: (test: TestPlatform) => Props;
  readonly shown: string;
}

function onPush(test: TestPlatform, buildOnPush: boolean): Props {
  const { sourceConfig, ...args } = gitArgs(test);
  return { ...args, name: "support", sourceConfig: { ...sourceConfig, buildOnPush } };
}

const LISTENER = { computeType: "k8s", computeId: "c" };
const CASES: Readonly<Record<string, Case>> = {
  deployment: {
    lifecycle: deploymentLifecycle,
    path: "/v2/deployments",
    before: (test) => onPush(test, false),
    after: (test) => onPush(test, true),
    shown: "source_config",
  },
  listener: {
    lifecycle: listenerLifecycle,
    path: "/v2/listeners",
    before: () => ({ ...LISTENER, computeConfig: { k8sNamespaces: ["a"] } }),
    after: () => ({ ...LISTENER, computeConfig: { k8sNamespaces: ["b"] } }),
    shown: "compute_config",
  },
  "OAuth provider": {
    lifecycle: oauthProviderLifecycle,
    path: "/v2/auth/providers",
    before: () => ({ ...OAUTH_INPUTS, clientSecret: "secret", name: "Calendar" }),
    after: () => ({ ...OAUTH_INPUTS, clientSecret: "secret", name: "Mail" }),
    shown: "name",
  },
};

describe("an update whose PATCH has no response, and that nothing confirms", () => {
  const test = useFreshPlatform();
  const context = () => contextOf(test.platform);

  /**
   * Through a gateway that is silent from the first PATCH on, of which the control plane has done all or nothing; or that answers
   * for it after that one.
   */
  const silently = async <Result>(
    arrives: boolean,
    work: (baseUrl: string, through: Context) => Promise<Result>,
    status?: number,
  ): Promise<Result> => {
    let isSilent = false;
    const relay = await startRelay(test.platform.url, async (request, response, pass) => {
      const { method, url, body } = request;
      if (isSilent && status) return response.writeHead(status).end("default backend");
      if (method === "PATCH" && arrives) await test.request(method, url, JSON.parse(body));
      if (method === "PATCH") isSilent = true;
      return isSilent ? response.destroy() : pass();
    });
    const through = contextOf({ ...test.platform, url: relay.url });
    return work(relay.url, through).finally(() => relay.close());
  };
  const failedUpdate = async (
    { lifecycle }: Case,
    [id, olds, news]: readonly [string, Props, Props],
    arrives: boolean,
    status?: number,
  ) => {
    const update = (baseUrl: string, through: Context) =>
      initializationFailure(lifecycle.update(id, { ...olds, baseUrl }, news, through));
    const failure = await silently(arrives, update, status);
    const kept: Props = { ...failure.properties, baseUrl: olds["baseUrl"] };
    return { message: failure.message, kept };
  };
  /** Whether a program changes what the state has. */
  const changes = async ({ lifecycle }: Case, id: string, olds: Props, news: Props) => {
    const run = context();
    await lifecycle.check(olds, news, run);
    return lifecycle.diff(id, olds, news, run).changes;
  };
  const shownOf = async ({ path, shown }: Case, id: string) => {
    const { body } = await test.request("GET", `${path}/${id}`);
    return isRecord(body) ? body[shown] : undefined;
  };

  for (const [noun, one] of Object.entries(CASES))
    it(`is compared by the next one, whether the program of a ${noun} is taken back or stays`, async () => {
      const { lifecycle } = one;
      const before = one.before(test);
      const after = one.after(test);
      const { id, outs } = await lifecycle.create(before, context());
      const old = await shownOf(one, id);
      for (const [arrives, status] of [[true], [false], [true, 404], [true, 401]] as const) {
        const failed = await failedUpdate(one, [id, outs, after], arrives, status);
        expect(failed.message).to.match(
          /^update .* (no connection to|404|401) .*\n {6}the change may be there, or a part of it: the next `pulumi up` compares all that is declared$/s,
        );
        expect(await changes(one, id, failed.kept, before)).to.equal(true);
        // A refresh does not see what the service hides.
        const { props = {} } = await lifecycle.read(id, failed.kept, context());
        expect(await changes(one, id, props, before)).to.equal(true);
        const { outs: back } = await lifecycle.update(id, failed.kept, before, context());
        expect(await shownOf(one, id)).to.deep.equal(old);
        expect(await changes(one, id, back, before)).to.equal(false);
        await lifecycle.update(id, failed.kept, after, context());
        expect(await shownOf(one, id)).not.to.deep.equal(old);
        await lifecycle.update(id, failed.kept, before, context());
      }
    });

  for (const [noun, one] of Object.entries(CASES))
    it(`leaves the state of a ${noun} as it was where the service refuses it`, async () => {
      const { lifecycle, path } = one;
      const { id, outs } = await lifecycle.create(one.before(test), context());
      test.answers({ method: "PATCH", path: `${path}/*` }, 400, { detail: "no" });
      const refused = await rejection(lifecycle.update(id, outs, one.after(test), context()));
      expect(refused).not.to.have.property("properties");
    });

  it("fails as any request where a create adopts by it, which the next create compares again", async () => {
    await deploymentLifecycle.create(onPush(test, false), context());
    const news = { ...onPush(test, true), adoptExisting: true };
    const failed = await silently(false, (_, through) =>
      rejection(deploymentLifecycle.create(news, { ...through, processCache: newProcessCache() })),
    );
    expect(failed.message).to.contain("socket hang up; check that the control plane is running");
    expect(failed).not.to.have.property("properties");
  });
});
