/** A detector, a feed and an enricher of one's own in an engine of one's own. */
import { writeFileSync } from "node:fs";
import {
  type Advisory,
  allEcosystems,
  coalesceFiles,
  createEngine,
  type Detector,
  type Ecosystem,
  type Enricher,
  type EnrichmentRecord,
  type FeedItem,
  type FeedReader,
  type Fingerprint,
  formatCpe,
  type Matcher,
  parseWfn,
  ScanError,
  type Update,
  type Updater,
} from "@plimsoll/core";
import { openScanner } from "@plimsoll/scanner";

const detector: Detector = {
  name: "crystal-shards",
  revision: 1,
  wants: ({ path, kind }) => kind !== "symbolic-link" && path.endsWith("shard.lock"),
  *detect(files) {
    for (const { path } of files) yield { kind: "database", path };
  },
};

const matcher: Matcher = {
  name: "crystal",
  keysRevision: 1,
  accepts: () => false,
  keys: ({ package: { name } }) => [{ ecosystem: "Crystal", name }],
  judge: () => ({ kind: "undecided", reason: "version-unknown" }),
};

async function* items<Item>(...all: Item[]): AsyncGenerator<FeedItem<Item>> {
  for (const item of all) yield { kind: "item", item };
}

async function readText(feeds: FeedReader, previous?: Fingerprint) {
  const feed = await feeds.open(undefined, previous);
  if (feed.kind === "folder") throw new ScanError("malformed_feed", "expected one document");
  return feed;
}

const advisory: Advisory = {
  id: "crystal/1",
  updater: "crystal",
  name: "CVE-2024-0002",
  aliases: [],
  ecosystem: "Crystal",
  packageName: "kemal",
  packageKind: "BINARY",
  status: "affected",
  ranges: [{ fixed: "2" }],
  versions: [],
  links: [],
  normalizedSeverity: "High",
};

const updater: Updater = {
  name: "crystal",
  location: "https://crystal.example/advisories.json",
  async update(feeds, previous): Promise<Update<Advisory>> {
    const feed = await readText(feeds, previous);
    return feed.kind === "unchanged" ? feed : { kind: "snapshot", fingerprint: feed.validator, items: items(advisory) };
  },
};

const record: EnrichmentRecord = { tags: ["CVE-2024-0002"], record: { score: 0.5 } };
const enricher: Enricher = {
  name: "scores",
  type: "example/scores",
  updater: {
    name: "scores",
    location: "https://scores.example/scores.csv",
    async update(feeds, previous) {
      const feed = await readText(feeds, previous);
      return feed.kind === "unchanged" ? feed : { kind: "snapshot", fingerprint: feed.validator, items: items(record) };
    },
  },
  tags: ({ name }) => [name],
  enrich: (_, records) => records.map((each) => each.record),
};

const crystal: Ecosystem = {
  name: "crystal",
  versions: { name: "text", parse: (text) => text, compare: (a, b) => (a === b ? 0 : String(a) < String(b) ? -1 : 1) },
  detectors: [detector],
  coalesce: coalesceFiles,
  matchers: [matcher],
  updaters: [updater],
};

writeFileSync("feed.json", "{}");
const engine = createEngine({
  ecosystems: [...allEcosystems, crystal],
  enrichers: [enricher],
  module: import.meta.url,
});
await using scanner = await openScanner({ db: ":memory:", engine });
const locations = { crystal: "feed.json", scores: "feed.json" };
const results = await scanner.updateFeeds({ only: Object.keys(locations), locations });
if (results.some(({ kind }) => kind !== "updated")) throw new Error(JSON.stringify(results));
console.log(results.map((each) => each.updater).join(" "), formatCpe(parseWfn("cpe:2.3:o:a:b:1:*:*:*:*:*:*:*")));
