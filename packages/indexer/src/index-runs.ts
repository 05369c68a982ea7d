import { randomUUID } from "node:crypto";
import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { LayerSingleFlight, Manifest } from "@plimsoll/core/internal";
import { type Flight, holdLock, singleFlight, usualLeaseSeconds } from "@plimsoll/store";
import pLimit from "p-limit";
import { type FinishedReport, type IndexDeps, indexManifest, lockName } from "./index-manifest.ts";
import type { IndexServiceOptions } from "./index-service-options.ts";
import { createIndexer } from "./indexer.ts";
import { storedLayers } from "./store/layer-store.ts";
import { deleteDrafts, deleteLeftovers, listLeftovers } from "./store/leftovers.ts";
import { failRun, findOpenRun, findOutcome, listOpenRuns, type Run, toError } from "./store/runs.ts";
import type { LayerRecord } from "./values/layer-record.ts";

/** The largest number of attempts of a run that is interrupted each time: it may be the cause. A new submission resets the count. */
const maxAttempts = 5;

/** The code of a run that ended after too many attempts. No other failure has it. */
const givenUp = "aborted";

/** The number of runs that one node takes over at the same time. */
const resumedAtOnce = 4;

/** The stored outcome of an image. */
interface KnownOutcome {
  readonly finished?: FinishedReport;
  readonly run?: Run;
}

/** A run that callers of this node wait for. */
interface ActiveRun {
  readonly report: Promise<FinishedReport>;
  /** The id of the run, once it is stored by this node. */
  id?: string;
}

/** A caller that is reading the stored outcome of an image. */
interface Lookup {
  readonly digest: Digest;
  /** The first run that has started meanwhile. */
  begun?: Promise<FinishedReport>;
}

