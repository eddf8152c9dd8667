import { secret } from "@pulumi/pulumi";
import { expect } from "chai";
import { describeFrontEnds } from "../support/front-ends";
import { settingsFor, TestStack } from "../support/engine";
import { startTestPlatform, type TestPlatform } from "../support/platform";
import { gitArgs, supportProgram } from "../support/program";
import { untyped } from "../support/values";

describeFrontEnds(
  "settings and bad input on the real engine",
  (frontEnd) => {
    const { Deployment } = frontEnd.sdk;
    let test: TestPlatform;
    const stacks: TestStack[] = [];
    const stackWith: typeof TestStack.create = async (config, program) => {
      const stack = await TestStack.create(config, program, frontEnd);
      stacks.push(stack);
      return stack;
    };

    before(async () => {
      test = await startTestPlatform();
    });
    after(async () => {
      await Promise.all(stacks.map((stack) => stack.remove()));
      await test.close();
    });

    it("names every wrong argument at the preview, by its path, and prints no secret", async () => {
      const hidden = { key: secret("value-CANARY") };
      const stack = await stackWith(settingsFor(test.platform), async () => {
        const { url } = new Deployment("support", {
          ...gitArgs(test),
          sourceConfig: { integrationId: "none", deploymentType: "dev" },
          secrets: { PORT: "value-CANARY" },
          ...untyped({ secret: hidden, smokeCheck: [hidden], wait: [hidden] }),
        });
        return { url };
      });
      const { ok, text } = await stack.preview();
      expect(ok).to.equal(false);
      for (const problem of [
        "sourceConfig.integrationId must be a UUID",
        "sourceConfig.repoUrl is required",
        "secrets.PORT ",
        "unknown argument 'secret'",
        "smokeCheck must be",
        "wait must be",
      ])
        expect(text).to.contain(`has a problem: ${problem}`);
      expect(text).not.to.contain("CANARY").and.not.to.contain("nil");
    });

    const STORED =
      "`pulumi refresh` and `pulumi destroy` use the configuration of the last run of the program: after a change run `pulumi up` first, or add --run-program";
    const keyIs = (value: string) => ({ "agentserver:apiKey": { value, secret: true } });

    it("says that a corrected key needs `pulumi up` before a refresh and a destroy have it", async () => {
      const { apiKey } = test.platform;
      const args = { ...gitArgs(test), name: "corrected" };
      const stack = await stackWith(settingsFor(test.platform), supportProgram(args));
      expect((await stack.up()).ok).to.equal(true);
      await stack.configure(keyIs("wrong"));
      // The refresh still has the right key.
      expect((await stack.refresh()).ok).to.equal(true);
      // Nothing changes, so nothing is requested.
      expect((await stack.up()).changes).to.include({ same: 2 });
      await stack.configure(keyIs(apiKey));
      for (const run of [await stack.refresh(), await stack.destroy()]) {
        expect(run.ok).to.equal(false);
        expect(run.messages.join("\n")).to.contain("401 unknown API key; check agentserver:apiKey");
        expect(run.messages.join("\n")).to.contain(STORED);
      }
      expect((await stack.up()).ok).to.equal(true);
      await stack.configure(keyIs("wrong"));
      // It fails, and counts all the same.
      expect((await stack.refresh({ runProgram: true })).text).to.contain("401");
      await stack.configure(keyIs(apiKey));
      expect((await stack.refresh()).text).to.contain("401");
      expect((await stack.refresh({ runProgram: true })).ok).to.equal(true);
      expect((await stack.destroy()).ok).to.equal(true);
    });

    it("names the command where the configuration has a key in clear, and keeps it in clear nowhere", async () => {
      const { apiKey: value } = test.platform;
      const config = { ...settingsFor(test.platform), "agentserver:apiKey": { value } };
      const args = { ...gitArgs(test), name: "plain" };
      const stack = await stackWith(config, supportProgram(args));
      const { ok, messages } = await stack.up();
      expect(ok).to.equal(frontEnd.name === "native");
      expect(messages.join("\n")).to.contain("run `pulumi config set --secret agentserver:apiKey`");
      expect(await stack.stateFiles("stacks")).not.to.contain(value);
      await stack.configure(keyIs(value));
      expect((await stack.up()).messages.join("\n")).not.to.contain("must be secret");
    });

    it("reads the environment afresh at a refresh", async () => {
      const { "agentserver:apiKey": _, ...config } = settingsFor(test.platform);
      const args = { ...gitArgs(test), name: "environment" };
      const stack = await stackWith(config, supportProgram(args));
      try {
        process.env["AGENTSERVER_API_KEY"] = test.platform.apiKey;
        expect((await stack.up()).ok).to.equal(true);
        process.env["AGENTSERVER_API_KEY"] = "wrong";
        expect((await stack.refresh()).text).to.contain("401");
        process.env["AGENTSERVER_API_KEY"] = test.platform.apiKey;
        expect((await stack.refresh()).ok).to.equal(true);
      } finally {
        delete process.env["AGENTSERVER_API_KEY"];
      }
    });

    it("says in one sentence, without a stack, that a control plane is out of reach", async () => {
      const config = settingsFor(test.platform);
      config["agentserver:baseUrl"] = { value: "http://127.0.0.1:9" };
      const stack = await stackWith(config, supportProgram(gitArgs(test)));
      const { ok, text, messages } = await stack.up();
      expect(ok).to.equal(false);
      expect(messages.join("\n")).to.contain("no connection to http://127.0.0.1:9");
      expect(text).not.to.match(/^\s+at /m);
    });

    it("drops a deployment that is surely gone at a refresh", async () => {
      const stack = await stackWith(settingsFor(test.platform), supportProgram(gitArgs(test)));
      await stack.up();
      const { id } = await stack.deployment();
      await test.request("DELETE", `/v2/deployments/${id}`);
      await test.untilGone(id);
      await stack.refresh();
      expect(await stack.deployments()).to.be.empty;
    });

    it("reads a deployment that another program manages with every output, its variables being secret", async () => {
      const { id, name } = await test.create({ name: "theirs" });
      const stack = await stackWith(settingsFor(test.platform), async () => {
        const theirs = Deployment.get("theirs", id);
        return { name: theirs.name, url: theirs.url, secrets: theirs.secrets };
      });
      const { ok, text } = await stack.up();
      expect(ok, text).to.equal(true);
      const outputs = await stack.outputs();
      expect(outputs["name"]?.value).to.equal(name);
      expect(outputs["url"]?.value).to.contain(id);
      expect(outputs["secrets"]).to.deep.equal({ value: { LOG_LEVEL: "info" }, secret: true });
    });

    it("encrypts variables that a refresh brings in, of its own deployments and of others'", async () => {
      const theirs = await test.create({
        name: "others",
        secrets: [{ name: "A", value: "value-CANARY-1" }],
      });
      const stack = await stackWith(settingsFor(test.platform), async () => {
        const { url } = new Deployment("own", { ...gitArgs(test), env: { LOG_LEVEL: "info" } });
        return { url, other: Deployment.get("theirs", theirs.id).url };
      });
      expect((await stack.up()).ok).to.equal(true);
      const own = (await stack.deployments()).find(({ outputs }) => "env" in outputs);
      const secrets = [
        { name: "LOG_LEVEL", value: "info" },
        { name: "ADDED", value: "value-CANARY-2" },
      ];
      await test.request("PATCH", `/v2/deployments/${own?.id}`, { secrets });
      const { ok, text } = await stack.refresh();
      expect(ok, text).to.equal(true);
      expect(JSON.stringify(await stack.resources())).to.contain("ADDED");
      expect(await stack.stateFiles()).not.to.contain("CANARY");
    });
  },
  { dynamic: "nightly", native: "nightly" },
);
