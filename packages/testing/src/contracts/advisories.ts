import type { Advisory } from "@plimsoll/core";
import type { RecordChange } from "@plimsoll/core/internal";
import type { EnrichmentRecord, FeedItem, FeedReader, Update, Updater } from "@plimsoll/core/plugins";

/** An advisory for tests: what `given` leaves out has a default. */
export function testAdvisory(given: Partial<Advisory> & Pick<Advisory, "id">): Advisory {
  return {
    name: "CVE-2024-0001",
    aliases: [],
    ecosystem: "debian:12",
    packageName: "zlib",
    packageKind: "SOURCE",
    status: "affected",
    ranges: [{ fixed: "1.3-1" }],
    versions: [],
    updater: "test",
    links: [],
    normalizedSeverity: "Unknown",
    ...given,
  };
}

/** One answer of a {@link fakeUpdater}. */
export type FakeUpdate<Item> =
  | { readonly kind: "unchanged" }
  | {
      readonly kind: "snapshot";
      readonly fingerprint: string;
      readonly items: Iterable<Item | OtherEntry> | AsyncIterable<Item | OtherEntry>;
    }
  | {
      readonly kind: "delta";
      readonly fingerprint: string;
      readonly changes: Iterable<RecordChange<Item> | OtherEntry> | AsyncIterable<RecordChange<Item> | OtherEntry>;
    };

/** A problem, or what became of a record. */
type OtherEntry = Exclude<FeedItem<never>, { kind: "item" }>;

/** An updater that gives the answers in order, and records in `asked` the fingerprint of each call. */
export function fakeUpdater<Item extends Advisory | EnrichmentRecord = Advisory>(
  name: string,
  ...answers: readonly (FakeUpdate<Item> | Error)[]
): Updater<Item> & { readonly asked: readonly (string | undefined)[] } {
  const asked: (string | undefined)[] = [];
  return {
    name,
    location: `https://feeds.example/${name}`,
    asked,
    async update(_feeds: FeedReader, previous?: string): Promise<Update<Item>> {
      const answer = answers[asked.length];
      asked.push(previous);
      if (answer === undefined) throw new Error(`${name} was asked more often than it has answers`);
      if (answer instanceof Error) throw answer;
      if (answer.kind === "unchanged") return answer;
      const { kind, fingerprint } = answer;
      if (kind === "delta") return { kind, fingerprint, changes: itemsOf(answer.changes) };
      return { kind, fingerprint, items: itemsOf(answer.items) };
    },
  };
}

async function* itemsOf<Item>(
  items: Iterable<Item | OtherEntry> | AsyncIterable<Item | OtherEntry>,
): AsyncGenerator<FeedItem<Item>> {
  for await (const entry of items) {
    if (isOther(entry)) yield entry;
    else yield { kind: "item", item: entry };
  }
}

function isOther(entry: unknown): entry is OtherEntry {
  return typeof entry === "object" && entry !== null && "kind" in entry && otherKinds.has(entry.kind);
}

const otherKinds: ReadonlySet<unknown> = new Set(["problem", "record"]);
