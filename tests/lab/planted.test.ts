import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../../scripts/project";
import { describeLong } from "../support/tiers";

const FOLDER = join(REPOSITORY, "lab/planted");

describeLong("a planted fault applies to the code:", () => {
  for (const patch of readdirSync(FOLDER))
    it(patch, () => {
      // As `npm run planted` does: a patch finds its lines wherever they are.
      const args = ["apply", "--check", "--unidiff-zero", join(FOLDER, patch)];
      execFileSync("git", args, { cwd: REPOSITORY, stdio: "pipe" });
    });
});
