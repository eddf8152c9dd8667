const path = require("node:path");
const { Base, Spec } = require("mocha").reporters;

const SLOWEST_FILES = 10;

/**
 * mocha's own report, then the slowest files, how many tests were left to a longer tier (tests/support/tiers.ts), and one
 * line for scripts: `N passed, N failed`, and `, N skipped` if there are any.
 */
module.exports = class extends Spec {
  constructor(runner, options) {
    super(runner, options);
    this.left = 0;
    this.files = new Map();
    runner.on("pending", (test) => {
      if (/\((?:long|nightly) tier\)/.test(test.fullTitle())) this.left += 1;
    });
    // Files run in parallel, and each is reported when it has ended: only the durations of its parts tell its own.
    const count = ({ file, duration = 0 }, tests) => {
      const sum = this.files.get(file) ?? { durationMs: 0, tests: 0 };
      this.files.set(file, { durationMs: sum.durationMs + duration, tests: sum.tests + tests });
    };
    runner.on("hook end", (hook) => count(hook, 0));
    runner.on("test end", (test) => count(test, 1));
  }

  epilogue() {
    super.epilogue();
    this.reportFiles();
    if (this.left > 0)
      Base.consoleLog(
        `NOT RUN: ${this.left} tests of longer tiers. \`CI=true npm test\` runs the long tier too, \`npm run test:all\` everything.\n`,
      );
    const { passes, failures, pending } = this.stats;
    Base.consoleLog(`${passes} passed, ${failures} failed${pending ? `, ${pending} skipped` : ""}`);
  }

  reportFiles() {
    const files = [...this.files].toSorted(([, a], [, b]) => b.durationMs - a.durationMs);
    if (files.length <= 1) return;
    Base.consoleLog("The slowest files, in seconds:");
    const most = process.env.AGENTSERVER_PROFILE ? files.length : SLOWEST_FILES;
    for (const [file, { durationMs, tests }] of files.slice(0, most)) {
      const seconds = (durationMs / 1000).toFixed(1).padStart(8);
      const name = path.relative(process.cwd(), file).replace(/^dist\/(.*)\.js$/, "$1.ts");
      Base.consoleLog(`${seconds}  ${name}, ${tests} tests`);
    }
    Base.consoleLog("");
  }
};
