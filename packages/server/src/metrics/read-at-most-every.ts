/** What `read` gives, read at most once in `everyMs`: frequent callers do not make it costly. Failures are not kept. */
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
