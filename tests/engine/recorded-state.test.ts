import { readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { secret } from "@pulumi/pulumi";
import { expect } from "chai";
import { AgentServer } from "pulumi-agentserver/sdk";
import { type RunningAgentServer, startAgentServer } from "../../local/agentserver";
import { typeOf } from "../../shared/urn";
import { RESOURCE_TYPES, nativeToken } from "../../provider/resource-types";
import * as schema from "../../sdk/schema";
import { REPOSITORY } from "../../scripts/project";
import { startRuns } from "../../lab/faults/runs";
import { expectDone } from "../support/run";
import { describeFrontEnds, type FrontEnd } from "../support/front-ends";
import { type Program, settingsFor, TestStack } from "../support/engine";
import { OAUTH_INPUTS } from "../support/inputs";
import { everyImageArgument } from "../support/every-field";
import { usePlatform } from "../support/platform";
import { gitArgs } from "../support/program";
import type { StateResource } from "../support/state";
import { parsed } from "../support/values";
import { aFolder } from "../local/children";

/** Values that differ each time, by the word that replaces them in the file. */
type Words = readonly (readonly [word: string, value: string])[];

/** The kept properties of each resource, by logical name. */
type Recorded = Readonly<Record<string, Pick<StateResource, "inputs" | "outputs" | "initErrors">>>;

const pathOf = ({ name }: FrontEnd) => join(REPOSITORY, `tests/fixtures/states/${name}.json`);

/** The recorded resources, with what differs each time filled in. */
function recordedState(frontEnd: FrontEnd, words: Words): Recorded {
  const text = readFileSync(pathOf(frontEnd), "utf8");
  return JSON.parse(words.reduce((old, [word, value]) => old.replaceAll(word, value), text));
}

/** Fails unless resources have the form that is recorded. `npm run states` records it instead. */
function expectRecordedForm(
  frontEnd: FrontEnd,
  resources: readonly StateResource[],
  words: Words,
): void {
  const members = resources.map(({ name, inputs, outputs, initErrors }) => [
    name,
    { inputs, outputs, initErrors },
  ]);
  const written = words
    .reduce(
      (text, [word, value]) => text.replaceAll(value, word),
      JSON.stringify(Object.fromEntries(members), undefined, 2),
    )
    .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"<time>"');
  if (process.env["AGENTSERVER_STATES"] === "record")
    writeFileSync(pathOf(frontEnd), `${written}\n`);
  const forms = formOf(written);
  const recorded = formOf(readFileSync(pathOf(frontEnd), "utf8"));
  expect(Object.keys(forms)).to.have.members(Object.keys(recorded));
  for (const [name, form] of Object.entries(forms))
    expect(form, `\`npm run states\` records another form of ${name}`).to.deep.equal(
      recorded[name],
    );
}

/** The words of an error are for people, and two resources may be created in one millisecond. */
function formOf(text: string) {
  const recorded: Recorded = JSON.parse(text.replace(/"<[a-z]+ created>"/g, '"<time>"'));
  const forms = Object.entries(recorded).map(([name, { initErrors, ...members }]) => [
    name,
    { ...members, errors: initErrors.length },
  ]);
  return Object.fromEntries(forms);
}

const CLUSTER = { computeType: "k8s", computeId: "cluster-1" } as const;
const TRACKER = { ...OAUTH_INPUTS, clientSecret: "a secret of a test" };

describeFrontEnds("the recorded state of each kind", "long", "long", (frontEnd) => {
  const test = usePlatform();
  let folder: string;
  let server: RunningAgentServer;
  /** The built-in server keeps no crons. */
  let withCrons: Awaited<ReturnType<typeof startRuns>>;
  let stack: TestStack;
  let words: Words;
  const id = (word: string) => words.find(([given]) => given === word)?.[1] ?? "";
  const threads = () => new AgentServer({ url: server.url }).threads;
  const crons = () => new AgentServer({ url: withCrons.url }).crons;
  const assistants = () => new AgentServer({ url: server.url }).assistants;

  /** `batch` is the version of the program that changes each thing in place. */
  const program =
    (repoRef: string, team: "support" | "batch" = "support"): Program =>
    async ({ Assistant, Cron, Deployment, Listener, OAuthProvider, Thread }) => {
      new Listener("cluster", { ...CLUSTER, computeConfig: { k8sNamespaces: [team] } });
      new OAuthProvider("tracker", { ...TRACKER, name: team });
      new Deployment("every", { ...everyImageArgument(test), env: { TEAM: team } });
      new Deployment("broken", {
        ...gitArgs(test, { repoRef }),
        secrets: { MODEL_API_KEY: "a secret of a test" },
      });
      const messages = [{ id: "message-1", type: "human", content: "Where is my order 1042?" }];
      new Thread("conversation", {
        deploymentUrl: server.url,
        apiKey: "a key of a test",
        graphId: "agent",
        metadata: { team },
        supersteps: [{ updates: [{ asNode: "__start__", values: { messages } }] }],
      });
      new Assistant("german", {
        deploymentUrl: server.url,
        apiKey: "a key of a test",
        graphId: "agent",
        config: { recursionLimit: 25 },
        context: { prompt: "Antworte kurz.", token: secret("a secret of a test") },
        metadata: { team },
      });
      new Cron("digest", {
        deploymentUrl: withCrons.url,
        apiKey: "a key of a test",
        graphId: "agent",
        schedule: "0 9 * * 1-5",
        timezone: "Europe/Berlin",
        input: { messages },
        metadata: { team },
      });
    };

  before(async () => {
    folder = await aFolder();
    const database = join(folder, "threads.db");
    server = await startAgentServer({ database, graphs: ["agent"], variables: [], commit: null });
    withCrons = await startRuns(server.url, Date.now);
    stack = await TestStack.create(settingsFor(test.platform), program("main"), frontEnd);
    await expectDone(stack.up());
    stack.program = program("broken");
    test.fails("BUILD_FAILED", "npm ERR! a module is missing");
    expect((await stack.up()).ok).to.equal(false);
    words = await particulars();
  });
  after(async () => {
    await stack.remove();
    await withCrons.close();
    await server.close();
    await rm(folder, { recursive: true });
  });

  async function particulars(): Promise<Words> {
    const every = await test.get((await stack.deployment("every")).id);
    const broken = await test.get((await stack.deployment("broken")).id);
    const [thread] = await threads().search();
    const state = await threads().state(thread?.thread_id ?? "");
    const [german] = await assistants().search({ name: "german" });
    const [digest] = await crons().search();
    const [listener] = await stack.listeners();
    const tracker = await test.request("GET", "/v2/auth/providers/tracker");
    return [
      ["<every>", every.id],
      ["<every revision>", every.latest_revision_id ?? ""],
      ["<broken>", broken.id],
      ["<broken name>", broken.name],
      ["<broken active>", broken.active_revision_id ?? ""],
      ["<broken latest>", broken.latest_revision_id ?? ""],
      ["<tracker created>", parsed(schema.OAuthProvider, tracker.body).created_at],
      ["<cluster>", listener?.id ?? ""],
      ["<thread>", thread?.thread_id ?? ""],
      ["<thread created>", thread?.created_at ?? ""],
      ["<assistant>", german?.assistant_id ?? ""],
      ["<assistant created>", german?.created_at ?? ""],
      ["<cron>", digest?.cron_id ?? ""],
      ["<cron created>", digest?.created_at ?? ""],
      ["<checkpoint>", state.checkpoint_id ?? ""],
      ["<workspace>", every.tenant_id],
      ["<integration>", test.integrationId],
      ["<listener>", test.listenerId],
      ["<base url>", test.platform.url],
      ["<agent server>", server.url],
      ["<agent server with crons>", withCrons.url],
      ["<time>", every.created_at],
    ];
  }

  it("has the form of today", async () =>
    expectRecordedForm(frontEnd, await stack.resources(), words));

  it("has a resource of each kind", async () => {
    const types = (await stack.stored()).map(({ urn }) => typeOf(urn));
    expect(types).to.include.members(
      Object.values(RESOURCE_TYPES).map(({ type }) => nativeToken(type)),
    );
  });

  it("is refreshed without a change, but for what has failed, whose failure it keeps, and has no secret in clear", async () => {
    expect(await stack.stateFiles()).not.to.contain("of a test");
    await stack.rewrite(recordedState(frontEnd, words));
    expect((await stack.refresh()).changes).to.deep.equal({ same: 7, update: 1 });
    expect(await stack.stateFiles()).not.to.contain("of a test");
    expect((await stack.deployment("broken")).outputs).to.have.nested.property(
      "rollout.state",
      "failed",
    );
    expect(await test.revisions(id("<broken>"))).to.have.length(2);
  });

  it("leads to exactly one new revision after a failed one, and changes in place", async () => {
    await stack.rewrite(recordedState(frontEnd, words));
    stack.program = program("broken", "batch");
    const { steps, text } = await stack.up();
    const all = ["cluster", "tracker", "every", "broken", "conversation", "german", "digest"];
    expect(steps, text).to.deep.equal(Object.fromEntries(all.map((name) => [name, "update"])));
    expect(await test.revisions(id("<broken>"))).to.have.length(3);
    expect((await stack.deployment("broken")).initErrors).to.be.empty;
    expect((await threads().get(id("<thread>"))).metadata).to.include({ team: "batch" });
    const german = await assistants().get(id("<assistant>"));
    expect(german).to.deep.include({
      version: 2,
      context: { prompt: "Antworte kurz.", token: "a secret of a test" },
    });
    expect(german.metadata).to.include({ team: "batch" });
    expect((await crons().get(id("<cron>"))).metadata).to.include({ team: "batch" });
  });

  it("is destroyed", async () => {
    await stack.rewrite(recordedState(frontEnd, words));
    const { messages } = await expectDone(stack.destroy());
    expect(messages.join()).not.to.contain("was not deleted");
    for (const path of [`deployments/${id("<every>")}`, `listeners/${id("<cluster>")}`])
      expect((await test.request("GET", `/v2/${path}`)).status, path).to.equal(404);
    expect(await threads().count()).to.equal(0);
    expect(await assistants().count()).to.equal(1);
    expect(await crons().count()).to.equal(0);
  });
});
