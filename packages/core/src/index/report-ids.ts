/**
 * Ids of the distinct values of a report. Values with the same key share an id. Ids are decimal numbers in the order of the keys,
 * so the same findings always get the same ids.
 */
export interface ReportIds<Value> {
  /** @throws Error when the value was not among those numbered */
  idOf(value: Value): string;
  /** The distinct values with their ids, in id order. */
  readonly entries: readonly (readonly [id: string, value: Value])[];
}

/** Numbers `values` from `after + 1` on. Of several with the same key the first counts. */
export function numberValues<Value>(
  values: Iterable<Value>,
  keyOf: (value: Value) => string,
  after = 0,
): ReportIds<Value> {
  const byKey = new Map<string, Value>();
  for (const value of values) {
    const key = keyOf(value);
    if (!byKey.has(key)) byKey.set(key, value);
  }
  const keys = [...byKey.keys()].sort();
  const ids = new Map(keys.map((key, index) => [key, String(after + index + 1)]));
  return {
    idOf(value) {
      const id = ids.get(keyOf(value));
      if (id === undefined) throw new Error(`not numbered: ${keyOf(value)}`);
      return id;
    },
    entries: [...ids].map(([key, id]) => [id, byKey.get(key) as Value] as const),
  };
}
