import type { FeedRecord } from "@plimsoll/core/internal";

/** Records of a feed that are not used because of a rule. */
export interface SkippedRecords {
  /** The name of the rule: `withdrawn` is counted separately. */
  readonly rule: string;
  readonly count: number;
  /** The place of the first of them. */
  readonly example: string;
}

/**
 * What became of the records of a feed, and of its documents that are not read, in the last update: `records` is the sum of the others.
 * After a delta, it is about the records that changed.
 */
export interface FeedAccount {
  readonly records: number;
  readonly read: number;
  readonly withdrawn: number;
  /** Records of which nothing could be used. */
  readonly failed: number;
  /** By rule, the most frequent first. */
  readonly skipped: readonly SkippedRecords[];
}

/** The maximal number of rules that are counted separately; the engine's updaters have fewer. */
const maxRules = 20;
/** The largest stored length of a rule or a place. */
const maxTextLength = 500;

/** Counts what became of the records of a feed. */
export class AccountTally {
  #read = 0;
  #withdrawn = 0;
  #failed = 0;
  readonly #skipped = new Map<string, { count: number; readonly example: string }>();

  add(record: FeedRecord): void {
    switch (record.outcome) {
      case "read":
        this.#read += record.count ?? 1;
        return;
      case "withdrawn":
        this.#withdrawn += record.count ?? 1;
        return;
      case "failed":
        this.#failed += record.count ?? 1;
        return;
      case "skipped":
        this.#skip(record.rule, record.at);
    }
  }

  /** Undefined if the updater accounts for nothing. */
  get account(): FeedAccount | undefined {
    const skipped = [...this.#skipped].map(([rule, { count, example }]) => ({ rule, count, example }));
    const counts = { read: this.#read, withdrawn: this.#withdrawn, failed: this.#failed };
    const records = [...Object.values(counts), ...skipped.map(({ count }) => count)].reduce(
      (sum, each) => sum + each,
      0,
    );
    if (records === 0) return undefined;
    return { records, ...counts, skipped: skipped.sort((a, b) => b.count - a.count) };
  }

  #skip(rule: string, at: string): void {
    const name = this.#skipped.has(rule) || this.#skipped.size < maxRules ? rule.slice(0, maxTextLength) : "other";
    const known = this.#skipped.get(name);
    if (known === undefined) this.#skipped.set(name, { count: 1, example: at.slice(0, maxTextLength) });
    else known.count++;
  }
}

/**
 * Whether a feed has records, but none of them gave an advisory or a fact.
 * @example
 * declare const store: MatcherStore;
 * const useless = (await listFeeds(store)).filter(isEmptyOfUse);
 */
export function isEmptyOfUse({ rows, account }: { readonly rows: number; readonly account?: FeedAccount }): boolean {
  return rows === 0 && account !== undefined && account.records > 0;
}

/** Encodes an account for the column `account`. */
export function encodeAccount(account: FeedAccount | undefined): string | null {
  return account === undefined ? null : JSON.stringify(account);
}

/** Decodes the column `account`. */
export function decodeAccount(text: string | null): FeedAccount | undefined {
  return text === null ? undefined : (JSON.parse(text) as FeedAccount);
}
