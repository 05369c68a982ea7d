import { allDistributions } from "../../distributions/all.ts";
import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import type { FeedItem, Updater } from "../../plugins/updater.ts";
import { documentItems } from "../shared/document-items.ts";
import { feedFiles } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts, ReadablePart } from "../shared/feed-parts.ts";
import { malformedFeed } from "../shared/malformed-feed.ts";
import { isData, recognized } from "../shared/recognized.ts";
import { snapshotUpdater } from "../shared/snapshot-updater.ts";
import { osvKeyFamilies } from "./ecosystems.ts";
import { hasExtension, readRecords } from "./items.ts";
import type { WantsEcosystem } from "./record.ts";
import { isKnownOsvEcosystem } from "./version-orders.ts";

/** Options of {@link osvUpdater}. */
export interface OsvOptions {
  /**
   * OSV names without releases: `Ubuntu`, `PyPI`. Default: {@link defaultOsvEcosystems}; of a file, an archive or a folder of records that is not a copy of the
   * bucket, all ecosystems whose packages are matched.
   */
  readonly ecosystems?: readonly string[];
}

const defaultLanguages = [
  "CRAN",
  "ConanCenter",
  "Go",
  "Hackage",
  "Hex",
  "Maven",
  "NuGet",
  "Packagist",
  "Pub",
  "PyPI",
  "RubyGems",
  "SwiftURL",
  "crates.io",
  "npm",
];

/**
 * The ecosystems with a matcher, except distributions with their own feed: two sources of the same advisories would state each vulnerability
 * twice. Chainguard and Wolfi are read from both, because their own feeds leave out unfixed vulnerabilities.
 */
export const defaultOsvEcosystems: readonly string[] = [
  ...defaultLanguages,
  ...allDistributions.flatMap(({ osv }) => (osv?.isDefault === true ? [osv.ecosystem] : [])),
].sort();

/** The approximate sizes of the archives in November 2026; others count as 10 MB. */
const archiveBytes: Readonly<Record<string, number>> = {
  Go: 12e6,
  Maven: 20e6,
  PyPI: 35e6,
  npm: 200e6,
};

/**
 * Imports records of the Open Source Vulnerability format: from the public bucket with its `<ecosystem>/all.zip`, or
 * from an archive, a document (JSON, a record a line, or YAML) or a folder of these, which may be of any ecosystem whose packages are matched.
 * @see https://google.github.io/osv.dev/data/
 * @example
 * const engine = createEngine({ ecosystems: allEcosystems, updaters: [osvUpdater({ ecosystems: ["Debian:12"] })] });
 */
export function osvUpdater({ ecosystems }: OsvOptions = {}): Updater {
  const listed = ecosystems ?? defaultOsvEcosystems;
  const wanted = new Set(listed);
  const ofBucket: WantsEcosystem = (family) => wanted.has(family);
  const selection = { ofBucket, ofOthers: ecosystems === undefined ? isKnownOsvEcosystem : ofBucket };
  return snapshotUpdater({
    name: "osv",
    location: "https://osv-vulnerabilities.storage.googleapis.com",
    scope: { partBytes: partBytesOf(listed) },
    revision: 10,
    findParts: (parts, { needed }) => findParts(parts, neededOf(listed, needed)),
    items(parts) {
      const found = recognized(itemsOf(parts, selection), { feed: "osv", expected: "documents of advisories" });
      return readable(found, "osv");
    },
  });
}

/** The size of the archive for each first part of advisory keys. */
function partBytesOf(ecosystems: readonly string[]): Readonly<Record<string, number>> {
  const sizes = ecosystems.flatMap((ecosystem) =>
    osvKeyFamilies(ecosystem).map((family) => [family, archiveBytes[ecosystem] ?? 10e6] as const),
  );
  return Object.fromEntries(sizes);
}

function neededOf(ecosystems: readonly string[], needed: ReadonlySet<string> | undefined): readonly string[] {
  if (needed === undefined) return ecosystems;
  return ecosystems.filter((ecosystem) => osvKeyFamilies(ecosystem).some((family) => needed.has(family)));
}

/** The location itself if it is a document, archive or folder. The bucket's own address gives a listing or nothing. */
async function findParts(parts: FeedParts, ecosystems: readonly string[]): Promise<readonly FeedPart[]> {
  const whole = await parts.find();
  if (whole !== undefined && (await isData(whole))) return [whole];
  const found: FeedPart[] = [];
  for (const ecosystem of ecosystems) {
    const part = await parts.find(`${ecosystem}/all.zip`);
    if (part !== undefined) found.push(part);
  }
  if (found.length === 0) throw new ScanError("not_found", "expected OSV data, found none at the location");
  return found;
}

/** The ecosystems that are read from archives of the bucket or of a copy of it, and from other documents. */
interface Selection {
  readonly ofBucket: WantsEcosystem;
  readonly ofOthers: WantsEcosystem;
}

async function* itemsOf(parts: readonly ReadablePart[], selection: Selection): AsyncGenerator<FeedItem<Advisory>> {
  for (const part of parts) {
    const readOthers = readRecords({ updater: "osv", wants: selection.ofOthers });
    for (const file of feedFiles(part)) {
      const own = ofBucket(part.name ?? file.name);
      const read = own === undefined ? readOthers : readRecords({ updater: "osv", wants: wantsOf(own, selection) });
      yield* documentItems(file, { wants: mayHaveRecords, isRecord: () => true, read });
    }
  }
}

/** The ecosystem whose archive in the bucket has the name; undefined for another archive, such as `python/all.zip`: its folder is no ecosystem's. */
function ofBucket(name: string): string | undefined {
  const [, folder = ""] = /^([^/]+)\/all\.zip$/.exec(name) ?? [];
  return /^[^a-z]/.test(folder) || isKnownOsvEcosystem(folder) ? folder : undefined;
}

/** Whether a document may have records, by its name: JSON, a record a line, YAML, or a document without an extension, of which the content decides. */
function mayHaveRecords(name: string): boolean {
  return /\.(?:jsonl?|ndjson|ya?ml)$/.test(name) || !hasExtension(name);
}

/** A record about several ecosystems is in the archive of each; only the archive's own ecosystem is read from it. */
function wantsOf(own: string, { ofBucket }: Selection): WantsEcosystem {
  return (family) => family === own && ofBucket(family);
}

/**
 * The items of a feed. A source in which every document failed is an error, so that the stored advisories are not deleted.
 * @param feed the name of the feed, for messages
 * @throws ScanError `malformed_feed` at the end of such a source, with its first problem
 */
async function* readable<Item>(items: AsyncIterable<FeedItem<Item>>, feed: string): AsyncGenerator<FeedItem<Item>> {
  let isReadable = false;
  let problem: string | undefined;
  for await (const each of items) {
    if (each.kind === "problem") problem ??= `${each.at}: ${each.message}`;
    else isReadable ||= each.kind === "item" || each.outcome !== "failed";
    yield each;
  }
  if (!isReadable && problem !== undefined) throw malformedFeed(feed, `no document can be read; ${problem}`);
}
