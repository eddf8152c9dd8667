import { expect } from "chai";
import { randomUUID } from "node:crypto";
import { startLocalPlatform, type LocalPlatform } from "../../local";
import {
  BadRequest,
  Conflict,
  ControlPlane,
  type DeploymentFilters,
  NotFound,
  Unprocessable,
} from "../../sdk";
import { DIALECTS } from "../../sdk/dialect";
import {
  type CreateDeployment,
  type Deployment,
  DeploymentFilters as Filters,
} from "../../sdk/schema";
import { rejection } from "../support/rejection";
import { poll } from "../support/platform";
import { aFolder, removeFolder } from "./children";

const STAGE_SECONDS = 3600;
const REPOSITORY = "https://git.example.com/acme/support.git";
const PROVIDER = {
  provider_id: "acme",
  name: "Acme",
  client_id: "client",
  client_secret: "hidden-client-secret",
  auth_url: "https://id.example.com/authorize",
  token_url: "https://id.example.com/token",
};

for (const dialect of DIALECTS)
  describe(`client and control plane in dialect ${dialect}`, () => {
    let dataDir: string;
    let platform: LocalPlatform;
    let client: ControlPlane;
    let integrationId: string;
    let listenerId: string;

    beforeEach(async () => {
      dataDir = await aFolder();
      platform = await startLocalPlatform({
        port: 0,
        dataDir,
        driver: "simulated",
        stageSeconds: STAGE_SECONDS,
        dialect,
      });
      const { url: baseUrl, apiKey, workspaceId } = platform;
      client = new ControlPlane({ baseUrl, apiKey, workspaceId, dialect });
      integrationId = (await Array.fromAsync(client.integrations.list()))[0]?.id ?? "";
      [{ id: listenerId } = { id: "" }] = await all(client.listeners.list());
    });
    afterEach(async () => {
      await platform.close();
      await removeFolder(dataDir);
    });

    const stages = (count: number) => platform.admin.advanceClock(count * STAGE_SECONDS);

    const fromGit = (name = "support"): CreateDeployment => ({
      name,
      source: "git_host",
      source_config: {
        integration_id: integrationId,
        repo_url: REPOSITORY,
        deployment_type: "dev",
        build_on_push: true,
        install_command: "npm ci",
      },
      source_revision_config: { repo_ref: "main", graph_config_path: "app/langgraph.json" },
      secrets: [{ name: "LOG_LEVEL", value: "info" }],
    });
    const fromImage = (name = "image"): CreateDeployment => ({
      name,
      source: "external_container",
      source_config: {
        listener_id: listenerId,
        listener_config: { k8s_namespace: "agents" },
        resource_spec: {
          cpu: 0.25,
          cache_cpu: 1,
          cache_cpu_limit: 2,
          cache_memory_mb: 512,
          labels: { cache_cpu: "git_host" },
          volumes: [{ name: "scratch", emptyDir: {} }],
          volume_mounts: [{ name: "scratch", mountPath: "/scratch" }],
          sidecars: [
            { name: "side", image: "side:1", env: [{ name: "source", value: "git_host" }] },
          ],
        },
      },
      source_revision_config: { image_uri: "registry.example.com/agent:1.2" },
      secrets: [],
    });

    it("creates, reads, changes and deletes a deployment from git", async () => {
      const body = fromGit();
      const made = await client.deployments.create(body);
      expect(made).to.deep.include({ name: "support", source: "git_host", secrets: body.secrets });
      expect(made.source_config).to.include(body.source_config);
      expect(made.source_revision_config).to.include(body.source_revision_config);
      expect(await client.deployments.get(made.id)).to.deep.equal(made);
      const changed = await client.deployments.update(made.id, {
        source_config: { build_on_push: false },
        source_revision_config: { graph_config_path: "langgraph.json" },
      });
      expect(changed.source_config.build_on_push).to.equal(false);
      expect(changed.source_revision_config.graph_config_path).to.equal("langgraph.json");
      expect(changed.latest_revision_id).to.not.equal(made.latest_revision_id);
      await client.deployments.delete(made.id);
      expect((await client.deployments.get(made.id)).status).to.equal("AWAITING_DELETE");
      await client.deployments.delete(made.id);
      await untilGone(made);
      expect(await rejection(client.deployments.delete(made.id))).to.be.instanceOf(NotFound);
    });

    it("gives an image's resource spec back, rounded, under the contract's names", async () => {
      const { source_config, ...body } = fromImage();
      const made = await client.deployments.create({ source_config, ...body });
      const spec = source_config.resource_spec;
      expect(made.source).to.equal("external_container");
      expect(made.source_config.resource_spec).to.deep.include({ ...spec, cpu: 0.3 });
      expect(made.source_config).to.deep.include({
        listener_id: listenerId,
        listener_config: { k8s_namespace: "agents" },
      });
      expect(made.image_version).to.equal("1.2");
    });

    it("narrows the list by each filter and all of them, and walks its pages", async () => {
      const git = await client.deployments.create(fromGit("git-one"));
      const image = await client.deployments.create(fromImage("image-one"));
      await stages(1);
      const internal = await client.deployments.create({
        name: "internal",
        source: "internal_container",
        source_config: { deployment_type: "prod" },
        source_revision_config: {},
        secrets: [],
      });
      const [tag, other] = [randomUUID(), randomUUID()];
      platform.admin.setTags(git.id, [tag]);
      platform.admin.setTags(image.id, [other]);
      const found = async (filters: DeploymentFilters) =>
        (await all(client.deployments.list(filters))).map(({ name }) => name);
      const expected: [DeploymentFilters, string[]][] = [
        [{}, ["internal", "image-one", "git-one"]],
        [{ name_contains: "ONE" }, ["image-one", "git-one"]],
        [{ status: "READY" }, ["image-one", "git-one"]],
        [{ status: "AWAITING_DATABASE" }, ["internal"]],
        [{ status: "SOMETHING_NEW" }, []],
        [{ remote_reconciled: true }, ["image-one"]],
        [{ remote_reconciled: false }, ["internal", "git-one"]],
        [{ tag_value_ids: [tag, other] }, ["image-one", "git-one"]],
        [{ tag_value_ids: [randomUUID()] }, []],
        [{ image_version: "1.2" }, ["image-one"]],
        [{ deployment_type: "dev" }, ["git-one"]],
        [{ deployment_type: "prod" }, ["internal"]],
        [{ deployment_ids: [git.id, internal.id] }, ["internal", "git-one"]],
        [{ name_contains: "one", status: "READY", deployment_ids: [git.id] }, ["git-one"]],
      ];
      const tried = new Set(expected.flatMap(([filters]) => Object.keys(filters)));
      expect([...tried]).to.have.members(Object.keys(Filters.shape));
      for (const [filters, names] of expected)
        expect(await found(filters), JSON.stringify(filters)).to.deep.equal(names);
      const many = Array.from({ length: 120 }, (_, index) => fromGit(`many-${index}`));
      await Promise.all(many.map((body) => client.deployments.create(body)));
      const walked = await found({ name_contains: "many-" });
      expect(new Set(walked)).to.have.property("size", 120);
      expect(walked).to.have.lengthOf(120);
    });

    it("follows, makes, interrupts and redeploys revisions", async () => {
      const made = await client.deployments.create(fromGit());
      await stages(3);
      const [first] = await all(client.revisions.list(made.id));
      const config = { ...fromGit().source_revision_config, image_uri: null };
      expect(first).to.deep.include({ id: made.latest_revision_id, status: "DEPLOYED" });
      expect(first?.source_revision_config).to.include(config);
      const second = await client.revisions.create(made.id, {
        secrets: [{ name: "A", value: "1" }],
      });
      expect(await client.revisions.get(made.id, second.id)).to.deep.equal(second);
      await client.revisions.interrupt(made.id, second.id);
      expect((await client.revisions.get(made.id, second.id)).status).to.equal("INTERRUPTED");
      await client.revisions.interrupt(made.id, second.id);
      const ended = await rejection(client.revisions.interrupt(made.id, first?.id ?? ""));
      expect(ended).to.be.instanceOf(BadRequest);
      const after = await client.revisions.redeploy(made.id, first?.id ?? "");
      const [third] = await client.revisions.newest(made.id, 1);
      expect(third?.id).to.equal(after.latest_revision_id);
      await stages(3);
      const statuses = (await all(client.revisions.list(made.id))).map(({ status }) => status);
      expect(statuses).to.deep.equal(["DEPLOYED", "INTERRUPTED", "DEPLOYED"]);
    });

    it("reads the newest lines of a log, newest first", async () => {
      const made = await client.deployments.create(fromGit());
      platform.admin.addOutcome({ stage: "build", status: "BUILD_FAILED", reason: "one\ntwo" });
      await stages(2);
      const revisionId = made.latest_revision_id ?? "";
      const page = await client.revisions.logs(made.id, revisionId, { type: "build", limit: 2 });
      expect(page.logs.map(({ message }) => message)).to.deep.equal(["two", "one"]);
      expect(page.logs.map(({ level }) => level)).to.deep.equal(["ERROR", "ERROR"]);
      expect(page.next_offset).to.match(/^\d+$/);
    });

    it("reads every line of a log, oldest first", async () => {
      const made = await client.deployments.create(fromGit());
      const reason = Array.from({ length: 2500 }, (_, index) => `${index}`);
      platform.admin.addOutcome({
        stage: "build",
        status: "BUILD_FAILED",
        reason: reason.join("\n"),
      });
      await stages(2);
      const read: string[] = [];
      const revisionId = made.latest_revision_id ?? "";
      for await (const line of client.revisions.logLines(made.id, revisionId, "build"))
        read.push(line.message);
      expect(read.slice(-2500)).to.deep.equal(reason);
    });

    it("creates, lists, changes and deletes listeners", async () => {
      const body = {
        compute_type: "k8s",
        compute_id: "cluster",
        compute_config: { k8s_namespaces: ["one"] },
        version: "1",
      };
      const made = await client.listeners.create(body);
      expect(made).to.deep.include(body);
      expect(await rejection(client.listeners.create(body))).to.be.instanceOf(Conflict);
      expect(await client.listeners.get(made.id)).to.deep.equal(made);
      const compute_config = { k8s_namespaces: ["two"] };
      const changed = await client.listeners.update(made.id, { compute_config });
      expect(changed).to.deep.include({ ...body, compute_config });
      expect((await all(client.listeners.list())).map(({ id }) => id)).to.deep.equal([
        made.id,
        listenerId,
      ]);
      await client.listeners.delete(made.id);
      expect(await rejection(client.listeners.get(made.id))).to.be.instanceOf(NotFound);
    });

    it("lists integrations and their repositories", async () => {
      expect(
        (await Array.fromAsync(client.integrations.list())).map(({ name }) => name),
      ).to.deep.equal(["local"]);
      await client.deployments.create(fromGit());
      const [repository] = await Array.fromAsync(client.integrations.repositories(integrationId));
      expect(repository).to.include({ url: REPOSITORY, name: "support", default_branch: "main" });
    });

    it("creates, lists, changes and deletes OAuth providers, and never sees a secret", async () => {
      const made = await client.oauthProviders.create(PROVIDER);
      const { client_secret, ...shown } = PROVIDER;
      expect(made).to.include(shown);
      const changed = await client.oauthProviders.update("acme", { name: "New", client_secret });
      expect(changed).to.include({ ...shown, name: "New" });
      const read = [await client.oauthProviders.get("acme")];
      expect(read)
        .to.deep.equal(await Array.fromAsync(client.oauthProviders.list()))
        .and.to.deep.equal([changed]);
      expect(JSON.stringify([made, changed, read])).to.not.contain(client_secret);
      await client.oauthProviders.delete("acme");
      expect(await Array.fromAsync(client.oauthProviders.list())).to.deep.equal([]);
    });

    it("names the field of a 422 and the rule of a 400 in the words that were sent", async () => {
      const wrong = fromImage();
      wrong.source_config.resource_spec = { cache_cpu: 9 };
      const invalid = await rejection(client.deployments.create(wrong));
      expect(invalid).to.be.instanceOf(Unprocessable);
      expect(invalid)
        .to.have.nested.property("problems[0].loc")
        .that.deep.equals(["body", "source_config", "resource_spec", "cache_cpu"]);
      const broken = fromGit();
      broken.source_revision_config.repo_ref = "refs/tags/v1";
      const refused = await rejection(client.deployments.create(broken));
      expect(refused).to.be.instanceOf(BadRequest);
      expect(refused.message).to.contain("build_on_push");
    });

    const untilGone = ({ id }: Deployment) =>
      poll("the deployment to be gone", async () => {
        await stages(1);
        const seen = await client.deployments.get(id).catch((error: unknown) => error);
        return { fits: seen instanceof NotFound, seen };
      });
  });

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
