import { isSecret, secret } from "@pulumi/pulumi";
import { expect } from "chai";
import {
  getThread,
  getThreadHistory,
  getThreadState,
  listAssistantVersions,
  searchThreads,
  searchThreadsOutput,
} from "pulumi-agentserver";
import { AgentServer } from "pulumi-agentserver/sdk";
import { CONVERSATION, useAgentServer } from "../../local/agentserver/support";
import { withSecrets } from "../../../provider/arguments/secrets";
import { callFunction } from "../../../provider/adapters/native/functions";
import { always, json, useServers } from "../../support/http";
import { HOST } from "../../support/lifecycle";
import { reasonOf, rejection } from "../../support/rejection";
import { configureStack, unconfigureStack, valueOf } from "./stack-configuration";
import { untyped } from "../../support/values";

const NOWHERE = "99999999-9999-4999-8999-999999999999";

describe("looking up threads", () => {
  const server = useAgentServer();
  const deploymentUrl = () => `http://127.0.0.1:${server.port()}`;
  const aConversation = (metadata: object = { graph_id: "agent", user_id: { home_town: "x" } }) =>
    server.create({ metadata, supersteps: CONVERSATION });

  it("finds one by its id, without settings of a control plane, and leaves its metadata as it is", async () => {
    const { thread_id: threadId, created_at, updated_at, metadata } = await aConversation();
    expect(await getThread({ deploymentUrl: deploymentUrl(), threadId })).to.deep.equal({
      threadId,
      status: "idle",
      metadata,
      config: {},
      values: null,
      createdAt: created_at,
      updatedAt: updated_at,
    });
  });

  it("finds those whose metadata matches, in the order asked for, at most as many as asked for", async () => {
    const ids: string[] = [];
    for (const user of ["u1", "u2", "u1"])
      ids.push((await aConversation({ user, inner_part: { a_b: 1 } })).thread_id);
    const search = async (query: object) =>
      (await searchThreads({ deploymentUrl: deploymentUrl(), ...query })).map(
        ({ threadId }) => threadId,
      );
    expect(await search({})).to.deep.equal(ids.toReversed());
    expect(await search({ sortBy: "created_at", sortOrder: "asc" })).to.deep.equal(ids);
    expect(await search({ metadata: { user: "u1" } })).to.deep.equal([ids[2], ids[0]]);
    expect(await search({ metadata: { inner_part: { a_b: 1 } } })).to.have.length(3);
    expect(await search({ limit: 2 })).to.deep.equal([ids[2], ids[1]]);
    expect(await search({ status: "busy" })).to.deep.equal([]);
  });

  it("gives through the native provider objects, with what is secret marked", async () => {
    const { thread_id: threadId } = await aConversation();
    const call = (name: string, args: object) =>
      callFunction(`agentserver:index:${name}`, { ...args, none: null }, {}, HOST);
    const search = { deploymentUrl: deploymentUrl(), apiKey: "key" };
    const asked = { ...search, threadId };
    const thread = withSecrets({ ...(await getThread(asked)) }, ["config"]);
    expect(await call("searchThreads", search)).to.deep.equal({ threads: [thread] });
    expect(await call("getThread", asked)).to.deep.equal(thread);
    expect(await call("getThreadState", asked)).to.deep.equal(await getThreadState(asked));
  });

  it("finds the state of one, now and at each checkpoint of its history", async () => {
    const { thread_id: threadId, values } = await aConversation();
    const asked = { deploymentUrl: deploymentUrl(), threadId };
    const [newest] = await server.history(threadId);
    const state = await getThreadState(asked);
    expect(state).to.deep.equal({
      values,
      next: [],
      tasks: [],
      metadata: newest?.metadata,
      checkpoint: { checkpointId: newest?.checkpoint_id, threadId, checkpointNs: "" },
      parentCheckpoint: { checkpointId: newest?.parent_checkpoint_id, threadId, checkpointNs: "" },
      checkpointId: newest?.checkpoint_id,
      parentCheckpointId: newest?.parent_checkpoint_id,
      createdAt: newest?.created_at,
    });
    const history = await getThreadHistory(asked);
    expect(history.map(({ metadata }) => metadata["step"])).to.deep.equal([1, 0, -1]);
    for (const past of history) {
      const checkpointId = past.checkpointId ?? "";
      expect(await getThreadState({ ...asked, checkpointId })).to.deep.equal(past);
    }
    expect(await getThreadHistory({ ...asked, limit: 1 })).to.deep.equal([state]);
  });

  it("says where it has looked for what is not there", async () => {
    const asked = { deploymentUrl: deploymentUrl(), threadId: NOWHERE };
    const words = (action: string) =>
      `${action} '${NOWHERE}': 404 Thread with ID ${NOWHERE} not found; it was looked for at ${deploymentUrl()}`;
    expect(await reasonOf(getThread(asked))).to.equal(words("get thread"));
    expect(await reasonOf(getThreadState(asked))).to.equal(words("get state of thread"));
    expect(await reasonOf(getThreadHistory(asked))).to.equal(words("get history of thread"));
    const { thread_id: threadId } = await aConversation();
    const checkpointId = "1f1e547c-5bc3-6000-8000-000000000000";
    expect(await reasonOf(getThreadState({ ...asked, threadId, checkpointId }))).to.equal(
      `get thread state '${threadId}': the thread has no checkpoint ${checkpointId}`,
    );
  });

  it("refuses wrong arguments, all at once, and asks nobody", async () => {
    const asked = getThread(untyped({ threadId: "x", thread: "y" }));
    expect(await reasonOf(asked)).to.match(
      /^get thread: unknown argument 'thread'.*threadId\?; deploymentUrl is required; threadId must/,
    );
    for (const checkpointId of ["..", "\ud800"]) {
      const ofNone = getThreadState({
        deploymentUrl: deploymentUrl(),
        threadId: NOWHERE,
        checkpointId,
      });
      expect(await reasonOf(ofNone)).to.equal(
        "get thread state: checkpointId is not valid in a path",
      );
    }
  });
});

