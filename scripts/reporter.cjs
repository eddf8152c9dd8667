const { Base, Spec } = require("mocha").reporters;

/** mocha's own report, then one line for scripts: `N passed, N failed`, and `, N skipped` if there are any. */
module.exports = class extends Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    Base.consoleLog(`${passes} passed, ${failures} failed${pending ? `, ${pending} skipped` : ""}`);
  }
};
