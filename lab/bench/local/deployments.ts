import { join } from "node:path";
import { measure, type Request } from "../load";
import { clientOf, startPlatform } from "../servers";
import type { Run } from "../run";
import { CONNECTIONS, entryOf, get, type Operation, post, type Subject } from "./requests";

/** The deployments that requests name, and a request that creates another. */
interface Deployments {
  readonly ids: readonly string[];
  readonly create: () => Request;
}

/** The first list page, of as many deployments as the smaller platform has. */
export const FIRST_PAGE = get("/v2/deployments?limit=10");

/** The measurements of the control plane; those that create come last, and their deployments stay. */
export const DEPLOYMENT_OPERATIONS: readonly Operation<Deployments>[] = [
  { name: "list, first page of 10", request: () => FIRST_PAGE },
  {
    name: "GET by id",
    request: ({ ids }, index) => get(`/v2/deployments/${entryOf(ids, index)}`),
  },
  { name: "create", request: ({ create }) => create() },
];

/** Starts a platform with the simulated driver in a folder of its own, and creates so many deployments. */
export async function startDeployments(
  run: Run,
  count: number,
): Promise<Subject<Deployments> & { readonly dataDir: string }> {
  const name = `${count.toLocaleString("en")} deployments`;
  const dataDir = join(run.folder, name);
  const server = await startPlatform(run, dataDir, "simulated");
  const { controlPlane, bodyOf } = await clientOf(server, run.signal);
  let created = 0;
  const repository = "https://git.example.com/acme/support.git";
  const create = () => post("/v2/deployments", bodyOf(`agent-${(created += 1)}`, repository));
  await measure(server, { connections: CONNECTIONS, requests: count }, create, run);
  const ids: string[] = [];
  for await (const { id } of controlPlane.deployments.list({}, { signal: run.signal }))
    ids.push(id);
  return { name, server, entries: { ids, create }, dataDir };
}
