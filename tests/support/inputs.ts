/** The URN of the deployment in tests of the lifecycle. */
export const URN = "urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Deployment::support";

/** The least that a deployment from a git repository needs. */
export const GIT_INPUTS = {
  source: "git_host",
  sourceConfig: {
    integrationId: "44444444-4444-4444-8444-444444444444",
    repoUrl: "https://git.example.com/acme/support.git",
    deploymentType: "dev",
  },
  sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
};

/** The least that a deployment from an image needs. */
export const IMAGE_INPUTS = {
  source: "external_container",
  sourceConfig: {},
  sourceRevisionConfig: { imageUri: "registry.example.com/support:1" },
};

/** The least that an OAuth provider needs. */
export const OAUTH_INPUTS = {
  providerId: "tracker",
  name: "Tracker",
  clientId: "client",
  authUrl: "https://id.example.com/authorize",
  tokenUrl: "https://id.example.com/token",
};

/** The same, and all that it can have but a secret. */
export const EVERY_OAUTH_INPUT = {
  ...OAUTH_INPUTS,
  usesPkce: true,
  codeChallengeMethod: "plain",
  providerType: "slack",
  tokenEndpointAuthMethod: "client_secret_basic",
};

/** Inputs with changes in where they come from. */
export const withConfig = <Inputs extends { readonly sourceConfig: object }>(
  inputs: Inputs,
  members: object,
) => ({ ...inputs, sourceConfig: { ...inputs.sourceConfig, ...members } });

/** Inputs from git with changes in what a revision is made of. */
export const withSource = (members: object) => ({
  ...GIT_INPUTS,
  sourceRevisionConfig: { ...GIT_INPUTS.sourceRevisionConfig, ...members },
});

/** Inputs from an image, of this size. */
export const sized = (resourceSpec: unknown) => withConfig(IMAGE_INPUTS, { resourceSpec });
