// `npm run states`: records the state of each kind and front end anew (tests/fixtures/states/). Until the first release a
// form that changes needs no more than this.
process.env.AGENTSERVER_STATES = "record";
process.env.AGENTSERVER_TESTS = "all";
process.argv.splice(2, Infinity, "dist/tests/engine/recorded-state.test.js");
await import("mocha/bin/mocha.js");
