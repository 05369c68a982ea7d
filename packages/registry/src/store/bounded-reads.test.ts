import { describe, expect, it } from "vitest";
import { gather, readByKeys, readLength } from "./bounded-reads.ts";

interface Row {
  readonly key: string;
  readonly at: number;
}

/** Reads of a table in which each key has so many rows; what each read asked for. */
function tableOf(counts: Readonly<Record<string, number>>) {
  const reads: { readonly keys: number; readonly rows: number }[] = [];
  const read = async (keys: readonly string[], after?: Row): Promise<readonly Row[]> => {
    const rows = keys.flatMap((key) => Array.from({ length: counts[key] ?? 0 }, (_, at) => ({ key, at })));
    const page = rows.filter(({ at }) => at > (after?.at ?? -1)).slice(0, readLength);
    reads.push({ keys: keys.length, rows: page.length });
    return page;
  };
  return { read, reads };
}

describe("readByKeys", () => {
  it("gives every row once, in reads that are bounded", async () => {
    const { read, reads } = tableOf({ a: 1, b: readLength * 2, c: 400, d: 400, e: 400 });

    const rows = await gather(readByKeys(["a", "b", "c", "d", "e", "a"], read));

    expect(rows).toHaveLength(1 + readLength * 2 + 1200);
    expect(new Set(rows.map(({ key, at }) => `${key} ${at}`)).size).toBe(rows.length);
    expect(Math.max(...reads.map((each) => each.rows))).toBe(readLength);
  });

  it("reads what has few rows at once", async () => {
    const { read, reads } = tableOf({ a: 1, b: 2 });

    await gather(readByKeys(["a", "b", "c"], read));

    expect(reads).toEqual([{ keys: 3, rows: 3 }]);
  });
});
