import { oneLine } from "../../../shared/printable";
import { unknownKeys } from "../../../shared/unknown-keys";
import type { Build } from "./build-options";
import type { Runtime } from "./runtime";

const names = (text: string) => text.split(" ");
const IMAGE = names(
  "base_image dockerfile_lines image_distro _INTERNAL_docker_tag pip_config_file pip_installer keep_pkg_tools node_version",
);

/** The members of a graph configuration that the public tool of each language knows, and those without effect here. */
const MEMBERS = {
  python: {
    used: names(
      "graphs dependencies source env python_version api_version auth http ui ui_config store checkpointer webhooks priority",
    ),
    idle: [...IMAGE, "encryption"],
  },
  javascript: {
    used: names("graphs env auth http ui ui_config"),
    idle: [
      ...IMAGE,
      ...names("docker_compose_file node_loader api_version dependencies store checkpointer"),
    ],
  },
} as const;

/** Names, in one line of the log, the members without effect and those that the public tool does not know. */
export function checkMembers({ config, log }: Build, runtime: Exclude<Runtime, "built-in">): void {
  const { used, idle } = MEMBERS[runtime];
  const given = Object.keys(config.content);
  const found = given.filter((name) => idle.includes(name)).join(", ");
  const noted = unknownKeys(given, ["$schema", ...used, ...idle], { noun: "member" });
  if (found) noted.unshift(`without effect on this platform: ${found}`);
  if (noted.length > 0) log(oneLine(`graph configuration: ${noted.join("; ")}`));
}
