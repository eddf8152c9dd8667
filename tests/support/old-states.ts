import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { REPOSITORY } from "../../scripts/project";
import type { StateResource } from "./state";

const FOLDER = join(REPOSITORY, "tests/fixtures/states");

/** The version of this package. */
export const THIS_RELEASE: string = JSON.parse(
  readFileSync(join(REPOSITORY, "package.json"), "utf8"),
).version;

/** What differs each time, by the word that stands for it in a fixture. */
export type Words = readonly (readonly [word: string, value: string])[];

/** What a fixture keeps of each resource, by logical name. */
type Kept = Readonly<
  Record<
    string,
    Pick<StateResource, "inputs" | "outputs"> & Partial<Pick<StateResource, "initErrors">>
  >
>;

const pathOf = (release: string, shape: string) => join(FOLDER, release, `${shape}.json`);

/** The releases whose states of this shape are kept as fixtures; this one is to be among them. */
export function releasesOf(shape: string): string[] {
  const kept = readdirSync(FOLDER).filter((release) => existsSync(pathOf(release, shape)));
  return [...new Set([...kept, THIS_RELEASE])];
}

/** The resources of a state of this shape as that release wrote them. */
export function asWritten(release: string, shape: string, words: Words): Kept {
  const text = readFileSync(pathOf(release, shape), "utf8");
  return JSON.parse(words.reduce((old, [word, value]) => old.replaceAll(word, value), text));
}

/** Fails unless the state's resources have the form that is kept as a fixture of this release. */
export function expectKeptForm(
  shape: string,
  resources: readonly StateResource[],
  words: Words,
): void {
  const members = resources.map(({ name, inputs, outputs, initErrors }) => [
    name,
    { inputs, outputs, ...(initErrors.length > 0 && { initErrors }) },
  ]);
  const written = words
    .reduce(
      (text, [word, value]) => text.replaceAll(value, word),
      JSON.stringify(Object.fromEntries(members)),
    )
    .replace(/"\d{4}-\d\d-\d\dT[^"]*Z"/g, '"<time>"');
  const path = pathOf(THIS_RELEASE, shape);
  expect(formOf(JSON.parse(written))).to.deep.equal(
    existsSync(path) ? formOf(asWritten(THIS_RELEASE, shape, [])) : undefined,
    `what ${path} should hold: ${written}`,
  );
}

/** The words of an error are for people: other ones are no other form. */
function formOf(kept: Kept) {
  const forms = Object.entries(kept).map(([name, { initErrors = [], ...members }]) => [
    name,
    { ...members, errors: initErrors.length },
  ]);
  return Object.fromEntries(forms);
}
