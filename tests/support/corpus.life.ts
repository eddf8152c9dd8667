import { expect } from "chai";
import {
  DeploymentsList,
  IntegrationsList,
  ListenersList,
  OAuthProvidersList,
} from "../../sdk/schema";
import { changesOf, type Expected, type Place, type Settings } from "./corpus";
import type { TestStack } from "./engine";
import type { TestPlatform } from "./platform";
import type { Run } from "./run";
import { parsed } from "./values";

/** A program's stack, and how it gets another version. */
export interface Subject {
  readonly stack: TestStack;
  readonly declare: (version: number) => Promise<void> | void;
}

/** Two new workspaces on a platform: a program's own and a further one. */
export async function makeSettings(test: TestPlatform): Promise<Settings> {
  const [own, second] = await Promise.all([makePlace(test), makePlace(test)]);
  return { ...own, second };
}

/**
 * Takes a program through its life: it is created, previews nothing, changes what it should and nothing else, previews
 * nothing after a refresh, and is destroyed without leaving anything. Unless it `refreshes`, the last preview does.
 */
export async function livesThrough(
  { stack, declare }: Subject,
  { steps, kept = [] }: Expected,
  settings: Settings,
  { test, refreshes }: { readonly test: TestPlatform; readonly refreshes: boolean },
): Promise<void> {
  const outputs = async () => {
    const all = await stack.stored();
    return all.find(({ urn }) => urn.includes("::pulumi:pulumi:Stack::"))?.outputs ?? {};
  };

  await declare(1);
  green("the first up", await stack.up());
  expect(changesOf(green("a preview", await stack.preview())), "a preview").to.deep.equal({});
  const before = await outputs();

  await declare(2);
  const change = green("the change", await stack.up());
  expect(changesOf(change), "the change").to.deep.equal(steps);
  const after = await outputs();
  for (const name of kept) expect(after[name], `the output ${name}`).to.deep.equal(before[name]);

  if (refreshes) {
    const refresh = green("a refresh", await stack.refresh());
    expect(changesOf(refresh), "a refresh").to.deep.equal({});
  }
  const preview = green("a preview after it", await stack.preview({ refresh: !refreshes }));
  expect(changesOf(preview), "a preview after it").to.deep.equal({});

  green("the destroy", await stack.destroy());
  expect(await stack.stored(), "the state after the destroy").to.deep.equal([]);
  expect(await left(test, settings), "the control plane after it").to.deep.equal([]);
}

function green(what: string, run: Run): Run {
  expect(run.ok, `${what} failed: ${run.text}\n${run.messages.join("\n")}`).to.equal(true);
  return run;
}

async function makePlace(test: TestPlatform): Promise<Place> {
  const { url: baseUrl } = test.platform;
  const { apiKey, workspaceId } = test.platform.admin.addWorkspace("a program's");
  const get = reading(test, { apiKey, workspaceId });
  const [integration] = parsed(IntegrationsList, await get("/v1/integrations/git_host/install"));
  const [listener] = parsed(ListenersList, await get("/v2/listeners")).resources;
  const listenerId = listener?.id ?? "";
  return { baseUrl, apiKey, workspaceId, integrationId: integration?.id ?? "", listenerId };
}

/** Names of what there is in a program's workspaces beyond what they were made with. */
async function left(test: TestPlatform, settings: Settings): Promise<string[]> {
  const places = [settings, settings.second].map(async (place) => {
    const get = reading(test, place);
    const { resources: deployments } = parsed(DeploymentsList, await get("/v2/deployments"));
    const { resources: listeners } = parsed(ListenersList, await get("/v2/listeners"));
    const providers = parsed(OAuthProvidersList, await get("/v2/auth/providers"));
    return [
      ...providers.map((provider) => provider.provider_id),
      ...deployments.map(({ name }) => name),
      ...listeners.filter(({ id }) => id !== place.listenerId).map((one) => one.compute_id),
    ];
  });
  return (await Promise.all(places)).flat();
}

function reading(test: TestPlatform, place: Pick<Place, "apiKey" | "workspaceId">) {
  const headers = { "X-Api-Key": place.apiKey, "X-Tenant-Id": place.workspaceId };
  return async (path: string) => (await test.request("GET", path, undefined, headers)).body;
}