/** The runs of one node. */
export class IndexRuns {
  readonly #options: IndexServiceOptions;
  readonly #deps: IndexDeps;
  readonly #active = new Map<Digest, ActiveRun>();
  readonly #lookups = new Set<Lookup>();
  /** All runs, including those that new callers no longer join. */
  readonly #working = new Set<Promise<unknown>>();
  readonly #resuming = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor(options: IndexServiceOptions) {
    const { engine, store, fetchLayer, clock, createRunId = randomUUID } = options;
    const cache = storedLayers(store, () => clock.now());
    const indexer = createIndexer({ ...options, cache, singleFlight: layerFlights(options) });
    this.#options = options;
    this.#deps = { engine, store, indexer, fetchLayer, clock, createRunId };
  }

  /** See `IndexService.submit`. */
  async submit(manifest: Manifest, signal: AbortSignal | undefined): Promise<FinishedReport> {
    return unlessAborted(this.#findOrJoin(manifest), signal, manifest.digest);
  }

  /** Returns the stored report or joins a run. A run that started during the read counts too, even if it has already ended. */
  async #findOrJoin(manifest: Manifest): Promise<FinishedReport> {
    const lookup: Lookup = { digest: manifest.digest };
    this.#lookups.add(lookup);
    const { finished, run } = await this.#find(manifest).finally(() => this.#lookups.delete(lookup));
    return finished ?? lookup.begun ?? this.#join(manifest, run);
  }

  /**
   * Joins the active run or starts one. An active run that is no longer stored will end without a result, because the image was deleted
   * meanwhile: a later caller starts a new run after it.
   * @param before the stored run that the caller has read
   */
  #join(manifest: Manifest, before: Run | undefined): Promise<FinishedReport> {
    const { digest } = manifest;
    const joined = this.#active.get(digest);
    if (joined !== undefined && (joined.id === undefined || joined.id === before?.id)) return joined.report;
    const report = this.#run(manifest, before, (id) => {
      active.id = id;
    }).finally(() => {
      this.#working.delete(report);
      if (this.#active.get(digest) === active) this.#active.delete(digest);
    });
    const active: ActiveRun = { report };
    report.catch(() => {}); // waiting callers get the error; there may be none
    for (const lookup of this.#lookups) if (lookup.digest === digest) lookup.begun ??= report;
    this.#working.add(report);
    this.#active.set(digest, active);
    return report;
  }

  /** The result of the first run on any node. A run that failed before this call is repeated. */
  async #run(manifest: Manifest, before: Run | undefined, onBegun: (id: string) => void): Promise<FinishedReport> {
    const { digest } = manifest;
    const failedBefore = before?.failure === undefined ? undefined : before.id;
    return flightOf(this.#options, {
      name: lockName(digest),
      find: () => this.#findOutcome(manifest, failedBefore),
      work: (signal) => indexManifest(this.#deps, { manifest, attempts: 1, onBegun, signal }),
      signal: this.#stopping.signal,
    });
  }

  /** The outcome of a run; undefined after too many attempts. @throws the failure of a run */
  async #findOutcome(manifest: Manifest, failedBefore: string | undefined): Promise<FinishedReport | undefined> {
    const { finished, run } = await this.#find(manifest);
    if (finished !== undefined) return finished;
    if (run?.failure === undefined || run.failure.code === givenUp || run.id === failedBefore) return undefined;
    throw toError(run.failure);
  }

  /** The run, and the stored report if it has the current index state and the manifest's layers. */
  async #find({ digest, layers }: Manifest): Promise<KnownOutcome> {
    const { store, engine } = this.#options;
    const { finished, run } = await findOutcome(store, digest, engine.state);
    const read = finished?.coverage.layers ?? [];
    const isOfLayers = read.length === layers.length && layers.every((layer, at) => layer.digest === read[at]?.digest);
    return { finished: finished && isOfLayers ? async () => finished : undefined, run };
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

  /** Takes over a run. Empty if the run is alive, has ended meanwhile, or was interrupted again. */
  async #takeOver(digest: Digest, signal: AbortSignal): Promise<readonly Digest[]> {
    const { store, clock, sleep, leaseSeconds = usualLeaseSeconds } = this.#options;
    if (signal.aborted || this.#active.has(digest)) return [];
    const lock = await store.tryLock(lockName(digest), { clock, leaseSeconds });
    if (lock === undefined) return [];
    return holdLock(lock, { leaseSeconds, sleep, signal }, async (held) => {
      await this.#repeat(digest, held);
      const isEnded = (await findOpenRun(store, digest)) === undefined;
      return isEnded ? [digest] : [];
    });
  }

  /** Deletes data whose deletion was interrupted, and drafts of processes that have died. */
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

  /** Repeats a run. A failure is stored. */
  async #repeat(digest: Digest, signal: AbortSignal): Promise<void> {
    const { store, clock } = this.#options;
    const open = await findOpenRun(store, digest);
    if (open === undefined) return;
    if (open.attempts >= maxAttempts) {
      const message = `indexing was started ${open.attempts} times and interrupted each time: submit the image again`;
      return failRun(store, digest, { id: open.id, failure: { code: givenUp, message }, at: clock.now() });
    }
    const { manifest, attempts } = open;
    await indexManifest(this.#deps, { manifest, attempts: attempts + 1, signal }).catch(() => {});
  }

  /** Interrupts the runs and waits until they have ended. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled([...this.#working, ...this.#resuming]);
  }
}

/** Runs work in at most one process at a time. @throws ScanError `aborted` if the signal is aborted meanwhile */
async function flightOf<T>(options: IndexServiceOptions, flight: Flight<T>): Promise<T> {
  try {
    return await singleFlight(options, flight);
  } catch (error) {
    if (error !== flight.signal.reason) throw error;
    throw new ScanError("aborted", `waiting for ${flight.name} was cancelled`, { cause: error });
  }
}

/** Makes sure that a shared layer is read once on all nodes. */
function layerFlights(options: IndexServiceOptions): LayerSingleFlight<LayerRecord> {
  const { state } = options.engine;
  return ({ digest, find, read, signal }) =>
    flightOf(options, { name: `indexer.layer.${state}.${digest}`, find, work: read, signal });
}

/** Waits for work until the caller's signal is aborted; the work continues. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, digest: Digest): Promise<T> {
  if (signal === undefined) return work;
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = () => reject(new ScanError("aborted", `waiting for manifest ${digest} was cancelled`));
  signal.addEventListener("abort", giveUp, { once: true });
  if (signal.aborted) giveUp();
  work.then(resolve, reject).finally(() => signal.removeEventListener("abort", giveUp));
  return promise;
}
