/** What is always secret of a kind of resource. */
export interface Secrets {
  /** Paths of inputs, in which `*` stands for each member. The outputs of these paths are secret too. */
  readonly inputs: readonly string[];
  /** Names of other outputs. */
  readonly outputs: readonly string[];
}

/** The one table of it: the lifecycles, the classes, the functions and the schema of the other languages follow it. */
export const SECRETS = {
  Deployment: { inputs: ["secrets.*", "smokeCheck.apiKey"], outputs: ["lastGoodInputs"] },
  OAuthProvider: { inputs: ["clientSecret"], outputs: [] },
  Thread: { inputs: ["apiKey"], outputs: ["config"] },
} satisfies Record<string, Secrets>;

/** Paths of the outputs that are always secret; what has only secret members is secret as a whole. */
export function secretOutputsOf({ inputs, outputs }: Secrets): string[] {
  return [...inputs.map((path) => path.replace(/\.\*$/, "")), ...outputs];
}

/** Names of those that are secret as a whole, as the option `additionalSecretOutputs` takes them. */
export function additionalSecretOutputs(secrets: Secrets): string[] {
  return secretOutputsOf(secrets).filter((path) => !path.includes("."));
}
