import { isRecord } from "../../shared/records";
import type { Stored } from "./checkpoint";

/** The beginning of all secrets of the schedules' programs; it is the same in a URL. */
const CANARY = "secret-value-";

/** The beginnings of its base64, as it may stand at each place of three bytes. */
const BASE64 = ["", "a", "aa"].map((before) => {
  const encoded = Buffer.from(before + CANARY).toString("base64");
  return encoded.slice(
    before === "" ? 0 : 4,
    Math.floor(((before.length + CANARY.length) * 8) / 6),
  );
});

/** Whether a text shows a secret, plain or encoded. */
export function hasCanary(text: string): boolean {
  return text.includes(CANARY) || BASE64.some((encoded) => text.includes(encoded));
}

/** The paths of a state that show a secret outside the properties that the engine encrypts. */
export function canariesIn(
  state: readonly Stored[],
  secretPaths: (kind: string) => readonly string[],
): string[] {
  return state.flatMap(({ kind, inputs, outputs, initErrors }) => {
    const shown = (props: Record<string, unknown>) => withoutPaths(props, secretPaths(kind));
    const texts = [...textsIn(shown(inputs)), ...textsIn(shown(outputs)), ...initErrors];
    return texts.filter(hasCanary);
  });
}

function withoutPaths(props: Record<string, unknown>, paths: readonly string[]) {
  const [own, nested] = [
    paths.filter((path) => !path.includes(".")),
    paths.filter((path) => path.includes(".")),
  ];
  const members = Object.entries(props).filter(([name]) => !own.includes(name));
  return Object.fromEntries(
    members.map(([name, member]): [string, unknown] => {
      const inner = nested.flatMap((path) =>
        path.startsWith(`${name}.`) ? [path.slice(name.length + 1)] : [],
      );
      return [name, isRecord(member) && inner.length > 0 ? withoutPaths(member, inner) : member];
    }),
  );
}

const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Every text of a value that no secret's form stands around. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || SIGNATURE in value) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
