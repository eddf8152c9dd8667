import { appendFileSync } from "node:fs";
import type { dynamic } from "@pulumi/pulumi";

/** The behaviour of a resource of the recorder, as its input `does` says; every other input is a plain value. */
export interface Script {
  readonly create?: "fails" | "half";
  readonly update?: "fails" | "half";
  readonly delete?: "fails";
  readonly read?: "gone" | "drift" | "fails";
  readonly diff?: dynamic.DiffResult;
}

type Props = Record<string, unknown>;

/** A dynamic provider that notes what it is asked and does what the inputs say: the same for the engine and its model. */
export function recorder(note: (line: string) => void): dynamic.ResourceProvider {
  const ask = (verb: string, ...values: unknown[]): void =>
    note(`${verb} ${values.map(described).join(" ")}`);
  return {
    async check(olds: Props, news: Props) {
      ask("check", olds, news);
      return { inputs: news };
    },
    async diff(id, olds: Props, news: Props) {
      ask("diff", id, olds, news);
      return scriptOf(news).diff ?? {};
    },
    async create(inputs: Props) {
      ask("create", inputs);
      const outs = { ...inputs, made: true };
      const does = scriptOf(inputs).create;
      if (does === "fails") throw new Error("create failed");
      if (does === "half") throw half(idOf(inputs), outs);
      return { id: idOf(inputs), outs };
    },
    async update(id, olds: Props, news: Props) {
      ask("update", id, olds, news);
      const outs = { ...news, made: true, updated: true };
      const does = scriptOf(news).update;
      if (does === "fails") throw new Error("update failed");
      if (does === "half") throw half(id, outs);
      return { outs };
    },
    async read(id, props: Props = {}) {
      ask("read", id, props);
      const does = scriptOf(props).read;
      if (does === "fails") throw new Error("read failed");
      if (does === "gone") return { id: "", props: {} };
      const { made: _, updated: _updated, ...inputs } = props;
      const drift = does === "drift" ? { value: "drifted" } : {};
      return { id, props: { ...props, ...drift }, inputs: { ...inputs, ...drift } };
    },
    async delete(id, props: Props) {
      ask("delete", id, props);
      if (scriptOf(props).delete === "fails") throw new Error("delete failed");
    },
  };
}

const half = (id: string, properties: Props): Error =>
  Object.assign(new Error("made by half"), { id, properties, reasons: ["made by half"] });

const scriptOf = (inputs: Props): Script => Object.assign({}, inputs["does"]);

const idOf = (inputs: Props): string => `id-of-${String(inputs["value"])}`;

/** Without the provider's text, and in one order of members, which the engine does not keep. */
function described(value: unknown): string {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([name]) => name !== "__provider")
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${name}: ${described(member)}`);
  return `{${members.join(", ")}}`;
}

/** The provider as the engine's own process loads it; what it is asked goes into a file. */
export const provider = recorder((line) =>
  appendFileSync(process.env["AGENTSERVER_TEST_RECORD"] ?? "", `${line}\n`),
);
