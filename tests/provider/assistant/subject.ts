import { assistantLifecycle as lifecycle } from "../../../provider/assistant/operations";
import { ServerSubject } from "../agent-server/subject";

const urnOf = (name: string) =>
  `urn:pulumi:dev::shop::pulumi-nodejs:dynamic/agentserver:Assistant::${name}`;

/** The life of one assistant on a server, through the checks that the engine makes. */
export class AssistantSubject extends ServerSubject {
  constructor(target: () => string) {
    super({ lifecycle, urnOf, given: { graphId: "agent" }, name: "support-de" }, target);
  }

  get(id: string) {
    return this.client.assistants.get(id);
  }
}
