import { describe, expect, it } from "vitest";
import { importCycles } from "./import-cycles.ts";
import { parseSources } from "./parsed-source.ts";

const rows: readonly (readonly [files: Readonly<Record<string, string>>, cycles: string[][]])[] = [
  [{ "a.ts": 'import { b } from "./b.ts";', "b.ts": "" }, []],
  [{ "a.ts": 'import { b } from "./b.ts";', "b.ts": 'import { a } from "./a.ts";' }, [["a.ts", "b.ts"]]],
  [{ "a.ts": 'import type { B } from "./b.ts";', "b.ts": 'export type { A } from "./a.ts";' }, [["a.ts", "b.ts"]]],
  [
    {
      "x/a.ts": 'import { b } from "../y/b.ts";',
      "y/b.ts": 'const c = await import("./c.ts");',
      "y/c.ts": 'import { a } from "../x/a.ts";',
      "y/d.ts": 'import { a } from "../x/a.ts";',
    },
    [["x/a.ts", "y/b.ts", "y/c.ts"]],
  ],
  [{ "a.ts": 'import * as self from "./a.ts";' }, [["a.ts"]]],
];

describe("importCycles", () => {
  it.each(rows)("of %j are %j", (files, cycles) => {
    const sources = Object.entries(files).map(([path, text]) => ({ path, text }));

    expect(importCycles(parseSources(sources))).toEqual(cycles);
  });
});
