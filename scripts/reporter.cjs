const { Base, Spec } = require("mocha").reporters;

/**
 * mocha's own report, then how many tests were left to the long tier (tests/support/tiers.ts), and one line for scripts:
 * `N passed, N failed`, and `, N skipped` if there are any.
 */
module.exports = class extends Spec {
  constructor(runner, options) {
    super(runner, options);
    this.left = 0;
    runner.on("pending", (test) => {
      if (test.fullTitle().includes("(long tier)")) this.left += 1;
    });
  }

  epilogue() {
    super.epilogue();
    if (this.left > 0)
      Base.consoleLog(
        `NOT RUN: ${this.left} tests of the long tier. \`npm run test:all\` runs them too, as does CI=true.\n`,
      );
    const { passes, failures, pending } = this.stats;
    Base.consoleLog(`${passes} passed, ${failures} failed${pending ? `, ${pending} skipped` : ""}`);
  }
};
