import type { ServerResponse } from "node:http";
import type { Deployment, Revision } from "pulumi-agentserver/sdk";
import { aDeployment, aRevision } from "./builders";
import { json, type Received, startServer, type TestServer } from "./http";

/** An answer: a status of what is asked for, its members, or the number of an error; without one there is none. */
type Says<Members> = string | number | Members | undefined;

interface Script {
  readonly deployment?: () => Says<Partial<Deployment>>;
  /** By default a revision that runs. */
  readonly revisions?: (query: URLSearchParams) => Says<readonly Partial<Revision>[]>;
  /** By default what the list has. */
  readonly revision?: (id: string) => Says<Partial<Revision>>;
  /** The lines of each log, the newest last; by default none. */
  readonly log?: () => Says<readonly string[]>;
  /** Whether it answers a request itself, or leaves it without an answer; `count` is the number of the request. */
  readonly meddle?: (request: Received, response: ServerResponse, count: number) => boolean;
}

/** A control plane of one deployment for each test of the `describe`, which scripts it. */
export function useControlPlane() {
  let server: TestServer | undefined;
  const close = async () => server?.close();
  afterEach(close);
  return {
    /** Starts it, after the former one is closed; its URL. */
    async serve(script: Script): Promise<string> {
      await close();
      server = await startServer((request, response, count) => {
        if (script.meddle?.(request, response, count)) return;
        answer(script, new URL(request.url, "http://localhost"), response);
      });
      return server.url;
    },
    received: (): readonly Received[] => server?.received ?? [],
  };
}

function answer(script: Script, { pathname, searchParams }: URL, response: ServerResponse): void {
  const { deployment = () => ({}), revisions = () => [{}], log = () => [] } = script;
  const say = <Members>(
    says: Says<Members>,
    body: (members: Members | { status: string }) => unknown,
  ) => {
    if (typeof says === "number") json(response, says, { detail: "an error" });
    else if (says !== undefined)
      json(response, 200, body(typeof says === "string" ? { status: says } : says));
  };
  if (pathname.endsWith("/logs"))
    return say(log(), (lines) => {
      const newest = Array.isArray(lines) ? lines.toReversed() : [];
      const limit = Number(searchParams.get("limit"));
      return { logs: newest.slice(0, limit).map((message: string) => ({ message })) };
    });
  if (pathname.endsWith("/revisions"))
    return say(revisions(searchParams), (listed) => ({
      resources: Array.isArray(listed) ? listed.map(aRevision) : [],
    }));
  const id = /revisions\/([^/]+)$/.exec(pathname)?.[1];
  const isList = pathname.endsWith("/deployments");
  if (id === undefined)
    return say(deployment(), (members) =>
      isList ? { resources: [aDeployment(members)], offset: 1 } : aDeployment(members),
    );
  const {
    revision = () => {
      const listed = revisions(new URLSearchParams());
      const isIt = (one: Partial<Revision>) => aRevision(one).id === id;
      return Array.isArray(listed) ? (listed.find(isIt) ?? 404) : 404;
    },
  } = script;
  say(revision(id), (members) => aRevision({ id, ...members }));
}
