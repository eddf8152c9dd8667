import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";
import type { FrontEnd } from "./front-ends";
import type { StateResource } from "./state";

/** Values that differ each time, by the word that replaces them in the file. */
export type Words = readonly (readonly [word: string, value: string])[];

/** The kept properties of each resource, by logical name. */
type Recorded = Readonly<Record<string, Pick<StateResource, "inputs" | "outputs" | "initErrors">>>;

const pathOf = ({ name }: FrontEnd) => join(REPOSITORY, `tests/fixtures/states/${name}.json`);

/** The recorded resources, with what differs each time filled in. */
export function recordedState(frontEnd: FrontEnd, words: Words): Recorded {
  const text = readFileSync(pathOf(frontEnd), "utf8");
  return JSON.parse(words.reduce((old, [word, value]) => old.replaceAll(word, value), text));
}

/** Fails unless resources have the form that is recorded. `npm run states` records it instead. */
export function expectRecordedForm(
  frontEnd: FrontEnd,
  resources: readonly StateResource[],
  words: Words,
): void {
  const members = resources.map(({ name, inputs, outputs, initErrors }) => [
    name,
    { inputs, outputs, initErrors },
  ]);
  const written = words
    .reduce(
      (text, [word, value]) => text.replaceAll(value, word),
      JSON.stringify(Object.fromEntries(members), undefined, 2),
    )
    .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"<time>"');
  if (process.env["AGENTSERVER_STATES"] === "record")
    writeFileSync(pathOf(frontEnd), `${written}\n`);
  expect(formOf(JSON.parse(written)), "`npm run states` records another form").to.deep.equal(
    formOf(recordedState(frontEnd, [])),
  );
}

/** The words of an error are for people: other ones are not another form. */
function formOf(recorded: Recorded) {
  const forms = Object.entries(recorded).map(([name, { initErrors, ...members }]) => [
    name,
    { ...members, errors: initErrors.length },
  ]);
  return Object.fromEntries(forms);
}
