import { describe, expect, it } from "vitest";
import { brokenRules } from "./layer-rules.ts";

const rows: readonly (readonly [path: string, text: string, broken: string | undefined])[] = [
  ["packages/core/src/a.ts", 'import { x } from "node:fs";', "core is pure"],
  ["packages/core/src/versions/semver/version.ts", 'import compare from "semver/functions/compare";', undefined],
  ["packages/core/src/a.ts", 'import type { X } from "@plimsoll/store";', "not below it"],
  ["packages/indexer/src/a.ts", 'import { x } from "@plimsoll/matcher";', "not below it"],
  ["packages/indexer/src/a.ts", 'import { x } from "@plimsoll/core";', undefined],
  ["packages/indexer/src/a.ts", 'const m = await import("@plimsoll/matcher");', "not below it"],
  ["packages/server/src/a.ts", 'import { x } from "@plimsoll/scanner";', undefined],
  ["packages/scanner/src/a.ts", 'import { x } from "@plimsoll/testing";', "only tests"],
  ["packages/testing/src/a.ts", 'import { x } from "@plimsoll/core";', undefined],
  ["packages/matcher/src/store/a.ts", 'import { x } from "../rules/b.ts";', "above it"],
  ["packages/matcher/src/rules/a.ts", 'import { x } from "../store/b.ts";', undefined],
  ["packages/matcher/src/a.ts", 'import { x } from "./index.ts";', "index.ts"],
  ["packages/core/src/ecosystems/all.ts", 'import { apk } from "./apk/index.ts";', undefined],
  ["packages/matcher/src/a.ts", "const now = Date.now();", "Date.now()"],
  ["packages/matcher/src/a.ts", "// Date.now() is the clock's affair", undefined],
  ["packages/matcher/src/a.ts", "await reader.fetch(url);", undefined],
  ["packages/matcher/src/a.ts", "await fetch(url);", "fetch()"],
  ["packages/matcher/src/adapters/a.ts", "await fetch(url);", "@plimsoll/outbound"],
  ["packages/server/src/a.ts", "await fetch(url);", "@plimsoll/outbound"],
  ["packages/server/src/a.ts", "process.env.HOME", undefined],
  ["packages/server/src/a.ts", 'import { Agent } from "undici";', "@plimsoll/outbound"],
  ["packages/indexer/src/adapters/a.ts", 'const { request } = await import("undici");', "@plimsoll/outbound"],
  ["packages/outbound/src/a.ts", 'import type { Dispatcher } from "undici";', undefined],
];

describe("brokenRules", () => {
  it.each(rows)("%s with %s", (path, text, broken) => {
    const found = brokenRules({ path, text });

    if (broken === undefined) expect(found).toEqual([]);
    else expect(found.join()).toContain(broken);
  });
});