describe("looking up threads of a server with a key", () => {
  const apiKey = "key-CANARY-of-the-server";
  const server = useAgentServer({ apiKey });
  const deploymentUrl = () => `http://127.0.0.1:${server.port()}`;
  before(() =>
    configureStack({ url: "http://127.0.0.1:1", apiKey: "of the control plane", workspaceId: "w" }),
  );
  after(unconfigureStack);

  it("gives outputs that are secret when another argument is, not because of the key", async () => {
    const args = { deploymentUrl: deploymentUrl(), apiKey: secret(apiKey) };
    const open = searchThreadsOutput(args);
    const hidden = searchThreadsOutput({ ...args, deploymentUrl: secret(deploymentUrl()) });
    expect(await valueOf(open)).to.deep.equal([]);
    expect(await valueOf(hidden)).to.deep.equal([]);
    expect([await isSecret(open), await isSecret(hidden)]).to.deep.equal([false, true]);
  });

  it("says which key is meant when it is refused, and shows none", async () => {
    for (const key of [undefined, "key-CANARY-wrong"]) {
      const asked = { deploymentUrl: deploymentUrl(), ...(key && { apiKey: key }) };
      const { message } = await rejection(searchThreads(asked));
      expect(message).to.match(/^search threads: 401 /);
      expect(message).to.contain("check apiKey, which is the agent server's own key");
      expect(message).not.to.contain("CANARY");
    }
  });
});

describe("looking up the versions of an assistant", () => {
  const server = useAgentServer({ graphs: ["agent"] });

  it("lists all of them, or the newest ones up to a limit", async () => {
    const deploymentUrl = `http://127.0.0.1:${server.port()}`;
    const { assistants } = new AgentServer({ url: deploymentUrl });
    const { assistant_id: assistantId } = await assistants.create({ graph_id: "agent" });
    for (let version = 2; version <= 12; version += 1) await assistants.update(assistantId, {});
    const numbers = async (limit?: number) => {
      const asked = { deploymentUrl, assistantId, ...(limit !== undefined && { limit }) };
      return (await listAssistantVersions(asked)).map(({ version }) => version);
    };
    expect(await numbers()).to.deep.equal([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
    expect(await numbers(2)).to.deep.equal([12, 11]);
    expect(await numbers(2000)).to.have.length(12);
  });
});

describe("looking up threads of other servers", () => {
  before(() =>
    configureStack({ url: "http://127.0.0.1:1", apiKey: "key-CANARY", workspaceId: "mine" }),
  );
  after(unconfigureStack);

  const serve = useServers();

  it("walks all pages, takes what moves from one to the next once, and never shows the control plane's key", async () => {
    const at = "2026-01-01";
    const server = await serve(({ body }, response) => {
      const { limit, offset } = JSON.parse(body);
      // One thread is made between the pages.
      const first = offset === 0 ? 1 : offset - 1;
      const places = Array.from({ length: Math.min(limit, 150 - first) }, (_, n) => first + n);
      const thread = { created_at: at, updated_at: at, metadata: null, status: "idle" };
      json(
        response,
        200,
        places.map((turn) => ({ ...thread, thread_id: `t${turn}`, values: { turn } })),
      );
    });
    const found = await searchThreads({ deploymentUrl: server.url });
    expect(found).to.have.length(149);
    expect(found[0]).to.deep.include({ metadata: {}, config: {}, values: { turn: 1 } });
    expect(server.received).to.have.length(2);
    expect(JSON.stringify(server.received)).not.to.contain("CANARY");
  });

  it("names the thread in each checkpoint, also where the server leaves it out", async () => {
    const [checkpoint, parent_checkpoint] = ["c2", "c1"].map((id) => ({ checkpoint_id: id }));
    const server = await serve(always(200, { checkpoint, parent_checkpoint }));
    const found = await getThreadState({ deploymentUrl: server.url, threadId: NOWHERE });
    const named = { threadId: NOWHERE, checkpointNs: "" };
    expect(found).to.deep.include({
      checkpoint: { checkpointId: "c2", ...named },
      parentCheckpoint: { checkpointId: "c1", ...named },
      checkpointId: "c2",
      parentCheckpointId: "c1",
    });
  });
});
