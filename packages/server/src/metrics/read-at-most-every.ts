/** Caches the result of `read` for `everyMs`. Failures are not cached. */
export function readAtMostEvery<T>(
  everyMs: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last !== undefined && now() - last.at < everyMs) return last.value;
    const value = read();
    const mine = { at: now(), value };
    last = mine;
    value.catch(() => {
      if (last === mine) last = undefined;
    });
    return value;
  };
}
