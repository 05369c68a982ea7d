/** A detector, a matcher, a feed and an enricher of your own in an engine of your own, which threads that read layers import. */
import { type Advisory, allEcosystems, allUpdaters, createEngine, ScanError } from "@plimsoll/core";
import {
  coalesceFiles,
  type Detector,
  type Ecosystem,
  type Enricher,
  type EnrichmentRecord,
  type FeedItem,
  type FeedReader,
  type Matcher,
  type Update,
  type Updater,
} from "@plimsoll/core/plugins";

const detector: Detector = {
  name: "crystal-shards",
  revision: 1,
  wants: ({ path, kind }) => kind !== "symbolic-link" && path.endsWith("shard.lock"),
  *detect(files) {
    for (const { path, bytes } of files) {
      const [, name = "", version = ""] = /^(\S+) (\S+)$/m.exec(new TextDecoder().decode(bytes)) ?? [];
      yield { kind: "package", packageDb: path, package: { name, version, kind: "BINARY" } };
    }
  },
};

const matcher: Matcher = {
  name: "crystal",
  keysRevision: 1,
  accepts: ({ packageDb }) => packageDb.endsWith("shard.lock"),
  keys: ({ package: { name } }) => [{ ecosystem: "Crystal", name }],
  judge: ({ package: { version } }, { ranges: [range] }) =>
    range?.fixed === undefined || version === range.fixed
      ? { kind: "not-affected", reason: "outside-range" }
      : { kind: "affected", fixedInVersion: range.fixed },
};

async function* items<Item>(...all: Item[]): AsyncGenerator<FeedItem<Item>> {
  for (const item of all) yield { kind: "item", item };
}

async function readText(feeds: FeedReader, previous?: string) {
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
  detectors: [detector],
  matchers: [matcher],
  purl: [],
  coalesce: coalesceFiles(),
};

/** The name by which threads load it. */
export const engine = createEngine({
  ecosystems: [...allEcosystems, crystal],
  updaters: [...allUpdaters, updater],
  enrichers: [enricher],
  module: import.meta.url,
});
