import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { asset, type Input, Output, Resource } from "@pulumi/pulumi";
import { isRecord, mapMembers } from "../../shared/records";
import { runError } from "./run-error";

const PLAIN = new Set(["Object", "String", "Number", "Boolean", "Null", "Undefined"]);

/**
 * A value as the provider can compare it: an asset as the digest of its content, since Pulumi's process for dynamic
 * providers gets no hash of it. Throws for what Pulumi sends as `{}`.
 */
export function comparable(path: string, value: unknown, ofAsset = contentOf): Input<unknown> {
  const inside = (at: string, member: unknown) => comparable(at, member, ofAsset);
  if (Output.isInstance(value)) return value.apply((known) => inside(path, known));
  if (value instanceof Promise) return value.then((known) => inside(path, known));
  if (Array.isArray(value)) return value.map((item, at) => inside(`${path}[${at}]`, item));
  const type = Object.prototype.toString.call(value).slice(8, -1);
  if (!PLAIN.has(type)) throw incomparable(path, type);
  if (!isRecord(value) || Resource.isInstance(value)) return value;
  if (asset.Asset.isInstance(value) || asset.Archive.isInstance(value)) return ofAsset(path, value);
  return mapMembers(value, (member, name) => inside(`${path}.${name}`, member));
}

/** Arguments whose values go to an agent server as they are: an asset among these is refused too. */
export function withPlain<Args extends object>(
  args: Args,
  names: readonly (keyof Args & string)[],
) {
  const refuse = (path: string): never => {
    throw incomparable(path, "Pulumi asset");
  };
  const plain = names.map((name) => [name, comparable(name, args[name], refuse)]);
  return { ...args, ...Object.fromEntries(plain) };
}

function incomparable(path: string, type: string): Error {
  return runError(`${path}: a ${type} cannot be compared; set a string or a digest of it instead`);
}

async function contentOf(at: string, of: Record<string, unknown>): Promise<unknown> {
  const members = [of["text"], of["path"], of["assets"]];
  const [text, path, assets] = await Promise.all(members);
  if (typeof text === "string") return sha256(text);
  if (typeof path === "string") return digestOf(path);
  if (isRecord(assets)) return comparable(at, assets);
  throw incomparable(at, "remote asset");
}

/** That of a folder is of all files in it. */
async function digestOf(path: string): Promise<string> {
  if (!(await stat(path)).isDirectory()) return sha256(await readFile(path));
  const digests: string[] = [];
  for (const name of (await readdir(path)).toSorted())
    digests.push(name, await digestOf(join(path, name)));
  return sha256(digests.join("\n"));
}

function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}
