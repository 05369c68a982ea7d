import { randomUUID } from "node:crypto";
import { type Digest, type LayerSingleFlight, type Manifest, ScanError } from "@plimsoll/core";
import { type Flight, holdLock, singleFlight, usualLeaseSeconds } from "@plimsoll/store";
import pLimit from "p-limit";
import { type FinishedReport, type IndexContext, indexManifest, lockName } from "./index-manifest.ts";
import type { IndexServiceOptions } from "./index-service-options.ts";
import { createIndexer } from "./indexer.ts";
import { storedLayers } from "./store/layer-store.ts";
import { deleteDrafts, deleteLeftovers, listLeftovers } from "./store/leftovers.ts";
import { findOutcome } from "./store/outcome.ts";
import { failRun, findOpenRun, listOpenRuns, type Run, toError } from "./store/runs.ts";
import type { LayerRecord } from "./values/layer-record.ts";

/** How often a run is begun that is cut off every time: it may be what kills its process. A submission starts again. */
const maxAttempts = 5;

/** The code of a run that ended without a result: no other failure has it. */
const givenUp = "aborted";

/** Runs that one node takes over at the same time. */
const resumedAtOnce = 4;

/** What is known of an image. */
interface KnownOutcome {
  readonly finished?: FinishedReport;
  readonly run?: Run;
}

/** What callers at this node wait for. */
interface UnderWay {
  readonly report: Promise<FinishedReport>;
  /** The id of the run, once it is stored by this node. */
  id?: string;
}

/** A caller who looks what is known of an image. */
interface Looking {
  readonly digest: Digest;
  /** The first run that has begun meanwhile. */
  begun?: Promise<FinishedReport>;
}

