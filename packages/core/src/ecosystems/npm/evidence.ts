import { concatBytes } from "../../bytes/concat-bytes.ts";
import { ScanError } from "../../errors.ts";
import { parseGzipHeader } from "../../inflate/gzip-header.ts";
import { compileInflater, Inflater } from "../../inflate/inflater.ts";
import type { EvidencePackage, EvidenceRule } from "../../plugins/evidence.ts";
import type { Watcher } from "../../tar/entry.ts";
import { inflateChunks } from "../../zip/inflate-entry.ts";
import { lockFilesNamed } from "../language/lock-file-evidence.ts";
import { isOfDependency, isTestData } from "../language/package-folders.ts";

const inYarnCache = /(?:^|\/)\.?yarn\/(?:berry\/)?cache\/[^/]+\.zip$/;
/** The end of the names that Yarn gives: `lodash-npm-4.17.21-6382451519-eb835a2e51.zip`. */
const yarnHashes = /-[0-9a-f]{10}-[0-9a-z]{1,128}\.zip$/;

/** Whether a file is the archive of a package in a cache of Yarn. The folder may have any name (`cacheFolder`). */
export function isYarnArchive(path: string): boolean {
  if (!path.endsWith(".zip")) return false;
  return inYarnCache.test(path) || (yarnHashes.test(path) && /-(?:npm|patch)-/.test(path));
}

/** The part of a packed package in which the first file of its archive is named. */
const headBytes = 4096;

/**
 * Watches the beginning of a file for an archive of `npm pack`: a tar file in gzip, of which every member is in the folder `package`.
 * @see https://docs.npmjs.com/cli/v11/commands/npm-pack
 */
function watchPackedPackage(onFound: () => void): Watcher {
  let head: Uint8Array = new Uint8Array(0);
  return (part) => {
    head = concatBytes([head, part.subarray(0, headBytes - head.length)]);
    const beginning = head.length >= minPackedBytes ? beginningOf(head) : undefined;
    if (beginning?.startsWith("package/") === true) onFound();
    return beginning === undefined && head.length < headBytes;
  };
}

/** Less is no archive. */
const minPackedBytes = 64;

/** The first characters of a content in gzip; undefined if the bytes are too few, or something else. */
function beginningOf(bytes: Uint8Array): string | undefined {
  const header = parseGzipHeader();
  try {
    let [at, step] = [0, header.next(bytes[0] ?? 0)];
    while (step.done !== true && ++at < bytes.length) step = header.next(bytes[at] ?? 0);
    if (step.done !== true || !step.value) return undefined;
    const inflater = new Inflater(compileInflater());
    const [first] = inflateChunks(inflater, [bytes.subarray(at + 1)], "");
    return first && new TextDecoder("latin1").decode(first.subarray(0, 512));
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}

/** `lodash` 4.17.21 of `lodash-4.17.21.tgz`. The name of a scope is joined with that of the package, so that it is not known. */
function packedAs(path: string): EvidencePackage | undefined {
  const file = path.slice(path.lastIndexOf("/") + 1, -".tgz".length);
  const at = file.search(/-\d+\.\d+\.\d/);
  return at <= 0 ? undefined : { name: file.slice(0, at), version: file.slice(at + 1) };
}

/** What shows that there are packages of npm. */
export const npmEvidence: readonly EvidenceRule[] = [
  { kind: "npm", mark: "asar" },
  { kind: "npm", files: ["package.json"], where: /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/ },
  { kind: "npm", extensions: ["asar"] },
  { kind: "npm", files: [".bower.json"], unless: { test: isTestData } },
  { kind: "npm", files: [".corepack"], unless: { test: isTestData } },
  { kind: "npm", extensions: ["zip"], where: { test: isYarnArchive }, unless: { test: isTestData } },
  {
    kind: "npm",
    extensions: ["tgz"],
    unless: { test: isOfDependency },
    watch: watchPackedPackage,
    packageOf: packedAs,
  },
  lockFilesNamed("npm", "bun.lock", "bun.lockb", "deno.lock", "npm-shrinkwrap.json", "package-lock.json"),
  lockFilesNamed("npm", "pnpm-lock.yaml", "yarn.lock"),
];
