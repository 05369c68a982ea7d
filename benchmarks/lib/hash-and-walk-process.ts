/**
 * The unavoidable part of reading layers that are not compressed, as a separate process: `LAYER.tar…`. Hashes each, and reads the headers of its
 * members.
 */
import { createHash } from "node:crypto";
import { openSync, readSync } from "node:fs";
import { defaultLimits } from "../../packages/core/src/bytes/limits.ts";
import { TarWalker } from "../../packages/core/src/tar/walk.ts";

const buffer = new Uint8Array(256 * 1024);

for (const file of process.argv.slice(2)) {
  const descriptor = openSync(file, "r");
  const hash = createHash("sha256");
  const walker = new TarWalker({ entry: () => false, content: () => {} }, defaultLimits);
  for (let length = readSync(descriptor, buffer); length > 0; length = readSync(descriptor, buffer)) {
    const chunk = buffer.subarray(0, length);
    hash.update(chunk);
    walker.write(chunk);
  }
  walker.end();
  console.log(hash.digest("hex"), file);
}
