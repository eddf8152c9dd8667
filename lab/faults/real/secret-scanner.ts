import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { formsOf } from "../leaks";

/** Secrets that must be nowhere in clear, by their names. */
export class SecretScanner {
  readonly #forms = new Map<string, readonly string[]>();
  readonly leaks = new Set<string>();

  add(name: string, secret: string): void {
    this.#forms.set(name, formsOf(secret));
  }

  /** Notes each secret that is in a text. */
  search(place: string, text: string): void {
    for (const [name, forms] of this.#forms)
      if (forms.some((form) => text.includes(form))) this.leaks.add(`${name} in clear in ${place}`);
  }

  /** Searches each file in a folder, and no links. */
  async searchFolder(folder: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      // Also a crash dump is text where a secret is.
      const text = await readFile(path, "latin1").catch(() => "");
      this.search(path.slice(folder.length + 1), text);
    }
  }
}
