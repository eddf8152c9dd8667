import type { Deployment, Revision } from "pulumi-agentserver/sdk";

/** A deployment as a control plane answers, with what a test cares about in it. */
export function aDeployment(members: Partial<Deployment> = {}): Deployment {
  return {
    id: "11111111-1111-4111-8111-111111111111",
    tenant_id: "22222222-2222-4222-8222-222222222222",
    name: "support",
    source: "git_host",
    source_config: {},
    source_revision_config: {},
    secrets: [],
    status: "READY",
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: "2026-01-01T00:00:00.000Z",
    latest_revision_id: "33333333-3333-4333-8333-333333333333",
    active_revision_id: "33333333-3333-4333-8333-333333333333",
    image_version: null,
    ...members,
  };
}

/** A revision as a control plane answers. */
export function aRevision(members: Partial<Revision> = {}): Revision {
  return { id: "33333333-3333-4333-8333-333333333333", status: "DEPLOYED", ...members };
}

/** Variables as a control plane has them; undefined for one whose value it does not give. */
export const variablesOf = (values: Readonly<Record<string, string | undefined>>) =>
  Object.entries(values).map(([name, value]) => ({
    name,
    ...(value !== undefined && { value }),
  }));

/** The body of a create of an OAuth provider. */
export const anOAuthProvider = (members: object = {}) => ({
  provider_id: "tracker",
  name: "Tracker",
  client_id: "client",
  auth_url: "https://id.example.com/authorize",
  token_url: "https://id.example.com/token",
  ...members,
});

/** Time that passes only by `sleep`; every pause is remembered. */
export function aClock() {
  const clock = {
    time: Date.parse("2026-01-01T00:00:00.000Z"),
    pauses: new Array<number>(),
    now: () => clock.time,
    random: () => 1,
    sleep: async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      signal?.throwIfAborted();
      clock.pauses.push(milliseconds);
      clock.time += milliseconds;
    },
  };
  return clock;
}
