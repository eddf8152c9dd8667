// `npm test [-- FILE…] [-- OPTION…]`: runs the tests, or those of files named as they lie in tests/, with options of mocha's.
// `--all` adds the longer tiers (tests/support/tiers.ts), which a file that is named is run with in any case.
const given = process.argv.slice(2).filter((argument) => argument !== "--all");
const compiled = given.map((argument) =>
  argument.replace(/^(?:\.\/)?(tests\/.*\.test)\.ts$/, "dist/$1.js"),
);
const names = compiled.filter((argument) => argument.endsWith(".test.js"));
if (process.argv.includes("--all") || names.length > 0) process.env.AGENTSERVER_TESTS = "all";
process.argv.splice(2, Infinity, ...compiled);
if (names.length === 0) process.argv.push("dist/tests/**/*.test.js");
await import("mocha/bin/mocha.js");
