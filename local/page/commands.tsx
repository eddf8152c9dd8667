import type { FC } from "hono/jsx";
import { hasFailed } from "../../sdk/status";
import { hasEnded } from "../rollout/machine";
import type { StoredDeployment, StoredRevision } from "../store";
import { Copyable } from "./pieces";
import { shellWord } from "./words";

/** A command, and what it is for. */
interface Command {
  readonly purpose: string;
  readonly text: string;
}

/** Commands for the next step, which depends on the state. */
export const NextCommands: FC<{ deployment: StoredDeployment; latest: StoredRevision }> = ({
  deployment,
  latest,
}) => (
  <section aria-labelledby="next-title">
    <h2 id="next-title">Next</h2>
    <dl class="commands">
      {commandsOf(deployment, latest).map(({ purpose, text }) => (
        <>
          <dt>{purpose}</dt>
          <dd>
            <Copyable text={text} what={`the command: ${purpose}`} />
          </dd>
        </>
      ))}
    </dl>
  </section>
);

function commandsOf(deployment: StoredDeployment, latest: StoredRevision): Command[] {
  const name = shellWord(deployment.name);
  const ours = (command: string) => `npx pulumi-agentserver ${command}`;
  if (deployment.status === "AWAITING_DELETE") return [];
  if (!hasEnded(latest.status))
    return [
      { purpose: "Wait until it is done", text: ours(`status ${name} --wait`) },
      { purpose: "Follow the log", text: ours(`logs ${name} --follow`) },
      { purpose: "Stop this revision", text: ours(`interrupt ${name}`) },
    ];
  const again = { purpose: "Deploy the same again", text: ours(`redeploy ${name}`) };
  if (hasFailed(latest.status))
    return [
      { purpose: "Fix the cause, then deploy", text: "pulumi up" },
      again,
      { purpose: "Read the log", text: ours(`logs ${name}`) },
    ];
  return [
    { purpose: "See what it answers", text: `curl ${deployment.url}/info` },
    { purpose: "Create a thread", text: `curl ${deployment.url}/threads --json '{}'` },
    {
      purpose: "Follow the agent server's output",
      text: ours(`logs ${name} --type server --follow`),
    },
    again,
  ];
}
