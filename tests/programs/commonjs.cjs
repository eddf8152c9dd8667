"use strict";
const pulumi = require("@pulumi/pulumi");
const agentserver = require("pulumi-agentserver");

/** A component whose children are made when what it needs has been read. */
class Team extends pulumi.ComponentResource {
  constructor(name, args, options) {
    super("shop:index:Team", name, args, options);
  }

  async initialize({ level }) {
    const { id } = await agentserver.getIntegration({}, { parent: this });
    const agent = (role) =>
      new agentserver.Deployment(
        role,
        {
          source: "git_host",
          sourceConfig: {
            integrationId: id,
            repoUrl: `https://git.example.com/acme/${role}.git`,
            deploymentType: "dev",
          },
          sourceRevisionConfig: { repoRef: "main", graphConfigPath: "langgraph.json" },
          env: role === "mail" ? { LOG_LEVEL: level } : {},
        },
        { parent: this },
      );
    const [chat, mail] = [agent("chat"), agent("mail")];
    this.registerOutputs({ chat: chat.url, mail: mail.url });
    return { chat: chat.url, mail: mail.url };
  }
}

exports.program = async (_settings, version) => {
  const team = new Team("team", { level: version === 1 ? "info" : "debug" });
  return team.getData();
};

exports.expected = {
  tier: "long",
  steps: { "Team team": "update", "Team$Deployment mail": "update" },
  kept: ["chat", "mail"],
};
