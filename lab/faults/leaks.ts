import { inspect } from "node:util";
import { SIGNATURE, type Stored } from "./checkpoint";

/** The forms in which a secret, or the beginning of one, counts as in clear: plain, in JSON, in a URL and in base64. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  // In base64 a text looks otherwise at each of three places. The ends depend on what is around it.
  const encoded = [0, 1, 2].map((place) => {
    const text = Buffer.concat([Buffer.alloc(place), bytes]).toString("base64");
    return text.slice(place === 0 ? 0 : 4, Math.floor(((place + bytes.length) * 8) / 6));
  });
  const url = encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [...new Set([secret, inJson, encodeURIComponent(secret), ...encoded, ...url])];
}

/** Those of the beginning of all secrets of the histories' programs. */
const FORMS = formsOf("secret-value-");

/** Whether a text shows a secret of a history. */
export function showsSecret(text: string): boolean {
  return FORMS.some((form) => text.includes(form));
}

/**
 * A violation for each line of an error that shows a secret, with its stack and its causes, however deep a program logs them. The outputs of a
 * half success are the engine's to encrypt.
 */
export function leaksOf(error: unknown): string[] {
  const parts = error instanceof Error ? [error.message, error.stack, error.cause] : [error];
  const lines = inspect(parts, { depth: null }).split("\n");
  return lines.filter(showsSecret).map((line) => `an error shows a secret: ${line.trim()}`);
}

/** The texts of a state that show a secret outside what the engine encrypts. */
export function leaksIn(state: readonly Stored[]): string[] {
  const texts = state.flatMap(({ inputs, outputs, initErrors }) =>
    textsIn([inputs, outputs, initErrors]),
  );
  return texts.filter(showsSecret);
}

/** Every text of a value that no secret's form stands around. */
export function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || SIGNATURE in value) return [];
  return Object.entries(value).flatMap(([name, member]) => [name, ...textsIn(member)]);
}
