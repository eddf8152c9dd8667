/** Compares two versions number by number: `isAtLeast("20.9.0", "20.19")` is false. */
export function isAtLeast(version, bound) {
  const [have, need] = [version, bound].map((text) => text.split(".").map(Number));
  const first = need.findIndex((number, place) => number !== have[place]);
  return first === -1 || have[first] > need[first];
}
