/**
 * The unavoidable part of reading layers, as a separate process: `LAYER.tar.gz…`. Decodes each with Plimsoll's decoder in one thread and
 * hashes both the compressed and the decoded bytes.
 */
import { createHash, type Hash } from "node:crypto";
import { openSync, readSync } from "node:fs";
import { createGunzip } from "../../packages/core/src/inflate/gunzip.ts";

const buffer = new Uint8Array(256 * 1024);
const gunzip = createGunzip();

async function* readAndHash(file: string, stored: Hash): AsyncGenerator<Uint8Array> {
  const descriptor = openSync(file, "r");
  for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer)) {
    const chunk = buffer.subarray(0, length);
    stored.update(chunk);
    yield chunk;
  }
}

for (const file of process.argv.slice(2)) {
  const [stored, decoded] = [createHash("sha256"), createHash("sha256")];
  for await (const chunk of gunzip(readAndHash(file, stored), { isVerified: true })) decoded.update(chunk);
  console.log(stored.digest("hex"), decoded.digest("hex"), file);
}
