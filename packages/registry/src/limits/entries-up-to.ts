/**
 * Options of an LRU cache of so many entries whose memory grows with them: with `max` alone, `lru-cache` takes the memory of all entries (140 kB for
 * 10,000) and a millisecond at once, and a registry has two dozen such caches.
 * @example
 * const networks = new LRUCache<string, number>(entriesUpTo(10_000));
 */
export function entriesUpTo(most: number) {
  return { maxSize: most, sizeCalculation: () => 1 } as const;
}
