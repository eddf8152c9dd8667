/** The way of declaring deployments that is measured. */
export const OURS = "pulumi-agentserver";

/** What it is compared with: the same written by hand, serialised into the state, or reached by a constant text. */
export const FLOORS = ["dynamic.Resource", "constant text"] as const;

export const KINDS = [OURS, ...FLOORS] as const;
export type Kind = (typeof KINDS)[number];
