import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { deploymentsIn } from "../../../cli/stack";
import { deleteDeployment } from "../../../cli/deployments/delete";
import { CommandFailure } from "../../../cli/failure";
import { interrupt } from "../../../cli/deployments/interrupt";
import { printList } from "../../../cli/deployments/list";
import { redeploy } from "../../../cli/deployments/redeploy";
import { printStatus, stageNotes } from "../../../cli/deployments/status";
import { aGitDeployment, anImageDeployment, useFreshPlatform } from "../../support/platform";
import { rejection } from "../../support/rejection";
import { testTerminal, type TestTerminal } from "../terminal";

const OTHER = "11111111-1111-4111-8111-111111111111";

describe("the commands on a local platform in the service's dialect", () => {
  const t = useFreshPlatform({ dialect: "langsmith" });

  const where = () => ({ dataDir: t.dataDir, projectFolder: t.dataDir, json: false });
  const deployed = async (name: string, changes: object = {}) => {
    const { id } = await t.create({ name, ...changes });
    await t.untilRevision(id, "DEPLOYED");
    return t.get(id);
  };
  const change = (id: string) =>
    t.request("PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "A", value: "1" }] });
  async function reasonOf(work: Promise<unknown>): Promise<string> {
    const error = await rejection(work);
    expect(error).to.be.instanceOf(CommandFailure);
    return error.message;
  }

  describe("list", () => {
    const list = async (changes: object = {}, terminal = testTerminal()) => {
      await printList(
        { ...where(), filters: {}, limit: 100, revisions: true, wide: false, ...changes },
        terminal,
      );
      return terminal;
    };

    it("shows what serves and the newest revision; a failed one stands out", async () => {
      const support = await deployed("support");
      await deployed("billing", anImageDeployment());
      t.fails();
      await change(support.id);
      const { id } = await t.untilRevision(support.id, "BUILD_FAILED");
      const terminal = await list();
      const [titles, billing, failed] = terminal.lines();
      expect(titles).to.match(/^ +NAME +STATUS +SERVES +NEWEST REVISION +AGE$/);
      expect(billing).to.match(/^ +billing +READY +agent:1\.2 +[\da-f]{8} DEPLOYED \d+s +\d+s$/);
      const columns = /^✗ +support +READY +main@[\da-f]{7} +[\da-f]{8} BUILD_FAILED \d+s +\d+s$/;
      expect(failed).to.match(columns);
      const origin = `control plane: ${t.platform.url} (${t.dataDir}/platform.json)\n`;
      expect(terminal.printed.err).to.equal(origin);
      const { printed } = await list({}, testTerminal({ hasColours: true }));
      expect(printed.out)
        .to.contain(`\x1b[31m${id.slice(0, 8)} BUILD_FAILED`)
        .and.contain("\x1b[32m");
    });

    it("prints a fixed shape as JSON", async () => {
      const { id } = await deployed("support");
      const [printed] = (await list({ json: true })).json();
      expect(printed).to.have.keys("deployments", "more").and.have.property("more", false);
      const keys = {
        "deployments[0]":
          "id name status source repoUrl url createdAt updatedAt serving newest stack",
        "deployments[0].newest":
          "id status createdAt updatedAt durationSeconds repoRef repoCommitSha graphConfigPath imageUri",
      };
      for (const [path, names] of Object.entries(keys))
        expect(printed).to.have.nested.property(path).with.keys(names.split(" "));
      expect(printed).to.nested.include({
        "deployments[0].id": id,
        "deployments[0].source": "git_host",
        "deployments[0].serving.status": "DEPLOYED",
        "deployments[0].serving.graphConfigPath": "langgraph.json",
        "deployments[0].newest.repoRef": "main",
      });
    });

    it("reads no revisions where none are asked for, and prints ids and URLs", async () => {
      const { id, url } = await deployed("support");
      t.platform.admin.clearRequests();
      const [titles, line] = (await list({ revisions: false, wide: true })).lines();
      expect(titles).to.match(/^ +NAME +STATUS +AGE +ID +URL$/);
      expect(line)
        .to.match(/ support +READY +\d+s +[\da-f-]{36} +http/)
        .and.contain(`${id}  ${url}`);
      expect(Object.keys(t.platform.admin.requests()).join()).not.to.contain("/revisions");
    });

    it("shows a deployment that is deleted while revisions are read as the list has it", async () => {
      for (const name of ["support", "billing"]) await deployed(name);
      t.answers({ path: "/v2/deployments/*/revisions" }, 404, { detail: "none" });
      const lines = (await list()).lines().slice(1);
      expect(lines.map((line) => line.match(/DEPLOYED|–/)?.[0])).to.have.members(["DEPLOYED", "–"]);
    });

    it("filters, stops at a limit, and says so when there are more", async () => {
      for (const name of ["support", "supply", "billing"]) await t.create({ name });
      const names = async (changes: object) => {
        const [printed] = (await list({ json: true, ...changes })).json();
        return JSON.stringify(printed).match(/"name":"[a-z]+"/g);
      };
      expect(await names({ filters: { name_contains: "supp" } })).to.have.lengthOf(2);
      expect(await names({ limit: 1 })).to.deep.equal(['"name":"billing"']);
      for (const [status, answer] of [
        ["DELETED", "no deployments"],
        ["ready", "no deployments; 'ready' is not a known status of deployments: .*, READY, .*"],
      ] as const)
        expect((await list({ filters: { status } })).printed.err).to.match(
          new RegExp(`\\n${answer}\\n$`),
        );
      const { printed } = await list({ limit: 1 });
      expect(printed.err).to.contain("there are more than these 1");
      expect((await list({ limit: 3 })).printed.err).not.to.contain("more");
    });
  });

  it("list marks no newest revision that is in progress", async () => {
    await t.restart({ stageSeconds: 3600 });
    await t.create({ name: "support" });
    const terminal = testTerminal();
    const options = { filters: {}, limit: 1, revisions: true, wide: false };
    await printList({ ...where(), ...options }, terminal);
    expect(terminal.lines()[1]).to.match(/^ +support /);
  });

  describe("status", () => {
    const status = async (deployment: string, changes: object = {}, terminal = testTerminal()) => {
      const options = { wait: false, timeoutSeconds: 60, limit: 10, ...where(), ...changes };
      await printStatus({ ...options, deployment }, terminal);
      return terminal;
    };

    it("shows revisions newest first, what serves, the URL, and names of variables", async () => {
      const { id, active_revision_id: active } = await deployed("support");
      t.fails();
      await change(id);
      const failed = await t.untilRevision(id, "BUILD_FAILED");
      const terminal = await status("supp");
      const lines = terminal.lines();
      expect(lines[0]).to.equal(`support ${id}`);
      expect(terminal.printed.out)
        .to.match(/^ {2}serves {4}main@[\da-f]{7}, revision [\da-f-]{36}$/m)
        .and.contain(`${t.platform.url}/agents/${id}\n`)
        .and.match(/^ {2}source {4}github /m)
        .and.match(/^ {2}variables A$/m);
      const { printed } = await status("supp", { limit: 1 });
      expect(printed.out).to.match(new RegExp(`^ {2}serves .* ${active}$`, "m"));
      expect(lines.slice(-2)).to.satisfy(([first = "", second = ""]) => {
        expect(first).to.match(new RegExp(`^ +${failed.id} +BUILD_FAILED +main@`));
        expect(second).to.match(new RegExp(`^▶ +${active} +DEPLOYED +main@.* \\d+s +\\d+s$`));
        return true;
      });
      for (const line of lines) expect(line.length, line).to.be.at.most(100);
      expect(terminal.printed.out).not.to.contain('"1"');
    });

    it("waits until the newest revision is done, and fails if it has failed", async () => {
      const { id } = await t.create({ name: "support" });
      expect((await status("support", { wait: true })).printed.out).to.contain("DEPLOYED");
      t.fails("DEPLOY_FAILED");
      await change(id);
      const failure = testTerminal();
      expect(await reasonOf(status("support", { wait: true }, failure))).to.match(
        new RegExp(
          `^deployment 'support', revision [\\da-f-]{36}: DEPLOY_FAILED; see \`npx pulumi-agentserver logs support --data-dir ${t.dataDir}\`$`,
        ),
      );
      expect(failure.printed.out).to.contain("DEPLOY_FAILED");
    });

    it("notes each stage of a wait once", () => {
      const terminal = testTerminal();
      const show = stageNotes(terminal);
      for (const [stage, seconds] of [
        ["BUILDING", 0],
        ["BUILDING", 2],
        ["DEPLOYING", 61],
      ] as const)
        show(stage, seconds * 1000);
      expect(terminal.printed.err).to.equal("BUILDING (0s)\nDEPLOYING (1m)\n");
    });

    it("takes the beginning of a name, and lists the candidates where it is that of several", async () => {
      for (const name of ["support", "supply", "billing"]) await t.create({ name });
      expect((await status("bill")).lines()[0]).to.match(/^billing /);
      const several = "'sup' is the beginning of several names: supply, support";
      expect(await reasonOf(status("sup"))).to.equal(several);
      await t.create({ name: "sup" });
      expect((await status("sup")).lines()[0]).to.match(/^sup /);
      for (const digit of "0123456789a") await t.create({ name: `many-${digit}` });
      expect(await reasonOf(status("many"))).to.match(/: many-a, .*, many-1, and 1 more$/);
    });

    it("takes the name of a resource of the selected stack first, and asks for an id where it has several", async () => {
      const one = await t.create({ name: "support" });
      const two = await t.create({ name: "support-7" });
      const urn = (name: string) => `urn:pulumi:prod::shop::agentserver:index:Deployment::${name}`;
      const resources = [
        { urn: urn("support"), id: two.id },
        { urn: urn("desk"), id: one.id },
        { urn: urn("desk"), id: two.id },
        { urn: urn("support-7"), id: OTHER },
      ];
      // The stack of the folder in which it is called, or of one around it.
      const script = "#!/bin/sh\ncat state.json || cat ../state.json\n";
      await writeFile(join(t.dataDir, "pulumi"), script, { mode: 0o755 });
      const state = JSON.stringify({ deployment: { resources } });
      await writeFile(join(t.dataDir, "state.json"), state);
      await writeFile(join(t.dataDir, "Pulumi.yaml"), "name: shop\n");
      const { PATH } = process.env;
      process.env["PATH"] = `${t.dataDir}:${PATH}`;
      const projectFolder = join(t.dataDir, "program");
      await mkdir(projectFolder);
      const terminal = await status("support", { projectFolder });
      const elsewhere = await status("support-7");
      const reason = await reasonOf(status("desk"));
      const deleted = testTerminal();
      const deletion = { deployment: "support", yes: true, timeoutSeconds: 60, json: false };
      await deleteDeployment({ ...where(), ...deletion, projectFolder }, deleted);
      process.env["PATH"] = PATH;
      expect(terminal.lines()[0]).to.equal(`support-7 ${two.id}`);
      expect(deleted.printed.err).to.contain("stack prod still has it: run `pulumi refresh` there");
      expect(terminal.printed.err).to.contain("deployment: support-7 (stack prod)\n");
      // The id that the stack has for it is of another control plane.
      expect(elsewhere.lines()[0]).to.equal(`support-7 ${two.id}`);
      expect(reason).to.equal(
        `stack prod has several deployments 'desk'; write the id: ${one.id} (${urn("desk")}), ${two.id} (${urn("desk")})`,
      );
    });

    it("names the nearest deployment when there is none of the name", async () => {
      const none = "deployment 'support' not found; there are no deployments";
      expect(await reasonOf(status("support"))).to.equal(none);
      await t.create({ name: "support" });
      const nearest = "deployment 'suport' not found; did you mean 'support'?";
      expect(await reasonOf(status("suport"))).to.equal(nearest);
      expect(await reasonOf(status(OTHER))).to.contain("not found");
    });
  });

  describe("redeploy, interrupt and delete", () => {
    const WORKS = { redeploy, interrupt, deleteDeployment };
    const done = async (
      verb: keyof typeof WORKS,
      deployment: string,
      changes: object = {},
      terminal = testTerminal(),
    ) => {
      const options = { yes: true, wait: false, timeoutSeconds: 60, revisionId: undefined };
      await WORKS[verb]({ ...where(), ...options, deployment, ...changes }, terminal);
      return terminal;
    };
    const untouched = async (terminal: TestTerminal, id: string) => {
      expect(terminal.printed.out).to.equal("");
      const { latest_revision_id: newest } = await t.get(id);
      const { status } = await t.untilRevision(id, "BUILDING", newest ?? "");
      expect(status).to.equal("BUILDING");
    };

    for (const verb of ["redeploy", "interrupt", "deleteDeployment"] as const)
      it(`${verb} wants the whole name, asks first, and does nothing without a yes, or where nobody can answer`, async () => {
        await t.restart({ stageSeconds: 3600 });
        const { id } = await t.create({ name: "support" });
        t.fails("DEPLOY_FAILED");
        await t.admin("POST", "/clock", { advanceSeconds: 3600 });
        expect(await reasonOf(done(verb, "supp"))).to.equal(
          "deployment 'supp' not found; this command needs the whole name or the id: support",
        );
        for (const answer of ["n", "", "yesterday", undefined]) {
          const terminal = testTerminal(answer === undefined ? {} : { answer });
          const reason = await reasonOf(done(verb, "support", { yes: false }, terminal));
          const why = answer === undefined ? "Nobody can answer" : "nothing was changed";
          expect(reason).to.contain(why);
          expect(terminal.questions[0] ?? reason)
            .to.contain("deployment 'support'")
            .and.contain(t.platform.url)
            .and.contain("?");
          await untouched(terminal, id);
        }
      });

    it("creates a revision like the newest, or like an earlier one", async () => {
      const { id, latest_revision_id: first } = await deployed("support");
      const yes = testTerminal({ answer: "y" });
      const terminal = await done("redeploy", "support", { yes: false }, yes);
      const { latest_revision_id: second } = await t.get(id);
      expect(second).not.to.equal(first);
      expect(terminal.printed.out).to.equal(
        `created revision ${second} of deployment 'support'\nwait for it with \`npx pulumi-agentserver status support --wait --data-dir ${t.dataDir}\`\n`,
      );
      await t.untilRevision(id, "DEPLOYED");
      const again = await done("redeploy", id, { revisionId: first, json: true, wait: true });
      const { latest_revision_id: third, active_revision_id: active } = await t.get(id);
      expect(active).to.equal(third);
      const shape = { deploymentId: id, name: "support", revisionId: third };
      expect(again.json()).to.deep.equal([shape]);
      const late = await reasonOf(done("redeploy", id, { wait: true, timeoutSeconds: 0 }));
      expect(late).to.match(/; wait on with `npx pulumi-agentserver status support --wait --data/);
      const unknown = done("redeploy", id, { revisionId: OTHER });
      expect(await reasonOf(unknown)).to.equal(
        `deployment 'support' does not have revision ${OTHER}; \`npx pulumi-agentserver status support --data-dir ${t.dataDir}\` lists them`,
      );
    });

    it("interrupts the revision in progress; of several, the one that is named", async () => {
      await t.restart({ stageSeconds: 3600 });
      const { id } = await t.create({ name: "support" });
      const interrupted = /^revision [\da-f-]{36} of deployment 'support': INTERRUPTED\n$/;
      expect((await done("interrupt", "support")).printed.out).to.match(interrupted);
      const none = "deployment 'support' does not have a revision in progress";
      expect(await reasonOf(done("interrupt", "support"))).to.equal(none);
      await change(id);
      const { latest_revision_id: first = "" } = await t.get(id);
      await t.request("PATCH", `/v2/deployments/${id}`, { secrets: [{ name: "B", value: "" }] });
      expect(await reasonOf(done("interrupt", "support")))
        .to.contain("several revisions of deployment 'support' are in progress")
        .and.contain(`${first} (`);
      const named = await done("interrupt", "support", { revisionId: first, json: true });
      const shape = { deploymentId: id, name: "support", revisionId: first };
      expect(named.json()).to.deep.equal([{ ...shape, status: "INTERRUPTED" }]);
    });

    it("interrupts no revision in a queue for the one that is built behind many skipped ones", async () => {
      await t.restart({ stageSeconds: 3600 });
      const { source_config: config } = aGitDeployment(t.integrationId);
      const source_config = { ...config, build_on_push: true };
      const { id } = await t.create({ name: "support", source_config });
      await t.admin("POST", "/clock", { advanceSeconds: 3600 });
      const { repo_url: repoUrl } = config;
      for (let n = 0; n < 22; n += 1)
        t.platform.admin.push({ repoUrl, ref: "main", sha: String(n).padStart(40, "0") });
      expect(await reasonOf(done("interrupt", id)))
        .to.contain("(CREATING)")
        .and.contain("(BUILDING)");
    });

    it("takes the id alone where Pulumi cannot read the stack, whose resource the name may be", async () => {
      const { id } = await deployed("support");
      await writeFile(join(t.dataDir, "Pulumi.yaml"), "name: shop\n");
      const { PATH } = process.env;
      process.env["PATH"] = `${t.dataDir}:${PATH}`;
      const failing = (reason: string) =>
        writeFile(join(t.dataDir, "pulumi"), `#!/bin/sh\necho error: ${reason} >&2; exit 255\n`, {
          mode: 0o755,
        });
      await failing("no answer");
      const terminal = testTerminal();
      const reason = await reasonOf(done("deleteDeployment", "support", {}, terminal));
      const byId = await done("redeploy", id);
      // As in a pipeline, where no stack is selected.
      await failing("PULUMI_ACCESS_TOKEN must be set for login");
      const { printed } = await done("redeploy", "support");
      process.env["PATH"] = PATH;
      expect(printed.out).to.contain("created revision");
      expect(printed.err).not.to.contain("stack");
      expect(reason).to.contain("'support' may be the name of a resource of the selected stack");
      expect(terminal.printed.err).to.contain("the selected stack cannot be read: no answer\n");
      expect(byId.printed.out).to.contain("created revision");
    });

    it("deletes, and waits until it is gone", async () => {
      const { id } = await deployed("support");
      const yes = testTerminal({ answer: " Yes" });
      const { printed } = await done("deleteDeployment", "support", { yes: false }, yes);
      expect(printed.out).to.equal("deleted deployment 'support'\n");
      expect((await t.request("GET", `/v2/deployments/${id}`)).status).to.equal(404);
      const other = await deployed("other");
      const json = await done("deleteDeployment", other.id, { json: true });
      expect(json.json()).to.deep.equal([{ deploymentId: other.id, name: "other", deleted: true }]);
    });
  });

  it("says what to check when the key is refused or another program answers, and what to start when nothing answers", async () => {
    const options = { ...where(), filters: {}, limit: 1, revisions: true, wide: false };
    const list = () => reasonOf(printList(options, testTerminal()));
    t.platform.admin.addFault({ match: {}, action: "status", status: 401, body: { detail: "no" } });
    expect(await list()).to.match(
      /^list deployments: 401 no; the key of \S+platform.json is for another local platform/,
    );
    for (const [status, body] of [
      [404, "<title>Error response</title>"],
      [200, "hello"],
    ] as const) {
      t.platform.admin.addFault({ match: {}, action: "status", status, body });
      const foreign =
        "is not the local platform of \\S+platform.json: another program has its port; ";
      const answered = `list deployments: ${status} `;
      expect(await list()).to.match(new RegExp(`^${t.platform.url} ${foreign}${answered}`));
    }
    const environment = { ...process.env };
    Object.assign(process.env, { AGENTSERVER_API_KEY: "no", AGENTSERVER_WORKSPACE_ID: OTHER });
    const elsewhere = { ...options, dataDir: undefined, baseUrl: t.platform.url };
    const reason = reasonOf(printList(elsewhere, testTerminal()));
    const refused = /^list deployments: 401 [^;]+; check AGENTSERVER_API_KEY$/;
    expect(await reason.finally(() => (process.env = environment))).to.match(refused);
    await t.platform.close();
    expect(await list()).to.equal(
      `cannot connect to the local platform at ${t.platform.url}; start it with \`npx pulumi-agentserver local --data-dir ${t.dataDir}\``,
    );
    await t.restart();
  });
});

describe("the deployments of a stack", () => {
  const own = (types: string, changes: object = {}) => ({
    urn: `urn:pulumi:prod::shop::${types}::support::a`,
    id: "1",
    ...changes,
  });
  const DYNAMIC = "pulumi-nodejs:dynamic/agentserver:Deployment";
  const resources: readonly [what: string, resource: object, count: number][] = [
    ["of the dynamic provider", own(DYNAMIC), 1],
    ["of the native provider", own("agentserver:index:Deployment"), 1],
    ["in components", own(`acme:index:Team$acme:x:Desk$${DYNAMIC}`), 1],
    ["below a deployment, of another kind", own(`${DYNAMIC}$agentserver:index:Thread`), 0],
    ["of another package", own("kubernetes:apps/v1:Deployment"), 0],
    ["that is only read", own(DYNAMIC, { external: true }), 0],
    ["that is being deleted", own(DYNAMIC, { delete: true }), 0],
  ];
  for (const [what, resource, count] of resources)
    it(`${count === 1 ? "have" : "lack"} one ${what}`, () => {
      const found = deploymentsIn(JSON.stringify({ deployment: { resources: [resource] } }));
      const expected = count === 1 ? [["prod", "support::a"]] : [];
      expect(found.map(({ stack, logicalName }) => [stack, logicalName])).to.deep.equal(expected);
    });
});
