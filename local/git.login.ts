import type { Environment, Keeper } from "./keeper";

/** What the user's own configuration says of how to reach a server and log in there. */
const SETTINGS = "^(credential|http|url)\\.|^core\\.sshcommand$";

/**
 * Those settings in the form in which git takes them from its environment, so that everything else of the user's and
 * the system's configuration can be left out. In the environment, not in arguments: they may hold a token.
 */
export async function loginSettings(
  keeper: Keeper,
  environment: Environment,
): Promise<Environment> {
  const found: string[] = [];
  const command = {
    file: "git",
    args: ["config", "--includes", "--null", "--get-regexp", SETTINGS],
    cwd: "/",
    environment,
    onLine: (line: string, stream: "stdout" | "stderr") => {
      if (stream === "stdout") found.push(line);
    },
  };
  await keeper.start(command).ended; // nothing set is exit code 1
  const entries = found.join("\n").split("\0").filter(Boolean);
  const variables = entries.flatMap((entry, index) => {
    const [key, ...value] = entry.split("\n");
    const text = value.length > 0 ? value.join("\n") : "true"; // a name alone means true
    return [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, text],
    ];
  });
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(variables) };
}
