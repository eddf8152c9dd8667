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
    args: ["config", "--includes", "--get-regexp", SETTINGS],
    cwd: "/",
    environment,
    onLine: (line: string, stream: "stdout" | "stderr") => {
      if (stream === "stdout") found.push(line);
    },
  };
  await keeper.start(command).ended; // nothing set is exit code 1
  const pairs = found.flatMap((line, index) => {
    const space = line.indexOf(" ");
    const [key, value] = space < 0 ? [line, "true"] : [line.slice(0, space), line.slice(space + 1)];
    return [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ];
  });
  return { GIT_CONFIG_COUNT: String(found.length), ...Object.fromEntries(pairs) };
}