/** The runs of one node. */
export class IndexRuns {
  readonly #options: IndexServiceOptions;
  readonly #context: IndexContext;
  readonly #underWay = new Map<Digest, UnderWay>();
  readonly #looking = new Set<Looking>();
  /** Also those that no caller joins any more. */
  readonly #working = new Set<Promise<unknown>>();
  readonly #resuming = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor(options: IndexServiceOptions) {
    const { engine, store, fetchLayer, clock, createRunId = randomUUID } = options;
    const cache = storedLayers(store, () => clock.now());
    const indexer = createIndexer({ ...options, cache, singleFlight: layerFlights(options) });
    this.#options = options;
    this.#context = { engine, store, indexer, fetchLayer, clock, createRunId };
  }

  /** See `IndexService.submit`. */
  async submit(manifest: Manifest, signal: AbortSignal | undefined): Promise<FinishedReport> {
    return unlessAborted(this.#findOrJoin(manifest), signal, manifest.digest);
  }

  /** A run that has begun since the caller came is the caller's too, though it may have ended while the caller looked. */
  async #findOrJoin(manifest: Manifest): Promise<FinishedReport> {
    const looking: Looking = { digest: manifest.digest };
    this.#looking.add(looking);
    const { finished, run } = await this.#find(manifest).finally(() => this.#looking.delete(looking));
    return finished ?? looking.begun ?? this.#join(manifest, run);
  }

  /**
   * A run that is no longer stored ends without a result: the image was deleted since it began. A later caller starts again, when
   * that one has ended.
   * @param before the last run that the caller knows of
   */
  #join(manifest: Manifest, before: Run | undefined): Promise<FinishedReport> {
    const { digest } = manifest;
    const joined = this.#underWay.get(digest);
    if (joined !== undefined && (joined.id === undefined || joined.id === before?.id)) return joined.report;
    const report = this.#run(manifest, before, (id) => {
      underWay.id = id;
    }).finally(() => {
      this.#working.delete(report);
      if (this.#underWay.get(digest) === underWay) this.#underWay.delete(digest);
    });
    const underWay: UnderWay = { report };
    report.catch(() => {}); // callers that wait are told; there may be none any more
    for (const looking of this.#looking) if (looking.digest === digest) looking.begun ??= report;
    this.#working.add(report);
    this.#underWay.set(digest, underWay);
    return report;
  }

  /** The result of the first run on any node. What failed before this call is tried again. */
  async #run(manifest: Manifest, before: Run | undefined, onBegun: (id: string) => void): Promise<FinishedReport> {
    const { digest } = manifest;
    const failedBefore = before?.failure === undefined ? undefined : before.id;
    return flightOf(this.#options, {
      name: lockName(digest),
      find: () => this.#findOutcome(manifest, failedBefore),
      work: (signal) => indexManifest(this.#context, { manifest, attempts: 1, onBegun, signal }),
      signal: this.#stopping.signal,
    });
  }

  /** A run that was given up has no outcome. */
  async #findOutcome(manifest: Manifest, failedBefore: string | undefined): Promise<FinishedReport | undefined> {
    const { finished, run } = await this.#find(manifest);
    if (finished !== undefined) return finished;
    if (run?.failure === undefined || run.failure.code === givenUp || run.id === failedBefore) return undefined;
    throw toError(run.failure);
  }

  /** The stored report, as long as it is what indexing the image now would lead to; and the run. */
  async #find({ digest, layers }: Manifest): Promise<KnownOutcome> {
    const { store, engine } = this.#options;
    const { finished, run } = await findOutcome(store, digest, engine.state);
    const read = finished?.coverage.layers ?? [];
    const isOfLayers = read.length === layers.length && layers.every((layer, at) => layer.digest === read[at]?.digest);
    return { ...(finished && isOfLayers && { finished: async () => finished }), ...(run && { run }) };
  }

  /** See `IndexService.resume`. */
  async resume(signal: AbortSignal | undefined): Promise<readonly Digest[]> {
    const stopping = this.#stopping.signal;
    const ends = signal === undefined ? stopping : AbortSignal.any([signal, stopping]);
    const atOnce = pLimit(resumedAtOnce);
    const digests = await listOpenRuns(this.#options.store);
    const resuming = Promise.all(digests.map((digest) => atOnce(() => this.#takeOver(digest, ends))));
    this.#resuming.add(resuming);
    try {
      const ended = (await resuming).flat();
      await this.#deleteLeftovers(ends);
      return ended;
    } finally {
      this.#resuming.delete(resuming);
    }
  }

  /** Nothing where the run is alive, ended meanwhile, or cut off again. */
  async #takeOver(digest: Digest, signal: AbortSignal): Promise<readonly Digest[]> {
    const { store, clock, sleep, leaseSeconds = usualLeaseSeconds } = this.#options;
    if (signal.aborted || this.#underWay.has(digest)) return [];
    const lock = await store.tryLock(lockName(digest), { clock, leaseSeconds });
    if (lock === undefined) return [];
    return holdLock(lock, { leaseSeconds, sleep, signal }, async (held) => {
      await this.#repeat(digest, held);
      const isEnded = (await findOpenRun(store, digest)) === undefined;
      return isEnded ? [digest] : [];
    });
  }

  /** What was not deleted to its end, and what a process wrote that has died. */
  async #deleteLeftovers(signal: AbortSignal): Promise<void> {
    const { store, clock, sleep, leaseSeconds = usualLeaseSeconds } = this.#options;
    for (const leftover of await listLeftovers(store)) {
      if (signal.aborted) return;
      const { owner } = leftover;
      if (owner === null) {
        await deleteLeftovers(store, [leftover]);
        continue;
      }
      const lock = await store.tryLock(owner, { clock, leaseSeconds });
      if (lock !== undefined) await holdLock(lock, { leaseSeconds, sleep, signal }, () => deleteDrafts(store, owner));
    }
  }

  /** Runs once more; how it fails is stored. */
  async #repeat(digest: Digest, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#options;
    const open = await findOpenRun(store, digest);
    if (open === undefined) return;
    if (open.attempts >= maxAttempts) {
      const message = `indexing was begun ${open.attempts} times and cut off each time: submit the image again to start again`;
      return failRun(store, digest, { id: open.id, failure: { code: givenUp, message }, at: clock.now() });
    }
    const { manifest, attempts } = open;
    await indexManifest(this.#context, { manifest, attempts: attempts + 1, signal }).catch(() => {});
  }

  /** Cuts the runs off and waits until they have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#working, ...this.#resuming]);
  }
}

/** Work that one process does at a time. @throws ScanError `aborted` when the signal is aborted meanwhile */
async function flightOf<T>(options: IndexServiceOptions, flight: Flight<T>): Promise<T> {
  try {
    return await singleFlight(options, flight);
  } catch (error) {
    if (error !== flight.signal.reason) throw error;
    throw new ScanError("aborted", `waiting for ${flight.name} was cancelled`, { cause: error });
  }
}

/** A layer that several images share is read once, on all nodes. */
function layerFlights(options: IndexServiceOptions): LayerSingleFlight<LayerRecord> {
  const { state } = options.engine;
  return ({ digest, find, read, signal }) =>
    flightOf(options, { name: `indexer.layer.${state}.${digest}`, find, work: read, signal });
}

/** Waits until the caller gives up; the work goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, digest: Digest): Promise<T> {
  if (signal === undefined) return work;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = () => reject(new ScanError("aborted", `waiting for manifest ${digest} was cancelled`));
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  return promise;
}
