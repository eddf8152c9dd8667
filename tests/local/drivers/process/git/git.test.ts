import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, readdir, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { StageFailure } from "../../../../../local/drivers/driver";
import { Git } from "../../../../../local/drivers/process/git/git";
import { Keeper } from "../../../../../local/drivers/process/keeper/keeper";
import { rejection } from "../../../../support/rejection";
import { aFolder, removeFolder } from "../../../children";
import { listen } from "../../../front";
import { makeRepository, type Repository } from "../../../repository";

const signal = new AbortController().signal;

describe("Git", () => {
  let folder: string;
  let home: string;
  let keeper: Keeper;
  let git: Git;
  let repository: Repository;

  beforeEach(async () => {
    folder = await aFolder();
    home = join(folder, "home");
    await mkdir(home);
    keeper = new Keeper(folder);
    git = makeGit();
    repository = await makeRepository(join(folder, "repository"));
  });
  afterEach(async () => {
    await keeper.close();
    await removeFolder(folder);
  });

  const makeGit = (path = process.env["PATH"], limitSeconds = 600) =>
    new Git({ keeper, environment: { PATH: path, HOME: home }, limitSeconds });

  /** The message of the StageFailure that the work ends in. */
  async function reasonOf(work: Promise<unknown>): Promise<string> {
    const error = await rejection(work);
    expect(error).to.be.instanceOf(StageFailure);
    return error.message;
  }
  const checkout = async (ref: string, commit: string) => {
    const target = join(folder, "checkout");
    await git.checkout({ repoUrl: repository.url, ref, commit }, target, signal);
    return target;
  };

  describe("branches", () => {
    const branches = (...names: string[]) => git.branches(repository.url, names, signal);

    it("takes a name as a whole, and for nothing but a branch's name", async () => {
      await repository.git("branch", "refs/heads/nested");
      await repository.git("tag", "v1");
      const odd = ["nested", "v1", "*", "refs/tags/v1", "--upload-pack=x", "a b"];
      expect(await branches(...odd)).to.have.property("size", 0);
    });
  });

  describe("resolve", () => {
    it("finds the commit of a branch, also of one with slashes, and of a tag, annotated or not", async () => {
      const head = await repository.git("rev-parse", "HEAD");
      await repository.git("branch", "feature/one");
      await repository.git("tag", "light");
      await repository.git("tag", "--annotate", "--message", "A release", "heavy");
      for (const ref of ["main", "feature/one", "refs/tags/light", "refs/tags/heavy"])
        expect(await git.resolve(repository.url, ref, signal)).to.equal(head);
      const target = await checkout("refs/tags/heavy", head);
      expect(existsSync(join(target, "agent.py"))).to.equal(true);
    });

    it("takes a branch's name as a whole, and no tag for a branch", async () => {
      await repository.git("branch", "refs/heads/nested");
      await repository.git("tag", "v1");
      const nested = await reasonOf(git.resolve(repository.url, "nested", signal));
      expect(nested).to.contain(`ref 'nested' does not exist in ${repository.url}; `);
      expect(await reasonOf(git.resolve(repository.url, "v1", signal))).to.contain("refs/tags/v1");
    });

    it("refuses what is no ref", async () => {
      for (const ref of ["", "a b", "a..b", "*", "x^{}", "refs/tags/", "@{-1}", "a\nb"]) {
        const reason = await reasonOf(git.resolve(repository.url, ref, signal));
        expect(reason, ref).to.contain("; push it, or set the ref to a branch name");
      }
    });

    it("takes a ref that looks like an option for a ref", async () => {
      const ref = `--upload-pack=touch ${folder}/hacked`.replaceAll(" ", "$IFS");
      expect(await reasonOf(git.resolve(repository.url, ref, signal))).to.contain("does not exist");
      expect(existsSync(join(folder, "hacked"))).to.equal(false);
    });

    for (const url of [
      "ext::sh -c touch% hacked",
      "--upload-pack=touch hacked",
      "http://example.com/x.git",
      "git://example.com/x.git",
      "/srv/git/x.git",
      "https://[",
      "-oProxyCommand=hacked@host:x",
    ])
      it(`refuses ${url} as a URL`, async () => {
        const reason = await reasonOf(git.resolve(url, "main", signal));
        expect(reason)
          .to.match(/must be a URL that starts with https:/)
          .and.not.contain("hacked");
      });

    it("lets git refuse a host that looks like an option", async () => {
      const url = `ssh://-oProxyCommand=touch%20${folder}/hacked/x.git`;
      expect(await reasonOf(git.resolve(url, "main", signal))).to.contain("git ls-remote failed");
      expect(existsSync(join(folder, "hacked"))).to.equal(false);
    });

    it("refuses credentials in a URL and does not repeat them", async () => {
      for (const url of [
        "https://user:sesame99@h/x",
        "https://sesame99@h/x",
        "ssh://git:sesame99@h/x",
      ]) {
        const reason = await reasonOf(git.resolve(url, "main", signal));
        expect(reason).to.contain("contains credentials").and.not.contain("sesame99");
      }
    });

    it("hides credentials that the user's configuration puts into the URL", async () => {
      const config = `[url "https://x:sesame99@127.0.0.1:1/"]\n insteadOf = https://git.example.com/\n`;
      await writeFile(join(home, ".gitconfig"), config);
      const reason = await reasonOf(git.resolve("https://git.example.com/x", "main", signal));
      expect(reason).to.contain("127.0.0.1").and.not.contain("sesame99");
    });

    it("gives up on a server that does not answer", async () => {
      const silent = createServer();
      const url = `${(await listen(silent)).replace("http", "https")}/x`;
      const hasty = makeGit(undefined, 0.2);
      const reason = await reasonOf(hasty.resolve(url, "main", signal));
      silent.close();
      expect(reason).to.equal("git ls-remote timed out after 0.2 s");
    });

    it("ends git when a server sends messages without end", async () => {
      await writeFile(join(folder, "git"), "#!/bin/sh\nexec yes >&2\n", { mode: 0o755 });
      const flooded = makeGit(`${folder}:${process.env["PATH"]}`);
      const reason = await reasonOf(flooded.branches(repository.url, ["main"], signal));
      expect(reason).to.equal("git ls-remote printed more than 16 MiB");
    });

    it("says what to do when there is no git", async () => {
      const reason = await reasonOf(makeGit(folder).resolve(repository.url, "main", signal));
      expect(reason).to.equal("git is not installed; install it and add it to PATH");
    });

    it("ends git when the work is aborted", async () => {
      const ending = AbortSignal.abort(new Error("interrupted"));
      const failure = await rejection(git.resolve(repository.url, "main", ending));
      expect(failure).to.have.property("message", "interrupted");
    });
  });

  describe("checkout", () => {
    it("puts a commit's files into the folder, in place of what was there, though the branch has moved on since", async () => {
      const first = await repository.git("rev-parse", "HEAD");
      const second = await repository.commit({ "agent.py": "graph = 2\n" });
      const target = await checkout("main", first);
      const read = () => readFile(join(target, "agent.py"), "utf8");
      expect(await read()).to.equal("graph = None\n");
      await writeFile(join(target, "stray"), "");
      await checkout("main", second);
      expect(await read()).to.equal("graph = 2\n");
      expect(await readdir(target)).to.have.members([".git", "agent.py", "langgraph.json"]);
    });

    it("says so when the branch has moved on and its old commit is not to be had", async () => {
      const reason = await reasonOf(checkout("main", "0123456789".repeat(4)));
      expect(reason).to.match(/^ref 'main' has moved from commit 01234.*fatal:/s);
    });

    it("runs no hook and no filter, of the repository's or of the user's configuration", async () => {
      const touch = `touch ${folder}/hacked`;
      const templates = join(home, "templates/hooks");
      await mkdir(templates, { recursive: true });
      const hook = join(templates, "post-checkout");
      await writeFile(hook, `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
      const config = `[init]\n templateDir = ${home}/templates\n[core]\n hooksPath = ${templates}\n fsmonitor = ${touch}\n[filter "evil"]\n smudge = ${touch}\n required = true\n`;
      await writeFile(join(home, ".gitconfig"), config);
      const commit = await repository.commit({ ".gitattributes": "* filter=evil\n", x: "x\n" });
      const target = await checkout("main", commit);
      expect(await readFile(join(target, "x"), "utf8")).to.equal("x\n");
      expect(existsSync(join(folder, "hacked"))).to.equal(false);
    });

    it("does not fetch submodules", async () => {
      const other = await makeRepository(join(folder, "other"));
      const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
      await repository.git(...add, other.url, "part");
      const command = `[submodule "evil"]\n path = evil\n url = "ext::touch ${folder}/hacked"\n update = !touch ${folder}/hacked\n`;
      const modules = await readFile(join(repository.folder, ".gitmodules"), "utf8");
      const linked = `160000,${await repository.git("rev-parse", "HEAD")},evil`;
      await mkdir(join(repository.folder, "evil"));
      await repository.git("update-index", "--add", "--cacheinfo", linked);
      const commit = await repository.commit({ ".gitmodules": modules + command });
      await writeFile(join(home, ".gitconfig"), "[submodule]\n recurse = true\n");
      const target = await checkout("main", commit);
      expect(await readdir(join(target, "part"))).to.deep.equal([]);
      expect(await readdir(join(target, "evil"))).to.deep.equal([]);
      expect(existsSync(join(folder, "hacked"))).to.equal(false);
    });

    it("keeps the pointers of LFS, and a link that leads out as a link", async () => {
      const lfs = `[filter "lfs"]\n smudge = touch ${folder}/hacked\n process = touch ${folder}/hacked\n required = true\n`;
      await writeFile(join(home, ".gitconfig"), lfs);
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 1\n`;
      await symlink(join(home, ".gitconfig"), join(repository.folder, "link"));
      const commit = await repository.commit({
        ".gitattributes": "*.bin filter=lfs\n",
        "model.bin": pointer,
      });
      const target = await checkout("main", commit);
      expect(await readFile(join(target, "model.bin"), "utf8")).to.equal(pointer);
      expect((await lstat(join(target, "link"))).isSymbolicLink()).to.equal(true);
      expect(existsSync(join(folder, "hacked"))).to.equal(false);
    });

    it("reaches repositories as the user's configuration says, and only that way", async () => {
      const elsewhere = `[url "${repository.url}"]\n insteadOf = https://git.example.com/agent\n`;
      await writeFile(join(home, ".gitconfig"), elsewhere);
      const url = "https://git.example.com/agent";
      const head = await repository.git("rev-parse", "HEAD");
      expect(await git.resolve(url, "main", signal)).to.equal(head);
      for (const other of ["ext::touch hacked ", "http://127.0.0.1:1/", "git://127.0.0.1:1/"]) {
        const evil = `[url "${other}"]\n insteadOf = https://git.example.com/\n`;
        await writeFile(join(home, ".gitconfig"), evil);
        expect(await reasonOf(git.resolve(url, "main", signal))).to.match(/'\w+' not allowed/);
      }
    });
  });

  describe("changes", () => {
    it("names what is not as the commit has it, ignored or not, and a new folder as one", async () => {
      const commit = await repository.commit({ ".gitignore": "node_modules\n" });
      const target = await checkout("main", commit);
      expect(await git.changes(target, signal)).to.deep.equal([]);
      await mkdir(join(target, "node_modules/deep"), { recursive: true });
      await writeFile(join(target, "node_modules/deep/file"), "");
      await writeFile(join(target, "made.txt"), "");
      await writeFile(join(target, "agent.py"), "graph = 2\n");
      expect(await git.changes(target, signal)).to.have.members([
        "agent.py",
        "made.txt",
        "node_modules/",
      ]);
    });
  });
});
