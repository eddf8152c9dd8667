import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Throws unless this Node is one that package.json's `engines` allows (`>=` and a version). */
export function checkNode(root, running = process.versions.node) {
  const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const wanted = engines.node.replace(">=", "");
  if (!isAtLeast(running, wanted))
    throw new Error(
      `Node ${running} is too old: ${wanted} or newer is needed, see https://nodejs.org`,
    );
}

/** Compares two versions number by number: `isAtLeast("20.9.0", "20.19")` is false. */
export function isAtLeast(version, bound) {
  const [have, need] = [version, bound].map((text) => text.split(".").map(Number));
  const first = need.findIndex((number, place) => number !== have[place]);
  return first === -1 || have[first] > need[first];
}
