import { RegistryError } from "../errors.ts";

/** Does a piece of work when it is its turn. @throws RegistryError `too_many_requests` where too many wait; what the work throws */
export type TakeTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** How much work is done at once, and how much more may wait: any where absent. */
export interface TurnsOptions {
  readonly atOnce: number;
  readonly waiting?: number;
}

/** Turns for work of which little is done at once: the others wait in order, up to a number. */
export function createTurns({ atOnce, waiting = Number.POSITIVE_INFINITY }: TurnsOptions): TakeTurn {
  let running = 0;
  const turns: (() => void)[] = [];
  return async (work) => {
    if (running < atOnce) running += 1;
    else if (turns.length < waiting) await new Promise<void>((resolve) => turns.push(resolve));
    else throw new RegistryError("too_many_requests", "Too many at once: try again", { retryAfterSeconds: 1 });
    try {
      return await work();
    } finally {
      const next = turns.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
