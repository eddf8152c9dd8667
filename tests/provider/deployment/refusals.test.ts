import { expect } from "chai";
import { deploymentLifecycle as lifecycle } from "../../../provider/deployment/lifecycle";
import type { Props } from "../../../provider/arguments/props";
import { type Made, useDeployments } from "../../support/deployment-lifecycle";
import { rejection } from "../../support/rejection";
import { json } from "../../support/http";

describe("the last variable of a deployment", () => {
  let keeps = false;
  beforeEach(() => void (keeps = false));
  const stack = useDeployments({
    meddle: async ({ method, url, body }, response, pass) => {
      if (!keeps || method !== "PATCH") return pass();
      // As the public service takes an empty list.
      const { secrets: _, ...rest } = JSON.parse(body);
      const answer = await stack.test.request(method, url, rest);
      return json(response, answer.status, answer.body);
    },
  });
  const having = (env: Props): Props => stack.git("main", { env });
  const update = (made: Made, env: Props) => stack.update(made, having(env));

  it("is removed by one revision, and the next refresh shows no drift", async () => {
    const made = await stack.create(having({ KEY: "value" }));
    const updated = await update(made, {});
    const { secrets, latest_revision_id: latestRevisionId } = await stack.get(made.id);
    expect(secrets).to.be.empty;
    expect(updated.outs).to.deep.include({ env: {}, ready: true, latestRevisionId });
    expect(latestRevisionId).not.to.equal(made.outs["latestRevisionId"]);
    expect((await stack.read(updated)).inputs).to.deep.include({ env: {} });
    expect(stack.patches()).to.equal(1);
  });

  it("is removed though the service keeps those that it adds itself", async () => {
    const made = await stack.create(having({ KEY: "value", LOG_JSON: "1" }));
    await stack.changeElsewhere(made.id, { secrets: [{ name: "LOG_JSON", value: "1" }] });
    keeps = true;
    expect((await update(made, {})).outs).to.deep.include({ env: {} });
  });

  it("is named in an error where the service keeps it after an empty list", async () => {
    const made = await stack.create(having({ KEY: "value" }));
    keeps = true;
    const { message } = await rejection(update(made, {}));
    expect(message).to.contain("the service still has variable KEY after an empty list");
  });
});

describe("the first command of a deployment", () => {
  const stack = useDeployments();

  it("is refused to be removed at the preview already where it failed, not at a refresh, and the way out works", async () => {
    const declared = (config: Props = {}) => stack.git("main", { name: "support" }, config);
    const made = await stack.create(declared());
    stack.fails();
    const failing = stack.update(made, declared({ installCommand: "npm broken" }));
    const failed = await stack.failed(failing);

    // The engine keeps the old inputs and the new outputs; a refresh asks no check.
    const inputs = await stack.checked(declared());
    const processCache = { ...stack.context().processCache, existing: new Map<string, Props>() };
    const refresh = { ...stack.context(), processCache };
    expect(() => stack.diff(failed, inputs, refresh)).not.to.throw();

    const { inputs: reverted = {} } = await lifecycle.check(inputs, declared(), stack.context());
    expect(() => stack.diff(failed, reverted)).to.throw(
      /installCommand can't be removed.*`npm ci`/,
    );
    const fixed = declared({ installCommand: "npm ci" });
    stack.diff(failed, await stack.checked(fixed, inputs));
    expect((await stack.update(failed, fixed)).outs).to.include({ ready: true });
    expect((await stack.get(made.id)).source_config.install_command).to.equal("npm ci");
  });
});
