/** Reads a layer in a separate process: `FILE DIGEST [DIFF-ID]`. Prints the cost as JSON. */

import { createReadStream, statSync } from "node:fs";
import { defaultLimits } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import { allEvidenceRules, type FileEntry, readLayer } from "@plimsoll/core/internal";
import { nodeDecompressors } from "../../packages/indexer/src/adapters/platform/decompressors.ts";
import { nodeHasher } from "../../packages/indexer/src/adapters/platform/node-readers.ts";

const wantedPaths: ReadonlySet<string> = new Set([
  "etc/os-release",
  "usr/lib/os-release",
  "lib/apk/db/installed",
  "var/lib/dpkg/status",
  "var/lib/rpm/rpmdb.sqlite",
  "usr/lib/sysimage/rpm/rpmdb.sqlite",
]);
const wantedNames =
  /(^|\/)(METADATA|PKG-INFO|package\.json|package-lock\.json|go\.mod|Cargo\.lock|[^/]*\.(jar|gemspec))$/;

const [file = "", digest = "", diffId] = process.argv.slice(2);
const contents = await readLayer({
  open: () => createReadStream(file, { highWaterMark: 256 * 1024 }),
  reopens: true,
  expected: {
    digest: parseDigest(digest),
    sizeBytes: statSync(file).size, // which every manifest states
    diffId: diffId === undefined ? undefined : parseDigest(diffId),
  },
  wants: ({ path }: FileEntry) => wantedPaths.has(path) || wantedNames.test(path),
  evidence: allEvidenceRules,
  decompressors: nodeDecompressors,
  createHasher: nodeHasher,
  limits: defaultLimits,
});
const { entries, files, uncompressedBytes } = contents;
const peakBytes = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ entries, wanted: files.size, uncompressedBytes, peakBytes }));
