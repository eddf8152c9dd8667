/** One assistant of the table. */
export interface SupportAssistant {
  readonly description: string;
  /** What the graph reads, beside the model of the environment. */
  readonly language: "de" | "en" | "fr";
  readonly prompt: string;
  /** Questions, each with a part of the answer that it must get before new values are in use. */
  readonly gate: Readonly<Record<string, string>>;
  /** When it is asked by itself. Python servers keep crons, the JavaScript one does not. */
  readonly cron?: { readonly schedule: string; readonly question: string };
}

/** The table: what changes from day to day is here, and reaches an environment with the commit that it deploys. */
export const assistants: Readonly<Record<string, SupportAssistant>> = {
  "support-de": {
    description: "German tier 1",
    language: "de",
    prompt: "Antworte kurz und freundlich.",
    gate: { "Wo ist Bestellung 1042?": "Bestellung 1042", "Guten Tag!": "Welche Bestellung" },
  },
  "support-en": {
    description: "English tier 1",
    language: "en",
    prompt: "Be brief and friendly.",
    gate: { "Where is order 1042?": "order 1042", "Good morning!": "Which order" },
    cron: { schedule: "0 9 * * 1-5", question: "Which orders are late?" },
  },
  "support-fr": {
    description: "French tier 1",
    language: "fr",
    prompt: "Réponds brièvement et aimablement.",
    gate: { "Où est la commande 1042 ?": "commande 1042", "Bonjour !": "Quelle commande" },
  },
};
