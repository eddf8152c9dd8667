import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { Git } from "../../../../../local/drivers/process/git/git";
import type { Environment } from "../../../../../local/drivers/process/keeper/keeper";
import { rejection } from "../../../../support/rejection";
import { useFolder } from "../../../children";
import { listen } from "../../../front";
import { makeRepository, type Repository } from "../../../repository";
import { reasonOf } from "../../stage-failure";
import { useKeeper } from "../keeper/use-keeper";

const signal = new AbortController().signal;

describe("Git", () => {
  const folder = useFolder();
  const keeper = useKeeper(folder);
  let git: Git;
  let repository: Repository;

  beforeEach(async () => {
    await mkdir(folder("home"));
    git = makeGit();
    repository = await makeRepository(folder("repository"));
  });

  const makeGit = (path = process.env["PATH"], limitSeconds = 600, more: Environment = {}) =>
    new Git({ keeper, environment: { PATH: path, HOME: folder("home"), ...more }, limitSeconds });

  const configure = (text: string) => writeFile(folder("home/.gitconfig"), text);
  const isHacked = () => existsSync(folder("hacked"));
  const resolve = (ref = "main", url = repository.url) => git.resolve(url, ref, signal);
  const checkout = async (ref: string, commit: string) => {
    const target = folder("checkout");
    await git.checkout({ repoUrl: repository.url, ref, commit }, target, signal);
    return target;
  };

  it("finds the commit of a branch, also of one with slashes, and of a tag, annotated or not; takes a branch's name as a whole, and for nothing else", async () => {
    const head = await repository.git("rev-parse", "HEAD");
    await repository.git("branch", "feature/one");
    await repository.git("tag", "light");
    await repository.git("tag", "--annotate", "--message", "A release", "heavy");
    for (const ref of ["main", "feature/one", "refs/tags/light", "refs/tags/heavy"])
      expect(await resolve(ref)).to.equal(head);
    expect(existsSync(join(await checkout("refs/tags/heavy", head), "agent.py"))).to.equal(true);
    await repository.git("branch", "refs/heads/nested");
    await repository.git("tag", "v1");
    const odd = ["nested", "v1", "*", "refs/tags/v1", "--upload-pack=x", "a b"];
    expect(await git.branches(repository.url, odd, signal)).to.have.property("size", 0);
    const nested = await reasonOf(resolve("nested"));
    expect(nested).to.contain(`ref 'nested' does not exist in ${repository.url}; `);
    expect(await reasonOf(resolve("v1"))).to.contain("refs/tags/v1");
    await repository.git("branch", "--move", "main", "trunk");
    expect(await reasonOf(resolve("main"))).to.contain("a branch name (trunk) or");
  });

  it("takes a ref that looks like an option for a ref, lets git refuse such a host, and refuses what is no ref", async () => {
    const ref = `--upload-pack=touch ${folder()}/hacked`.replaceAll(" ", "$IFS");
    expect(await reasonOf(resolve(ref))).to.contain("does not exist");
    expect(isHacked()).to.equal(false);
    const url = `ssh://-oProxyCommand=touch%20${folder()}/hacked/x.git`;
    expect(await reasonOf(resolve("main", url))).to.contain("git ls-remote failed");
    expect(isHacked()).to.equal(false);
    for (const none of ["", "a b", "a..b", "*", "x^{}", "refs/tags/", "@{-1}", "a\nb"]) {
      const reason = await reasonOf(resolve(none));
      expect(reason, none).to.contain("; push it, or set the ref to a branch name");
    }
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
      const reason = await reasonOf(resolve("main", url));
      expect(reason).to.contain("must be a URL that starts with https:").and.not.contain("hacked");
    });

  it("refuses credentials in a URL, and shows none, nor those that the user's configuration puts there", async () => {
    for (const login of ["https://user:sesame99", "https://sesame99", "ssh://git:sesame99"]) {
      const reason = await reasonOf(resolve("main", `${login}@h/x`));
      expect(reason).to.contain("contains credentials").and.not.contain("sesame99");
    }
    const config = `[url "https://x:sesame99@127.0.0.1:1/"]\n insteadOf = https://git.example.com/\n`;
    await configure(config);
    const reason = await reasonOf(resolve("main", "https://git.example.com/x"));
    expect(reason).to.contain("127.0.0.1").and.not.contain("sesame99");
  });

  it("gives up on a server that does not answer, or sends messages without end", async () => {
    const silent = createServer();
    const url = `${(await listen(silent)).replace("http", "https")}/x`;
    const reason = await reasonOf(makeGit(undefined, 0.2).resolve(url, "main", signal));
    silent.close();
    expect(reason).to.equal("git ls-remote timed out after 0.2 s");
    await writeFile(folder("git"), "#!/bin/sh\nexec yes >&2\n", { mode: 0o755 });
    const flooded = makeGit(`${folder()}:${process.env["PATH"]}`);
    const flood = await reasonOf(flooded.branches(repository.url, ["main"], signal));
    expect(flood).to.equal("git ls-remote printed more than 16 MiB");
  });

  it("says what to do when there is no git, and ends it when the work is aborted", async () => {
    const reason = await reasonOf(makeGit(folder()).resolve(repository.url, "main", signal));
    expect(reason).to.equal(
      "git is not installed; install it, add it to PATH, and start the local platform again",
    );
    const ending = AbortSignal.abort(new Error("interrupted"));
    const failure = await rejection(git.resolve(repository.url, "main", ending));
    expect(failure).to.have.property("message", "interrupted");
  });

  it("puts a commit's files into the folder, in place of what was there, though the branch has moved on since or is gone, and says so when they are not to be had", async () => {
    const first = await repository.git("rev-parse", "HEAD");
    const second = await repository.commit({ "agent.py": "graph = 2\n" });
    for (const [ref, commit, text] of [
      ["main", first, "graph = None\n"],
      ["main", second, "graph = 2\n"],
      ["merged", first, "graph = None\n"],
    ] as const) {
      const target = await checkout(ref, commit);
      expect(await readFile(join(target, "agent.py"), "utf8")).to.equal(text);
      expect(await readdir(target)).to.have.members([".git", "agent.py", "langgraph.json"]);
      await writeFile(join(target, "stray"), "");
    }
    const reason = await reasonOf(checkout("main", "0123456789".repeat(4)));
    expect(reason)
      .to.match(/^ref 'main' has moved from commit 01234.*fatal:/s)
      .and.contain("create a new revision of the ref, since a redeploy is of the same commit");
  });

  for (const format of ["sha1", "sha256"])
    it(`checks out a repository of the object format ${format}, whatever git's default is`, async () => {
      await rm(folder("repository"), { recursive: true });
      process.env["GIT_DEFAULT_HASH"] = format;
      repository = await makeRepository(folder("repository"));
      delete process.env["GIT_DEFAULT_HASH"];
      const other = format === "sha1" ? "sha256" : "sha1";
      git = makeGit(undefined, undefined, { GIT_DEFAULT_HASH: other });
      const target = await checkout("main", await resolve());
      expect(existsSync(join(target, "agent.py"))).to.equal(true);
    });

  it("runs no hook and no filter, of the repository's or of the user's configuration", async () => {
    const touch = `touch ${folder()}/hacked`;
    const templates = folder("home/templates/hooks");
    await mkdir(templates, { recursive: true });
    await writeFile(join(templates, "post-checkout"), `#!/bin/sh\n${touch}\n`, { mode: 0o755 });
    const config = `[init]\n templateDir = ${folder("home")}/templates\n[core]\n hooksPath = ${templates}\n fsmonitor = ${touch}\n[filter "evil"]\n smudge = ${touch}\n required = true\n`;
    await configure(config);
    const commit = await repository.commit({ ".gitattributes": "* filter=evil\n", x: "x\n" });
    const target = await checkout("main", commit);
    expect(await readFile(join(target, "x"), "utf8")).to.equal("x\n");
    expect(isHacked()).to.equal(false);
  });

  it("does not fetch submodules", async () => {
    const other = await makeRepository(folder("other"));
    const add = ["-c", "protocol.file.allow=always", "submodule", "--quiet", "add"];
    await repository.git(...add, other.url, "part");
    const command = `[submodule "evil"]\n path = evil\n url = "ext::touch ${folder()}/hacked"\n update = !touch ${folder()}/hacked\n`;
    const modules = await readFile(join(repository.folder, ".gitmodules"), "utf8");
    const linked = `160000,${await repository.git("rev-parse", "HEAD")},evil`;
    await mkdir(join(repository.folder, "evil"));
    await repository.git("update-index", "--add", "--cacheinfo", linked);
    const commit = await repository.commit({ ".gitmodules": modules + command });
    await configure("[submodule]\n recurse = true\n");
    const target = await checkout("main", commit);
    expect(await readdir(join(target, "part"))).to.deep.equal([]);
    expect(await readdir(join(target, "evil"))).to.deep.equal([]);
    expect(isHacked()).to.equal(false);
  });

  it("keeps the pointers of LFS, and a link that leads out as a link", async () => {
    const lfs = `[filter "lfs"]\n smudge = touch ${folder()}/hacked\n process = touch ${folder()}/hacked\n required = true\n`;
    await configure(lfs);
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 1\n`;
    await symlink(folder("home/.gitconfig"), join(repository.folder, "link"));
    const attributes = { ".gitattributes": "*.bin filter=lfs\n" };
    const commit = await repository.commit({ ...attributes, "model.bin": pointer });
    const target = await checkout("main", commit);
    expect(await readFile(join(target, "model.bin"), "utf8")).to.equal(pointer);
    expect((await lstat(join(target, "link"))).isSymbolicLink()).to.equal(true);
    expect(isHacked()).to.equal(false);
  });

  it("reaches repositories as the user's configuration says, and only that way", async () => {
    const url = "https://git.example.com/agent";
    const rewrite = (to: string) => configure(`[url "${to}"]\n insteadOf = ${url}\n`);
    await rewrite(repository.url);
    const head = await repository.git("rev-parse", "HEAD");
    expect(await resolve("main", url)).to.equal(head);
    for (const other of ["ext::touch hacked ", "http://127.0.0.1:1/", "git://127.0.0.1:1/"]) {
      await rewrite(other);
      expect(await reasonOf(resolve("main", url))).to.match(/'\w+' not allowed/);
    }
  });

  it("names what is not as the commit has it, ignored or not, and a new folder as one", async () => {
    const commit = await repository.commit({ ".gitignore": "node_modules\n" });
    const target = await checkout("main", commit);
    expect(await git.changes(target, signal)).to.deep.equal([]);
    await mkdir(join(target, "node_modules/deep"), { recursive: true });
    for (const name of ["node_modules/deep/file", "é made.txt", "agent.py"])
      await writeFile(join(target, name), "changed");
    const changes = ["agent.py", "é made.txt", "node_modules/"];
    expect(await git.changes(target, signal)).to.have.members(changes);
  });
});
