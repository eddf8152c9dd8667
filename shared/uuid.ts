import { createHash } from "node:crypto";

/** The UUID of version 5 of a name in a namespace, which is a UUID itself (RFC 9562 §5.5). */
export function uuidV5(namespace: string, name: string): string {
  const space = Buffer.from(namespace.replaceAll("-", ""), "hex");
  const hash = createHash("sha1").update(space).update(name).digest("hex");
  const variant = ((parseInt(hash.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `${variant}${hash.slice(18, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
