import * as pulumi from "@pulumi/pulumi";
import * as agentserver from "pulumi-agentserver";

const config = new pulumi.Config();

/** The source to run: a branch, or a tag in full as in `refs/tags/v1.4.0`; or the one that another stack runs. */
const promoteFrom = config.get("promoteFrom");
const ref = promoteFrom ? releaseOf(promoteFrom) : pulumi.output(config.require("ref"));
const image = config.get("image");

const support = new agentserver.Deployment(
  "support",
  {
    ...(image ? releasedAs(image) : builtFrom(config.require("repoUrl"))),
    env: { LOG_LEVEL: config.require("logLevel") },
    secrets: { MODEL_API_KEY: config.requireSecret("modelApiKey") },
    smokeCheck: true,
    onFailure: config.get<"keep" | "rollback">("onFailure") ?? "keep",
  },
  { protect: config.getBoolean("protect") ?? false },
);

export const url = support.url;
export const revision = support.activeRevisionId;
/** Nothing while the newest revision does not run: what failed here is promoted nowhere. */
export const release = pulumi
  .all([ref, support.ready])
  .apply(([name, ready]) => (ready ? name : undefined));

/** The control plane builds the ref itself, and a branch anew with each push. */
function builtFrom(repoUrl: string): agentserver.GitHostDeploymentArgs {
  return {
    source: "git_host",
    sourceConfig: {
      integrationId: agentserver.getIntegrationOutput().id,
      repoUrl,
      deploymentType: config.require<"dev" | "prod">("deploymentType"),
      buildOnPush: ref.apply((name) => !name.startsWith("refs/tags/")),
    },
    sourceRevisionConfig: { repoRef: ref, graphConfigPath: "langgraph.json" },
  };
}

/** An installation of our own runs the image that was built of the tag, at the size that it is given. */
function releasedAs(repository: string): agentserver.ExternalContainerDeploymentArgs {
  const tag = ref.apply((name) => name.replace("refs/tags/", ""));
  return {
    source: "external_container",
    sourceConfig: { resourceSpec: config.requireObject<agentserver.ResourceSpecArgs>("size") },
    sourceRevisionConfig: { imageUri: pulumi.interpolate`${repository}:${tag}` },
  };
}

/** The source that another stack of this project runs. */
function releaseOf(stack: string): pulumi.Output<string> {
  const name = `${pulumi.getOrganization()}/${pulumi.getProject()}/${stack}`;
  return new pulumi.StackReference(name).getOutput("release").apply((found) => {
    if (typeof found === "string") return found;
    throw new pulumi.RunError(`${stack} runs no release: \`pulumi up --stack ${stack}\` first`);
  });
}
