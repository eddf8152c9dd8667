import { DeploymentName, Source, SourceConfigRequest } from "../../sdk/schema/deployment";
import { SourceRevisionConfig } from "../../sdk/schema/revision";
import { type Problem, problemsOf } from "../inputs/problems";
import type { Props } from "../inputs/props";
import { unknownProperties } from "../inputs/unknown-properties";

/** What the wire's schema says against the inputs; where a value is unknown it has nothing to say yet. */
export function shapeProblems(news: Props): Problem[] {
  return [
    ...problemsOf(Source, "source", news["source"]),
    ...((news["name"] ?? undefined) === undefined
      ? []
      : problemsOf(DeploymentName, "name", news["name"])),
    ...problemsOf(SourceConfigRequest, "source_config", news["sourceConfig"] ?? {}),
    ...problemsOf(
      SourceRevisionConfig,
      "source_revision_config",
      news["sourceRevisionConfig"] ?? {},
    ),
    ...unknownProperties(SourceConfigRequest, "sourceConfig", news["sourceConfig"]),
    ...unknownProperties(
      SourceRevisionConfig,
      "sourceRevisionConfig",
      news["sourceRevisionConfig"],
    ),
  ];
}
