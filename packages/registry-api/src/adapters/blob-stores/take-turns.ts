/** Lets so many do their work at once; others wait, in their order. */
export function takeTurns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let working = 0;
  return async (work) => {
    if (working === most) await new Promise<void>((resolve) => waiting.push(resolve));
    else working++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) working--;
      else next();
    }
  };
}
