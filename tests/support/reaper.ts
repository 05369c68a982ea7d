import type { ServiceProcess } from "./service-process.ts";

/** How a reaper goes about it. */
export interface ReaperOptions {
  /** From 0 to below 1. */
  readonly random: () => number;
  /** It kills after between 1 and so many events. */
  readonly mostEvents: number;
  /** After so many deaths it kills no more, so that a machine that is slow to start processes is done some day. */
  readonly mostKills: number;
}

/** Kills processes at random, each to be started again at once. Not time paces it but what happens. */
export class Reaper {
  readonly #options: ReaperOptions;
  readonly #restarting = new Set<Promise<void>>();
  #processes: readonly ServiceProcess[] = [];
  #patience = 1;
  /** How often it killed. */
  kills = 0;

  constructor(options: ReaperOptions) {
    this.#options = options;
  }

  /** Begins to kill among these. */
  release(processes: readonly ServiceProcess[]): void {
    this.#processes = processes;
  }

  /** Something happened that `those` (any, where absent) may be in the middle of. */
  event(those: readonly ServiceProcess[] = this.#processes): void {
    const { random, mostEvents, mostKills } = this.#options;
    if (this.#processes.length === 0 || this.kills >= mostKills || --this.#patience > 0) return;
    const alive = those.filter(({ isListening }) => isListening);
    const victim = alive[Math.floor(random() * alive.length)];
    if (victim === undefined) return;
    this.#patience = 1 + Math.floor(random() * mostEvents);
    this.kill(victim);
  }

  /** Kills one that is in the middle of something, whatever chance says. */
  kill(victim: ServiceProcess): void {
    if (!victim.isListening) return;
    this.kills += 1;
    const restarting = victim.restart().finally(() => this.#restarting.delete(restarting));
    this.#restarting.add(restarting);
  }

  /** Stops killing by chance; resolves when all killed processes are started again. */
  async retire(): Promise<void> {
    this.#processes = [];
    await Promise.all(this.#restarting);
  }
}
