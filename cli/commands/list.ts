import { DEPLOYMENT_TYPES } from "../../sdk/dialect";
import type { DeploymentFilters } from "../../sdk/schema";
import type { ListOptions } from "../deployments/list";
import type { CommandLine } from "../command-line";
import { standardTerminal } from "../terminal/terminal";
import { COUNT, oneOf, TEXT, UUID } from "../values";

const MOST = 100;

/** Adds `list`, which prints the deployments. */
export function addListCommand(line: CommandLine, run = runList): void {
  line
    .controlPlaneCommand("list", "list --name-contains support")
    .description("list deployments, newest first: what serves, and the newest revision")
    .addOption(line.option("--name-contains <text>", "only names with this text in them", TEXT))
    .addOption(line.option("--status <status>", "only deployments of this status", TEXT))
    .addOption(
      line.option("--type <name>", `only ${DEPLOYMENT_TYPES.join(", ")}`, oneOf(DEPLOYMENT_TYPES)),
    )
    .addOption(line.option("--image-version <tag>", "only those of an image with this tag", TEXT))
    .addOption(line.repeatableOption("--id <id>", "only these (repeatable)", UUID))
    .addOption(
      line.repeatableOption(
        "--tag-value-id <id>",
        "only those with a tag value (repeatable)",
        TEXT,
      ),
    )
    .option("--remote-reconciled", "only those that a listener places in a cluster")
    .option("--no-revisions", "read no revisions, which take a request for each deployment")
    .option("--wide", "print ids and URLs too")
    .addOption(
      line.option("--limit <count>", `most deployments (default: ${MOST}; with --json all)`, COUNT),
    )
    .action(
      ({
        nameContains,
        status,
        type,
        imageVersion,
        id,
        tagValueId,
        remoteReconciled,
        revisions,
        wide = false,
        json = false,
        limit = json ? Number.POSITIVE_INFINITY : MOST,
        ...where
      }) =>
        run({
          ...where,
          limit,
          revisions,
          wide,
          json,
          filters: {
            name_contains: nameContains,
            status,
            deployment_type: type,
            image_version: imageVersion,
            deployment_ids: id,
            tag_value_ids: tagValueId,
            remote_reconciled: remoteReconciled,
          } satisfies Required<DeploymentFilters>,
        }),
    );
}

async function runList(options: ListOptions): Promise<void> {
  const { printList } = await import("../deployments/list.js");
  await printList(options, standardTerminal());
}
