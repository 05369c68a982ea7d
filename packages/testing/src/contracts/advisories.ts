import type { Advisory, EnrichmentRecord, FeedItem, FeedReader, RecordChange, Update, Updater } from "@plimsoll/core";

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
      readonly items: Iterable<Item | FeedProblemItem> | AsyncIterable<Item | FeedProblemItem>;
    }
  | {
      readonly kind: "delta";
      readonly fingerprint: string;
      readonly changes:
        | Iterable<RecordChange<Item> | FeedProblemItem>
        | AsyncIterable<RecordChange<Item> | FeedProblemItem>;
    };

type FeedProblemItem = Extract<FeedItem<never>, { kind: "problem" }>;

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
  items: Iterable<Item | FeedProblemItem> | AsyncIterable<Item | FeedProblemItem>,
): AsyncGenerator<FeedItem<Item>> {
  for await (const entry of items) {
    if (isProblem(entry)) yield entry;
    else yield { kind: "item", item: entry };
  }
}

function isProblem(entry: unknown): entry is FeedProblemItem {
  return typeof entry === "object" && entry !== null && "kind" in entry && entry.kind === "problem";
}
