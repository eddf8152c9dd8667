/** The result of a check: what was found, and what to do where it is not good. */
export interface Check {
  readonly subject: string;
  readonly state: "good" | "bad" | "unknown";
  readonly text: string;
  readonly advice?: string;
}

/** A check that found what is wanted. */
export function good(subject: string, text: string): Check {
  return { subject, state: "good", text };
}

/** A check that found what must change. */
export function bad(subject: string, text: string, advice: string): Check {
  return { subject, state: "bad", text, advice };
}

/** A check that found nothing out, or what only some need. */
export function unknown(subject: string, text: string, advice: string): Check {
  return { subject, state: "unknown", text, advice };
}
