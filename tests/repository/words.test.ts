import { expect } from "chai";
import { commentsOf, titlesOf } from "./comments";
import { documentLines, filesOf, packageSources } from "./documents";
import { literalsOf } from "./literals";

/** Other words for types than users know. In the code a text is what is printed. */
const TYPES = /\b(a|an empty|no|non-empty) (text|map)\b|\btexts\b/;

/** Words that readers of Pulumi's, HTTP's and git's documentation do not know, and what they know in their place. */
const BANNED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/(?<!\b[Tt]here )\b(is|are) no (?!longer\b|more\b)/, "is not a valid …, unknown …"],
  [/\b(makes?|making|made) (\S+ ){0,4}anew\b/, "recreates, replaces"],
  [
    /\b(makes?|making|made) (a|no|one|another|its|the|exactly one)( new| first)? (revision|deployment|thread|listener)\b/,
    "creates",
  ],
  [/\b(is|are|was|be) told\b|\btells?\b/, "reports, prints, names"],
  [/\bmend(s|ed|ing)?\b/, "fix"],
  [/\bwait is over\b/, "timed out after …"],
  [/\b(takes?|took|taken|taking) over\b/, "adopts, starts to serve"],
  [/\bgiven (any|no) more\b/, "removed"],
  [/\bout of (the|a) program\b/, "removed from the program"],
  [/\bon (its|their) way out\b/, "is being deleted"],
  [/\b(somebody|someone)\b/, "another client, or who it was"],
  [/\b(a|each|every|first|next|one) looks?\b(?!-)/, "poll, read, request"],
  [/\blook-ups?\b/, "function"],
  [/\bstrangers?\b/, "unknown property"],
  [TYPES, "string, object"],
];

/** The token that finds the provider of a function's parent is not shown, and the name of its type is fixed by Pulumi. */
const NOT_SHOWN = ["pulumi-nodejs:dynamic/agentserver:look-up"];

/** The name of a test, in a document. */
const TEST = /`tests\/[^`]*`/g;

describe("what users read", () => {
  const messages = literalsOf(packageSources()).filter(({ text }) => !NOT_SHOWN.includes(text));
  const sentences = documentLines().map(({ text, ...place }) => ({
    ...place,
    text: text.replaceAll(TEST, ""),
  }));
  for (const [banned, instead] of BANNED)
    it(`does not say ${String(banned)}, but: ${instead}`, () => {
      const found = [...messages, ...sentences].filter(({ text }) => banned.test(text));
      expect(found.map(({ path, line, text }) => `${path}:${line}: ${text}`)).to.deep.equal([]);
    });
});

describe("what readers of the code read", () => {
  const sources = filesOf("*.ts", "*.tsx", "*.mjs").filter(
    (path) => !path.endsWith("words.test.ts"),
  );
  const lines = [...commentsOf(sources), ...titlesOf(sources)];
  for (const [banned, instead] of BANNED.filter(([words]) => words !== TYPES))
    it(`does not say ${String(banned)}, but: ${instead}`, () => {
      const found = lines.filter(({ text }) => banned.test(text));
      expect(found.map(({ path, line, text }) => `${path}:${line}: ${text}`)).to.deep.equal([]);
    });
});
