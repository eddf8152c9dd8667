import type { FC } from "hono/jsx";
import { hasFailed } from "../../sdk/status";
import { npxCommand } from "../platform/identity-file";
import { hasEnded } from "../rollout/machine";
import type { StoredDeployment, StoredRevision } from "../store";
import type { PlatformFacts } from "./parts";
import { Copyable } from "./pieces";
import { type Command, curl, runCommand } from "./runs";
import { shellWord } from "./words";

export const Commands: FC<{ commands: readonly Command[] }> = ({ commands }) => (
  <dl class="commands">
    {commands.map(({ purpose, text }) => (
      <>
        <dt>{purpose}</dt>
        <dd>
          <Copyable text={text} what={`the command: ${purpose}`} />
        </dd>
      </>
    ))}
  </dl>
);

interface NextProps {
  readonly facts: PlatformFacts;
  readonly deployment: StoredDeployment;
  readonly latest: StoredRevision;
  /** A graph that its server runs. */
  readonly graph?: string | undefined;
}

/** Commands for the next step, which depends on the state. */
export const NextCommands: FC<NextProps> = (props) => (
  <section aria-labelledby="next-title">
    <h2 id="next-title">Next</h2>
    <Commands commands={commandsOf(props)} />
  </section>
);

function commandsOf({ facts, deployment, latest, graph }: NextProps): Command[] {
  const name = shellWord(deployment.name);
  const ours = (words: string) => npxCommand(words, facts.dataDir);
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
    ...(graph === undefined ? [] : [runCommand(facts, deployment, graph)]),
    { purpose: "See what it answers", text: curl(facts, deployment, "/info") },
    { purpose: "Create a thread", text: curl(facts, deployment, "/threads", {}) },
    {
      purpose: "Follow the agent server's output",
      text: ours(`logs ${name} --type server --follow`),
    },
    again,
  ];
}
