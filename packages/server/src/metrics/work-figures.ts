import type { IndexService } from "@plimsoll/indexer";
import type { MatchService } from "@plimsoll/matcher";
import type { Collected, DamagedBlob } from "@plimsoll/registry-api";
import type { JobEvent, JobEventKind } from "@plimsoll/store";
import { Counter, Histogram, Registry } from "prom-client";

/** Upper bounds of the buckets, in seconds: from a single query to a full garbage collection. */
const buckets = [0.01, 0.05, 0.25, 1, 5, 30, 120, 600, 3600];

/** The values of the label `result`, by the event that ends an attempt. */
const results: Partial<Readonly<Record<JobEventKind, string>>> = {
  succeeded: "done",
  failed: "failed",
  dead: "dead",
  released: "released",
  lost: "lost",
  cancelled: "cancelled",
};

/** Metrics of background work in this process: jobs, indexing, matching, garbage collection. */
export interface WorkFigures {
  /** Counts an event of a job. */
  noteJob(event: JobEvent): void;
  /** Counts an item that a garbage collection has removed. */
  noteCollected(item: Collected): void;
  /** Counts a blob that was found missing or damaged. */
  noteDamaged(fault: DamagedBlob["fault"]): void;
  /** Wraps a service so that its work is measured. */
  countIndexing(indexer: IndexService): IndexService;
  /** Wraps a service so that its work is measured. */
  countMatching(matcher: MatchService): MatchService;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

/** Creates the metrics, which start at 0. @param now a clock that never goes back, in milliseconds */
export function createWorkFigures(now: () => number = () => performance.now()): WorkFigures {
  const registry = new Registry();
  const registers = [registry];
  const histogram = (name: string, help: string, labelNames: readonly string[]) =>
    new Histogram({ name, help, labelNames: [...labelNames], buckets, registers });
  const jobs = histogram("plimsoll_job_seconds", "Attempts at jobs, by kind and how they ended.", ["kind", "result"]);
  const jobEvents = new Counter({
    name: "plimsoll_job_events_total",
    help: "What this process has seen happen to jobs, by kind and event.",
    labelNames: ["kind", "event"],
    registers,
  });
  const indexing = histogram("plimsoll_index_seconds", "Images whose contents were asked for, by how that ended.", [
    "result",
  ]);
  const matching = histogram("plimsoll_match_seconds", "Vulnerability reports that were made, by how that ended.", [
    "result",
  ]);
  const collected = (name: string, help: string) => new Counter({ name, help, labelNames: ["kind"], registers });
  const items = collected("plimsoll_collected_items_total", "What collections of garbage have removed, by kind.");
  const bytes = collected("plimsoll_collected_bytes_total", "Bytes that collections of garbage have freed, by kind.");
  const damaged = new Counter({
    name: "plimsoll_damaged_blobs_found_total",
    help: "Blobs that this process has found missing, damaged or unreadable, by fault.",
    labelNames: ["fault"],
    registers,
  });
  const begun = new Map<string, number>();

  async function timed<T>(among: Histogram, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const from = now();
    const note = (result: string) => among.observe({ result }, (now() - from) / 1000);
    try {
      const done = await work();
      note("done");
      return done;
    } catch (error) {
      note(signal?.aborted ? "aborted" : "failed");
      throw error;
    }
  }

  return {
    noteJob({ kind: event, job }) {
      jobEvents.inc({ kind: job.kind, event });
      if (event === "started") return void begun.set(job.id, now());
      const result = results[event];
      if (result === undefined) return;
      const from = begun.get(job.id);
      begun.delete(job.id);
      jobs.observe({ kind: job.kind, result }, from === undefined ? 0 : (now() - from) / 1000);
    },
    noteCollected({ kind, sizeBytes }) {
      items.inc({ kind });
      bytes.inc({ kind }, sizeBytes);
    },
    noteDamaged: (fault) => damaged.inc({ fault }),
    countIndexing: (indexer) => ({
      ...indexer,
      submit: (manifest, call) => timed(indexing, () => indexer.submit(manifest, call), call?.signal),
      index: (manifest, call) => timed(indexing, () => indexer.index(manifest, call), call?.signal),
    }),
    countMatching: (matcher) => ({
      ...matcher,
      report: (digest, call) => timed(matching, () => matcher.report(digest, call), call?.signal),
    }),
    text: () => registry.metrics(),
  };
}
