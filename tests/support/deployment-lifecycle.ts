import { expect } from "chai";
import type { LocalPlatformOptions } from "../../local";
import type { Props } from "../../provider/arguments/props";
import { deploymentLifecycle as lifecycle } from "../../provider/deployment/lifecycle";
import type { TestServer } from "./http";
import { contextOf } from "./lifecycle";
import { startTestPlatform, type TestPlatform } from "./platform";
import { gitArgs } from "./program";
import { initializationFailure } from "./rejection";
import { type Meddle, startRelay } from "./relay";

/** A deployment as a state has it. */
export interface Made {
  readonly id: string;
  readonly outs: Props;
}

export type Failed = "BUILD_FAILED" | "DEPLOY_FAILED";

interface DeploymentsOptions extends LocalPlatformOptions {
  /** The stack's configuration beside the platform's. */
  readonly config?: Readonly<Record<string, string>>;
  /** What happens to requests between the provider and the platform. */
  readonly meddle?: Meddle;
  /** Whether time passes in the provider's pauses alone. */
  readonly isStepping?: boolean;
}

/** The lifecycle of deployments on a local platform that each test of the `describe` has for itself. */
export function useDeployments({
  config = {},
  meddle,
  isStepping,
  ...more
}: DeploymentsOptions = {}) {
  let test: TestPlatform;
  let relay: TestServer | undefined;
  const said: string[] = [];
  beforeEach(async () => {
    said.length = 0;
    const stopped = { stageSeconds: 1, now: () => 1_800_000_000_000 };
    test = await startTestPlatform({ ...(isStepping && stopped), ...more });
    relay = meddle && (await startRelay(test.platform.url, meddle));
  });
  afterEach(async () => {
    await relay?.close();
    await test.close();
  });

  const context = () => {
    const platform = relay === undefined ? test.platform : { ...test.platform, url: relay.url };
    const own = contextOf(platform, said, config);
    const sleep = async (pauseMs: number): Promise<void> =>
      void (await test.platform.admin.advanceClock(pauseMs / 1000));
    return isStepping ? { ...own, clock: { ...own.clock, sleep } } : own;
  };
  /** The inputs of what a program declares. */
  const checked = async (declared: Props, olds: Props = {}): Promise<Props> => {
    const { inputs = {}, failures } = await lifecycle.check(olds, declared, context());
    expect(failures ?? []).to.be.empty;
    return inputs;
  };
  const create = async (declared: Props, where = context()): Promise<Made> =>
    lifecycle.create(await checked(declared), where);
  const update = async ({ id, outs }: Made, declared: Props, where = context()): Promise<Made> => ({
    id,
    ...(await lifecycle.update(id, outs, await checked(declared), where)),
  });
  /** The failure of a create or an update that the service had accepted, and what the state then has. */
  const failed = async (work: Promise<unknown>) => {
    const { id, message, properties: outs } = await initializationFailure(work);
    return { id, message, outs };
  };
  /** Lets the next revision end so. */
  const fails = (status?: Failed, reason = "boom") => test.fails(status, reason);
  /** Another client's change, the revision of which ends so. */
  const changeElsewhere = async (
    id: string,
    body: object,
    status: Failed | "DEPLOYED" = "DEPLOYED",
  ) => {
    if (status !== "DEPLOYED") fails(status);
    await test.request("PATCH", `/v2/deployments/${id}`, body);
    return test.untilRevision(id, status);
  };

  return {
    get test() {
      return test;
    },
    get admin() {
      return test.platform.admin;
    },
    /** The requests that a relay has received. */
    received: () => relay?.received ?? [],
    said,
    context,
    checked,
    create,
    update,
    read: ({ id, outs }: Made, where = context()) => lifecycle.read(id, outs, where),
    diff: ({ id, outs }: Made, news: Props, where = context()) =>
      lifecycle.diff(id, outs, news, where),
    failed,
    fails,
    changeElsewhere,
    get: (id: string) => test.get(id),
    revisions: (id: string) => test.revisions(id),
    patches: () => test.platform.admin.requests()["PATCH /v2/deployments/{deployment_id}"] ?? 0,
    /** What a program declares of a deployment from git. */
    git: (repoRef = "main", args: Props = {}, sourceConfig: Props = {}): Props => ({
      ...gitArgs(test),
      sourceConfig: { ...gitArgs(test).sourceConfig, ...sourceConfig },
      sourceRevisionConfig: { repoRef, graphConfigPath: "langgraph.json" },
      ...args,
    }),
    /** What it declares of one from an image. */
    image: (tag = "v1", args: Props = {}): Props => ({
      source: "external_container",
      sourceConfig: {},
      sourceRevisionConfig: { imageUri: `registry.example.com/a:${tag}` },
      ...args,
    }),
  };
}

/** The body of another client's change to a ref. */
export const movedTo = (repo_ref: string) => ({ source_revision_config: { repo_ref } });
