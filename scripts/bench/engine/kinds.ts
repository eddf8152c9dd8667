/** The way of declaring deployments that is measured. */
export const OURS = "pulumi-agentserver";

/** The same classes on the native provider. */
export const NATIVE = "pulumi-agentserver/native";

/** What it is compared with: the same written by hand, serialised into the state, or reached by a constant text. */
export const FLOORS = ["dynamic.Resource", "constant text"] as const;

export const KINDS = [OURS, NATIVE, ...FLOORS] as const;
export type Kind = (typeof KINDS)[number];
