/** The text of a body; undefined where it is longer. It is counted while it is read, since its length may not be known. */
export async function textWithin(mostBytes: number, body: AsyncIterable<Uint8Array> | null) {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    if ((bytes += chunk.length) > mostBytes) return undefined;
  }
  return Buffer.concat(chunks).toString();
}
