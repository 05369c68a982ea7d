import { describe, expect, it } from "vitest";
import { brokenRules } from "./layer-rules.ts";

const rows: readonly (readonly [path: string, text: string, broken: string | undefined])[] = [
  ["packages/core/src/a.ts", 'import { x } from "node:fs";', "core is pure"],
  ["packages/core/src/versions/semver/version.ts", 'import compare from "semver/functions/compare";', undefined],
  ["packages/core/src/bytes/pure-hasher.ts", 'import { sha256 } from "@noble/hashes/sha2.js";', undefined],
  ["packages/core/src/bytes/a.ts", 'import x from "@noble/hashes-of-others";', "core is pure"],
  ["packages/core/src/feeds/a.ts", 'import bzip2 from "unbzip2-stream/lib/bzip2.js";', undefined],
  ["packages/core/src/feeds/a.ts", 'import stream from "unbzip2-stream";', "core is pure"],
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
  ["packages/registry-api/src/robots/a.ts", 'import { x } from "../accounts/b.ts";', undefined],
  ["packages/registry-api/src/accounts/a.ts", 'import { x } from "../robots/b.ts";', "no such arrow"],
  ["packages/registry-api/src/accounts/a.ts", 'import type { X } from "../robots/b.ts";', "no such arrow"],
  ["packages/registry-api/src/robots/operations.ts", 'import { x } from "../http/b.ts";', "no such arrow"],
  ["packages/registry-api/src/robots/a.ts", 'import { x } from "../access/b.ts";', undefined],
  ["packages/registry-api/src/robots/a.ts", 'import { x } from "../errors.ts";', undefined],
  ["packages/registry-api/src/robots/a.ts", 'import { x } from "../registry.ts";', "puts everything together"],
  ["packages/registry-api/src/access/a.ts", 'import { x } from "../robots/b.ts";', "calls none of them"],
  ["packages/registry-api/src/context.ts", 'import { x } from "./robots/b.ts";', "calls none of them"],
  ["packages/registry-api/src/registry.ts", 'import { x } from "./robots/b.ts";', undefined],
  ["packages/registry-api/src/drawer/a.ts", 'import { x } from "../robots/b.ts";', "has no place"],
  ["packages/registry-api/src/http/a.ts", 'db.selectFrom("robot")', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", "await sql<Row>`select 1`.execute(db)", "queries.ts"],
  ["packages/registry-api/src/access/a.ts", "await db\n    .deleteFrom(table)", "queries.ts"],
  ["packages/registry-api/src/access/queries.ts", 'db.selectFrom("robot")', undefined],
  ["packages/registry-api/src/access/queries/a.ts", "sql`select 1`", undefined],
  ["packages/registry-api/src/store/a.ts", "sql`select 1`", undefined],
  ["packages/registry-api/src/http/a.ts", "/** As `db.selectFrom()` does. */", undefined],
  ["packages/matcher/src/rules/a.ts", 'db.selectFrom("robot")', undefined],
];

describe("brokenRules", () => {
  it.each(rows)("%s with %s", (path, text, broken) => {
    const found = brokenRules({ path, text });

    if (broken === undefined) expect(found).toEqual([]);
    else expect(found.join()).toContain(broken);
  });
});
