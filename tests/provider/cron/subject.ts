import { cronLifecycle as lifecycle } from "../../../provider/cron/operations";
import type { Props } from "../../../provider/arguments/props";
import { ServerSubject } from "../agent-server/subject";

const urnOf = (name: string) =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Cron::${name}`;

/** The life of one cron on a server, through the checks that the engine makes. */
export class CronSubject extends ServerSubject {
  constructor(target: () => string) {
    const given = { graphId: "agent", schedule: "0 9 * * 1-5" };
    super({ lifecycle, urnOf, given, name: "digest" }, target);
  }

  /** A create of inputs that no preview has seen. */
  createUnchecked(inputs: Props) {
    return lifecycle.create(inputs, this.context());
  }

  /** The crons that the server has with a member of metadata. */
  async all(metadata: Readonly<Record<string, unknown>> = {}) {
    const found = [];
    for await (const cron of this.client.crons.searchAll({ metadata })) found.push(cron);
    return found;
  }
}
