import type { FailedUpdate, FeedStatus } from "@plimsoll/matcher";
import type { RegistryFigures } from "@plimsoll/registry-api";
import type { JobCount } from "@plimsoll/store";

/**
 * The age and the size of each feed in Prometheus' text format.
 * @param expected names of all feeds that should be loaded; a missing one has 0 rows and no age
 */
export function feedFigures(feeds: readonly FeedStatus[], expected: readonly string[], now: number): string {
  const each = (read: (feed: FeedStatus) => number) => feeds.map((feed) => [feed.name, read(feed)] as const);
  const missing = missingFrom(feeds, expected).map((name) => [name, 0] as const);
  const ages = each(({ checkedAt }) => Math.max(0, Math.round((now - checkedAt) / 1000)));
  const rows = [...each(({ rows }) => rows), ...missing];
  const dropped = each(({ dropped }) => dropped.count);
  return [
    feedFigureGauge("plimsoll_feed_age_seconds", "Since the feed was last found to be up to date.", ages),
    feedFigureGauge("plimsoll_feed_rows", "Advisories or facts of the feed that hold now.", rows),
    feedFigureGauge("plimsoll_feed_dropped_records", "Records of the feed that could not be used.", dropped),
    recordFigures(feeds),
  ].join("");
}

/** What became of the records of each feed; none of a feed that does not account for them. */
function recordFigures(feeds: readonly FeedStatus[]): string {
  const name = "plimsoll_feed_records";
  const lines = feeds.flatMap(({ name: feed, account }) =>
    outcomesOf(account).map(
      ([outcome, count]) => `${name}{feed="${label(feed)}",outcome="${label(outcome)}"} ${count}\n`,
    ),
  );
  return `${headOf(name, "Records of the feed in its last update, by what became of them.")}${lines.join("")}`;
}

function outcomesOf(account: FeedStatus["account"]): readonly (readonly [outcome: string, count: number])[] {
  if (account === undefined) return [];
  const { read, withdrawn, failed, skipped } = account;
  const byRule = skipped.map(({ rule, count }) => [rule, count] as const);
  return [["read", read], ["withdrawn", withdrawn], ["failed", failed], ...byRule];
}

function feedFigureGauge(
  name: string,
  help: string,
  values: readonly (readonly [feed: string, value: number])[],
): string {
  const lines = values.map(([feed, value]) => `${name}{feed="${label(feed)}"} ${value}\n`);
  return `${headOf(name, help)}${lines.join("")}`;
}

function headOf(name: string, help: string): string {
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`;
}

function label(name: string): string {
  return name.replaceAll(/["\\\n]/g, "_");
}

function missingFrom(feeds: readonly FeedStatus[], expected: readonly string[]): readonly string[] {
  const loaded = new Set(feeds.map(({ name }) => name));
  return expected.filter((name) => !loaded.has(name)).sort();
}

/** The expected feeds, their failed updates, and the time. */
interface ExpectedFeeds {
  /** Names of all feeds that should be loaded. */
  readonly expected: readonly string[];
  /** The feeds whose last update failed. */
  readonly failures: readonly FailedUpdate[];
  readonly now: number;
  readonly maxAgeDays: number;
}

/**
 * A line of text for each feed, marked if it is outdated or not loaded. Such feeds do not make the service unready.
 */
export function feedLines(
  feeds: readonly FeedStatus[],
  { expected, failures, now, maxAgeDays }: ExpectedFeeds,
): string {
  const failed = failures.map(
    ({ updater, message }) => `feed ${updater}: the last update failed: ${oneLine(message)}\n`,
  );
  if (feeds.length === 0) return ["feeds: none is loaded\n", ...failed].join("");
  const lines = feeds.map(({ name, checkedAt, rows }) => {
    const hours = Math.floor((now - checkedAt) / 3_600_000);
    return `feed ${name}: ${rows} rows, checked ${hours} h ago${hours > maxAgeDays * 24 ? ", outdated" : ""}\n`;
  });
  const missing = missingFrom(feeds, expected).map((name) => `feed ${name}: not loaded\n`);
  return [...lines, ...missing, ...failed].join("");
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ");
}

/** The registry's metrics in Prometheus' text format. @param store the kind of its blob store: `files` or `s3` */
export function registryFigures(figures: RegistryFigures, store: string): string {
  const { stored, uploads, uploadBytes, queuedScans, damagedBlobs, collectedAt } = figures;
  const of = `{store="${store}"}`;
  return [
    registryFigureGauge("plimsoll_storage_blobs", "Blobs in the store, as the last collection counted them.", {
      labels: of,
      value: stored?.blobs,
    }),
    registryFigureGauge("plimsoll_storage_bytes", "Bytes of the blobs in the store, likewise.", {
      labels: of,
      value: stored?.bytes,
    }),
    registryFigureGauge("plimsoll_uploads", "Uploads of blobs under way.", { value: uploads }),
    registryFigureGauge("plimsoll_upload_bytes", "Bytes that have come of uploads under way.", { value: uploadBytes }),
    registryFigureGauge("plimsoll_damaged_blobs", "Blobs that are known to be missing or damaged in the store.", {
      value: damagedBlobs,
    }),
    registryFigureGauge("plimsoll_scans_queued", "Images in the registry that wait to be read.", {
      value: queuedScans,
    }),
    registryFigureGauge(
      "plimsoll_collection_last_success_timestamp_seconds",
      "When the last collection of garbage began that came to its end.",
      { value: collectedAt === undefined ? undefined : collectedAt / 1000 },
    ),
  ].join("");
}

/** A gauge; without a sample if its value is unknown. */
function registryFigureGauge(
  name: string,
  help: string,
  { labels = "", value }: { readonly labels?: string; readonly value: number | undefined },
): string {
  const sample = value === undefined ? "" : `${name}${labels} ${value}\n`;
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${sample}`;
}

/** The numbers of jobs by kind and state, in Prometheus' text format: waiting, running, or given up (`dead`). */
export function jobFigures(counts: readonly JobCount[]): string {
  const name = "plimsoll_jobs";
  return [
    `# HELP ${name} Jobs in the queue, by kind and state.`,
    `# TYPE ${name} gauge`,
    ...counts.map(({ kind, state, jobs }) => `${name}{kind="${kind}",state="${state}"} ${jobs}`),
    "",
  ].join("\n");
}
