import { execFile } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path/posix";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it } from "vitest";
import { findRegularExpressions } from "./check-regular-expressions.ts";
import { brokenRules } from "./layer-rules.ts";
import { exceededLimits, structureFigures } from "./measure-structure.ts";
import { parseSources } from "./parsed-source.ts";
import { areaCalls, areaRule, depthOf, withAreaDiagram } from "./registry-areas.ts";
import { signatureRule } from "./signature-rule.ts";

const layerRows: readonly (readonly [path: string, text: string, broken: string | undefined])[] = [
  ["packages/core/src/a.ts", "type X = import('@plimsoll/store').X;", "write import type"],
  ["packages/core/src/a.ts", 'import type { X } from "../../store/src/index.ts";', "outside of packages/core/src"],
  [
    "packages/indexer/src/http/a.ts",
    'import { x } from "../../../matcher/src/ports.ts";',
    "outside of packages/indexer/src",
  ],
  ["packages/matcher/src/store/a.ts", 'import { x } from "../match-service.ts";', "above it"],
  ["packages/matcher/src/store/a.ts", 'import type { X } from "../ports.ts";', "above it"],
  ["packages/matcher/src/store/a.ts", 'import { x } from "../adapters/b.ts";', "above it"],
  ["packages/matcher/src/store/migrations/a.ts", 'import { x } from "../../ingest.ts";', "above it"],
  ["packages/matcher/src/store/a.ts", 'import type { X } from "../values/b.ts";', undefined],
  ["packages/matcher/src/values/a.ts", 'import type { X } from "../store/b.ts";', "above it"],
  ["packages/notifier/src/values/a.ts", 'import type { X } from "../ports.ts";', "above it"],
  ["packages/indexer/src/a.ts", 'import { x } from "./http/operations.ts";', "above it"],
  ["packages/indexer/src/adapters/a.ts", 'import { x } from "../http/operations.ts";', "above it"],
  ["packages/indexer/src/index.ts", 'export { x } from "./http/operations.ts";', undefined],
  ["packages/indexer/src/http/a.ts", 'import { x } from "../index-service.ts";', undefined],
  ["packages/indexer/src/a.ts", 'import { x } from "./store/b.ts";', undefined],
  ["packages/matcher/src/a.ts", 'import { x } from "./index.ts";', "index.ts"],
  ["packages/core/src/ecosystems/all.ts", 'import { apk } from "./apk/index.ts";', undefined],
  ["packages/matcher/src/a.ts", "const now = Date.now();", "Date.now"],
  ["packages/matcher/src/a.ts", "// Date.now() is the clock's affair", undefined],
  ["packages/matcher/src/a.ts", "await reader.fetch(url);", undefined],
  ["packages/matcher/src/a.ts", "await fetch(url);", "fetch()"],
  ["packages/matcher/src/adapters/a.ts", "await fetch(url);", "@plimsoll/outbound"],
  ["packages/server/src/a.ts", "await fetch(url);", "@plimsoll/outbound"],
  ["packages/server/src/a.ts", "process.env.HOME", undefined],
  ["packages/server/src/a.ts", 'import { Agent } from "undici";', "@plimsoll/outbound"],
  ["packages/indexer/src/adapters/a.ts", 'const { request } = await import("undici");', "@plimsoll/outbound"],
  ["packages/outbound/src/a.ts", 'import type { Dispatcher } from "undici";', undefined],
  ["packages/http/src/a.ts", 'import { METHODS } from "node:http";', "getBuiltinModule"],
  [
    "packages/server/src/a.ts",
    'import type { A } from "./a.ts";\nimport { type Server, METHODS } from "node:http";',
    "getBuiltinModule",
  ],
  ["packages/server/src/a.ts", 'import { a } from "./a.ts";\nimport type { Server } from "node:http";', undefined],
  ["packages/registry-api/src/accounts/a.ts", 'import { x } from "@plimsoll/registry/push/b";', "does not allow that"],
  ["packages/registry-api/src/organizations/a.ts", 'import { x } from "@plimsoll/registry/lifecycle/b/c";', undefined],
  ["packages/registry-api/src/organizations/a.ts", 'import { x } from "../lifecycle/b.ts";', "does not allow that"],
  ["packages/registry-api/src/a.ts", 'import { x } from "@plimsoll/registry/ports/b";', undefined],
  ["packages/registry-adapters/src/a.ts", 'import { x } from "@plimsoll/registry/ports/b";', undefined],
  ["packages/server/src/a.ts", 'import { x } from "@plimsoll/registry/ports/b";', "take what its index.ts exports"],
  ["packages/server/src/a.ts", 'import { x } from "@plimsoll/registry/settings";', undefined],
  ["packages/registry-api/src/events/queries.ts", 'db.selectFrom("robot")', "queries.ts of registry"],
  ["packages/registry/src/events/queries.ts", 'db.selectFrom("robot")', undefined],
  ["packages/registry-api/src/identity/a.ts", 'import { x } from "../accounts/b.ts";', undefined],
  ["packages/registry-api/src/accounts/a.ts", 'import { x } from "../identity/b.ts";', "does not allow that"],
  ["packages/registry-api/src/accounts/a.ts", 'import type { X } from "../identity/b.ts";', "does not allow that"],
  ["packages/registry-api/src/identity/operations.ts", 'import { x } from "../http/b.ts";', "does not allow that"],
  ["packages/registry-api/src/identity/a.ts", 'import { x } from "../access/b.ts";', undefined],
  ["packages/registry-api/src/identity/a.ts", 'import { x } from "../errors.ts";', undefined],
  ["packages/registry-api/src/identity/a.ts", 'import { x } from "../registry.ts";', "assembles everything"],
  ["packages/registry-api/src/access/a.ts", 'import { x } from "../identity/b.ts";', "may call none of them"],
  ["packages/registry-api/src/context.ts", 'import { x } from "./identity/b.ts";', "may call none of them"],
  ["packages/registry-api/src/registry.ts", 'import { x } from "./identity/b.ts";', undefined],
  ["packages/registry-api/src/drawer/a.ts", 'import { x } from "../identity/b.ts";', "is missing in"],
  ["packages/registry-api/src/http/a.ts", 'db.selectFrom("robot")', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", "await sql<Row>`select 1`.execute(db)", "queries.ts"],
  ["packages/registry-api/src/access/a.ts", "await db\n    .deleteFrom(table)", "queries.ts"],
  ["packages/registry/src/access/queries.ts", 'db.selectFrom("robot")', undefined],
  ["packages/registry/src/access/queries/a.ts", "sql`select 1`", undefined],
  ["packages/registry/src/store/a.ts", "sql`select 1`", undefined],
  ["packages/registry/src/access/a.ts", 'import type { X } from "node:http";', "speaks HTTP (node:http)"],
  ["packages/registry/src/access/a.ts", "const init: RequestInit = {};", "speaks HTTP (RequestInit)"],
  ["packages/registry/src/access/a.ts", "send(url, { headers: {} });", "speaks HTTP (headers)"],
  [
    "packages/registry/src/access/a.ts",
    "interface A { readonly request: CallerRequest }",
    "speaks HTTP (CallerRequest)",
  ],
  ["packages/registry/src/access/a.ts", "if (answer.status >= 500) retry();", "speaks HTTP (status)"],
  ["packages/registry/src/access/a.ts", "new RegistryError(code, text, { status: 415 });", "speaks HTTP (status)"],
  ["packages/registry/src/access/a.ts", "interface A { readonly status?: number | undefined }", "speaks HTTP (status)"],
  ["packages/registry/src/access/a.ts", 'if (scan.status === "scanned") show();', undefined],
  ["packages/registry/src/mail/a.ts", "link(`${origin}/confirm?${fields}`);", "names the path /confirm?"],
  ["packages/registry/src/mail/a.ts", 'const page = "/signin";', "names the path /signin"],
  ["packages/registry/src/mail/a.ts", "const path = `/v2/${name}`;", "names the path /v2/"],
  ["packages/registry/src/mail/a.ts", "name(`${namespace}/${repository}`);", undefined],
  [
    "packages/registry/src/mail/a.ts",
    'throw notFound("There is no mirror: create one with POST …/mirror");',
    "names a method",
  ],
  ["packages/registry/src/mail/a.ts", 'throw notFound("There is no mirror: get one");', undefined],
  ["packages/registry-api/src/pages/a.ts", 'const page = "/signin";', undefined],
  [
    "packages/registry/src/access/a.ts",
    'import { openOutbound } from "@plimsoll/outbound";',
    "speaks HTTP (openOutbound)",
  ],
  ["packages/registry/src/access/a.ts", 'import { isWebhookSecret } from "@plimsoll/outbound";', undefined],
  ["packages/registry-api/src/access/a.ts", "send(url, { headers: {} });", undefined],
  [
    "packages/registry-api/src/events/a.ts",
    'import { removeNotification } from "@plimsoll/registry/events/queries/notifications";',
    "writes with a query (removeNotification)",
  ],
  [
    "packages/registry-api/src/events/a.ts",
    'import { enqueueJob } from "@plimsoll/store";',
    "writes with a query (enqueueJob)",
  ],
  [
    "packages/registry-api/src/events/a.ts",
    'import { listNotifications } from "@plimsoll/registry/events/queries/notifications";',
    undefined,
  ],
  ["packages/registry-api/src/access/a.ts", 'import { x } from "@plimsoll/registry/errors";', undefined],
  ["packages/registry-adapters/src/ldap/a.ts", "Date.now()", undefined],
  ["packages/registry-api/src/http/a.ts", "/** As `db.selectFrom()` does. */", undefined],
  ["packages/matcher/src/store/a.ts", 'db.selectFrom("robot")', undefined],
  ["packages/matcher/src/a.ts", 'db.selectFrom("robot")', "it belongs into store/"],
  ["packages/server/src/a.ts", 'store.db.selectFrom("robot")', "it belongs into store/"],
  ["packages/store/src/a.ts", 'db.selectFrom("job")', undefined],
  ["packages/registry-api/src/http/a.ts", 'db.schema.createTable("x")', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", "await db.executeQuery(query)", "queries.ts"],
  ["packages/matcher/src/a.ts", "await store.prepareRead(text)()", "it belongs into store/"],
  ["packages/server/src/a.ts", 'import { DatabaseSync } from "node:sqlite";', "it belongs into store/"],
  ["packages/registry-api/src/http/a.ts", 'import pg from "pg";', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", 'import { sql } from "kysely"; sql.raw("x")', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", 'import { sql as q } from "kysely"; q`select 1`', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", 'import type { Kysely } from "kysely";', undefined],
  ["packages/registry-api/src/http/a.ts", 'import { type Kysely } from "kysely";', undefined],
  ["packages/registry-api/src/http/a.ts", 'found.innerJoin("a", "b", "c").where("d", "=", 1)', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", 'db["selectFrom"]("robot")', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", 'app.addContentTypeParser("*/*", f); db.deleteFrom("robot");', "queries.ts"],
  ["packages/registry-api/src/http/a.ts", "const all = '/*'; setTimeout(f); const end = '*/';", "timers"],
  ["packages/registry-api/src/http/a.ts", "const all = /[/*]/; await fetch(url); /* end */", "fetch()"],
  ["packages/matcher/src/a.ts", 'import { setTimeout as delay } from "node:timers/promises";', "timers"],
  ["packages/matcher/src/a.ts", "globalThis.setTimeout(f, 1)", "timers"],
  ["packages/matcher/src/a.ts", "const later = setTimeout;", "timers"],
  ["packages/matcher/src/a.ts", "function f(setTimeout: F) { setTimeout(g); }", undefined],
  ["packages/matcher/src/a.ts", "type F = typeof setTimeout;", undefined],
  ["packages/matcher/src/a.ts", "AbortSignal.timeout(5)", "deadlines"],
  ["packages/registry-api/src/a.ts", "AbortSignal.timeout(5)", undefined],
  ["packages/matcher/src/a.ts", "performance.now()", "clocks"],
  ["packages/core/src/a.ts", "performance.now()", "clocks"],
  ["packages/matcher/src/a.ts", "const { now } = Date;", "Date.now"],
  ["packages/matcher/src/a.ts", "const at = new Date();", "new Date()"],
  ["packages/matcher/src/a.ts", "const at = new Date(row.at);", undefined],
  ["packages/store/src/a.ts", "performance.now()", undefined],
  ["packages/matcher/src/a.ts", 'import { env } from "node:process";', "environment"],
  ["packages/matcher/src/a.ts", 'process["env"]', "environment"],
  ["packages/matcher/src/a.ts", "const { env } = process;", "environment"],
  ["packages/matcher/src/a.ts", "globalThis.process.env", "environment"],
  ["packages/matcher/src/a.ts", 'globalThis["pro" + "cess"]', "environment"],
  ["packages/store/src/a.ts", "process.pid", "environment"],
  ["packages/store/src/dialects/a.ts", "process.pid", undefined],
  ["packages/matcher/src/a.ts", 'import { cpus } from "node:os";', "machine"],
  ["packages/scanner/src/a.ts", 'import { availableParallelism } from "node:os";', undefined],
  ["packages/core/src/a.ts", "crypto.randomUUID()", "random identifiers"],
  ["packages/core/src/a.ts", 'import { randomUUID } from "node:crypto";', "random identifiers"],
  ["packages/matcher/src/a.ts", 'import { randomUUID } from "node:crypto";', undefined],
  ["packages/matcher/src/a.ts", 'import { createHash } from "node:crypto";', undefined],
  ["packages/matcher/src/a.ts", "crypto.getRandomValues(bytes)", "random bytes"],
  ["packages/matcher/src/a.ts", "const r = Math.random;", "random bytes"],
  ["packages/matcher/src/a.ts", 'import crypto from "node:crypto";', "random bytes"],
  ["packages/registry-api/src/builds/a.ts", 'import { randomBytes } from "node:crypto";', "random bytes"],
  ["packages/registry-api/src/builds/a.ts", 'import { generateKeyPair } from "node:crypto";', "random bytes"],
  ["packages/registry/src/crypto/a.ts", 'import { randomBytes } from "node:crypto";', undefined],
  ["packages/matcher/src/a.ts", 'import { request } from "node:https";', "network"],
  ["packages/matcher/src/a.ts", 'import http from "node:http";', "network"],
  ["packages/matcher/src/a.ts", 'import type { IncomingMessage } from "node:http";', undefined],
  ["packages/matcher/src/a.ts", 'import { connect } from "node:net";', "network"],
  ["packages/matcher/src/a.ts", 'const { lookup } = await import("node:dns");', "network"],
  ["packages/matcher/src/a.ts", 'import { connect } from "net";', "network"],
  ["packages/matcher/src/a.ts", 'import { setTimeout } from "timers";', "timers"],
  ["packages/matcher/src/a.ts", "Temporal.Now.instant()", "clocks"],
  ["packages/matcher/src/adapters/a.ts", 'import { request } from "node:https";', "@plimsoll/outbound"],
  ["packages/server/src/a.ts", 'import { connect } from "node:http2";', "@plimsoll/outbound"],
  ["packages/server/src/a.ts", 'import { Http2ServerResponse } from "node:http2";', undefined],
  ["packages/server/src/a.ts", 'process.getBuiltinModule("node:http").METHODS', undefined],
  ["packages/server/src/a.ts", 'process.getBuiltinModule("node:https").request(url)', "@plimsoll/outbound"],
  ["packages/registry-api/src/distribution/a.ts", 'createRequire(url)("node:http").get(url)', "@plimsoll/outbound"],
  ["packages/matcher/src/a.ts", "new WebSocket(url)", "network"],
  ["packages/matcher/src/a.ts", "await globalThis.fetch(url);", "@plimsoll/outbound"],
  ["packages/matcher/src/a.ts", "const get = fetch;", "@plimsoll/outbound"],
  ["packages/matcher/src/a.ts", "read({ fetch })", "@plimsoll/outbound"],
  ["packages/matcher/src/a.ts", "const reader = { fetch: open };", undefined],
  ["packages/matcher/src/a.ts", 'import { Agent } from "undici/index.js";', "@plimsoll/outbound"],
  ["packages/console/web/pages/a.tsx", 'import { x } from "../../src/b.ts";', "outside of packages/console/web"],
  ["packages/console/web/pages/a.tsx", 'import { x } from "../b.tsx";', undefined],
  ["packages/console/web/pages/a.tsx", "await fetch(url);", undefined],
  ["packages/server/src/a.ts", 'const a = `--port: expected a port, found "${b}"`;', "without credentials"],
  ["packages/server/src/a.ts", "const a = `--port: ${b}, found ${c} of them`;", undefined],
  ["packages/core/src/a.ts", 'const a = `found "${b}"`;', undefined],
];

describe("brokenRules", () => {
  it.each(layerRows)("%s with %s", (path, text, broken) => {
    const found = parseSources([{ path, text }]).flatMap(brokenRules);

    if (broken === undefined) expect(found).toEqual([]);
    else expect(found.join()).toContain(broken);
  });
});

/** What Biome finds in a file that is added to the sources: its rules, in order. */
const lintRows: readonly (readonly [path: string, text: string, ...rules: string[]])[] = [
  ["packages/core/src/a.ts", 'export { x } from "node:fs";', "noNodejsModules"],
  ["packages/core/src/a.ts", 'import fs = require("node:fs");\nexport const x = fs;', "noNodejsModules"],
  ["packages/core/src/a.ts", "export const text = 'import { x } from \"node:fs\"';"],
  ["packages/core/src/a.ts", 'export { default } from "semver/functions/compare.js";'],
  ["packages/core/src/a.ts", 'export { sha256 } from "@noble/hashes/sha2.js";'],
  ["packages/core/src/a.ts", 'export { x } from "@noble/hashes-of-others";', "noUndeclaredDependencies"],
  ["packages/core/src/a.ts", 'export { x } from "unbzip2-stream/lib/bzip2.js";'],
  ["packages/core/src/a.ts", 'import x from "unbzip2-stream";\nexport const y = x;', "noRestrictedImports"],
  ["packages/core/src/a.ts", 'export type { X } from "@plimsoll/store";', "noUndeclaredDependencies"],
  ["packages/core/src/a.mts", 'export * from "@plimsoll/store";', "noUndeclaredDependencies"],
  ["packages/core/src/a.ts", 'export const x = require("@plimsoll/store");', "noUndeclaredDependencies"],
  ["packages/indexer/src/a.ts", 'export { x } from "@plimsoll/matcher";', "noUndeclaredDependencies"],
  ["packages/indexer/src/a.ts", 'export const m = await import("@plimsoll/matcher");', "noUndeclaredDependencies"],
  ["packages/indexer/src/a.ts", 'export { x } from "@plimsoll/core";'],
  ["packages/scanner/src/a.ts", 'export { x } from "@plimsoll/testing";', "noUndeclaredDependencies"],
  ["packages/scanner/src/a.test.ts", 'export { x } from "@plimsoll/testing";'],
  ["packages/registry/src/a.ts", 'export { x } from "@plimsoll/http";', "noUndeclaredDependencies"],
  ["packages/registry/src/a.ts", 'export type { X } from "fastify";', "noUndeclaredDependencies"],
  ["packages/registry/src/a.ts", 'export { x } from "@plimsoll/registry-api";', "noUndeclaredDependencies"],
  ["packages/console/web/a.tsx", 'import { x } from "@plimsoll/core";\nexport const y = x;', "noRestrictedImports"],
  ["packages/console/web/a.tsx", 'export const y = await import("@plimsoll/core");', "noRestrictedImports"],
  ["packages/console/web/a.ts", 'import type { Calls } from "@plimsoll/registry-api/calls";\nexport type C = Calls;'],
  [
    "packages/console/web/a.ts",
    'import type { X } from "@plimsoll/registry-api";\nexport type Y = X;',
    "noRestrictedImports",
  ],
  ["packages/console/web/a.ts", 'export { x } from "node:fs";', "noNodejsModules"],
  ["packages/store/src/a.ts", 'export { y } from "./b.ts";', "noImportCycles"],
  ["packages/store/src/b.ts", 'export type { X } from "./c/d.ts";\nexport const y = 1;', "noImportCycles"],
  ["packages/store/src/c/d.ts", 'export const x = await import("../a.ts");', "noImportCycles"],
  ["packages/store/src/e.ts", 'export { y } from "./b.ts";'],
];

describe("the rules of Biome for imports", () => {
  let found: Awaited<ReturnType<typeof lintRules>>;
  const files = lintRows.map(([path, text, ...rules], index) => {
    const isOfCycle = path.startsWith("packages/store/");
    return { path: isOfCycle ? path : path.replace(/\ba\./, `a${index}.`), text, rules };
  });
  beforeAll(async () => {
    found = await lintRules(files);
  });

  it.each(files)("$path with $text: $rules", ({ path, rules }) => {
    expect(found(path)).toEqual(rules);
  });
});

/** Runs Biome with the settings of this repository over some files. */
async function lintRules(files: readonly { readonly path: string; readonly text: string }[]) {
  const root = mkdtempSync(join(tmpdir(), "layers-"));
  try {
    for (const path of ["biome.json", ...globSync("packages/*/package.json")]) {
      cpSync(path, join(root, path), { recursive: true });
    }
    for (const { path, text } of files) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${text}\n`);
    }
    const program = resolve("node_modules/.bin/biome");
    const how = ["lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=none", "packages"];
    const { stdout } = await promisify(execFile)(program, how, { cwd: root }).catch(
      (error: { stdout: string }) => error,
    );
    const { diagnostics }: LintReport = JSON.parse(stdout.slice(stdout.indexOf("{")));
    return (path: string) =>
      diagnostics
        .filter(({ location }) => location.path === path)
        .map(({ category }) => category.slice(category.lastIndexOf("/") + 1));
  } finally {
    rmSync(root, { recursive: true });
  }
}

interface LintReport {
  readonly diagnostics: readonly { readonly category: string; readonly location: { readonly path: string } }[];
}

/** The packages by lines (docs/architecture.md §1). A package may depend on those of every line below its own. */
const lines: readonly (readonly string[])[] = [
  ["server"],
  ["scanner"],
  ["console", "indexer", "matcher", "notifier", "registry-adapters", "registry-api"],
  ["registry", "scanner-api"],
  ["http", "outbound", "store", "testing"],
  ["core"],
];

describe("the packages", () => {
  it.each(globSync("packages/*/package.json").sort())("%s depends only on packages of lower lines", (path) => {
    const { dependencies = {} } = JSON.parse(readFileSync(path, "utf8")) as { dependencies?: Record<string, string> };
    const name = basename(dirname(path));
    const lineOf = (each: string) => lines.findIndex((line) => line.includes(each));
    const others = Object.keys(dependencies).flatMap((each) => /^@plimsoll\/(.+)/.exec(each)?.[1] ?? []);

    expect(lineOf(name)).toBeGreaterThanOrEqual(0);
    expect(others.filter((each) => lineOf(each) <= lineOf(name))).toEqual(name === "testing" ? ["store"] : []);
  });
});

const signatureRows: readonly (readonly [text: string, broken: string | undefined])[] = [
  ["function f(a: A, b: B, c: C) {}", undefined],
  ["function f(a: A, b: B, c: C, d: D) {}", "f has 4 parameters"],
  ["function f(a: A, b: B, c: C, ...rest: D[]) {}", "f has 4 parameters"],
  ["function f(a: A, b: B, c: C, { d }: D = {}) {}", "f has 4 parameters"],
  ["function f(this: F, a: A, b: B, c: C) {}", undefined],
  ["const f = (a: A, b: B, c: C, d: D) => {};", "f has 4 parameters"],
  ["const table = { f: (a: A, b: B, c: C, d: D) => {} };", "f has 4 parameters"],
  ["class X { f(a: A, b: B, c: C, d: D) {} }", "f has 4 parameters"],
  ["class X { constructor(a: A, b: B, c: C, d: D) {} }", "constructor has 4 parameters"],
  ["interface X { f(a: A, b: B, c: C, d: D): void }", "f has 4 parameters"],
  ["type F = (a: A, b: B, c: C, d: D) => void;", "F has 4 parameters"],
  ["hook((a, b, c, d) => {});", undefined],
  ["new Hook(function (a, b, c, d) {});", undefined],
  ["hook(function f(a: A, isB: boolean) {});", undefined],
  ["function f(isA: boolean) {}", "f takes a boolean (isA)"],
  ["function f(isA?: boolean) {}", "f takes a boolean (isA)"],
  ["function f(isA: boolean | undefined) {}", "f takes a boolean (isA)"],
  ["function f(a: A, isB = false) {}", "f takes a boolean (isB)"],
  ["function f(a: A, b: true | B) {}", "f takes a boolean (b)"],
  ["const f = async (isA: boolean) => {};", "f takes a boolean (isA)"],
  ["class X { constructor(isA: boolean) {} }", "constructor takes a boolean (isA)"],
  ["class X { #f(isA: boolean) {} }", "#f takes a boolean (isA)"],
  ["interface X { f(isA: boolean): void }", "f takes a boolean (isA)"],
  ["type F = (isA: boolean) => void;", "F takes a boolean (isA)"],
  ["function f({ isA }: { readonly isA: boolean }) {}", undefined],
  ["function f({ isA = false }: Options) {}", undefined],
  ["function f(...are: boolean[]) {}", undefined],
  ["function f(a: unknown): a is boolean { return true; }", undefined],
];

describe("signatureRule", () => {
  it.each(signatureRows)("%s", (text, broken) => {
    const found = parseSources([{ path: "packages/core/src/a.ts", text }]).flatMap(signatureRule);

    if (broken === undefined) expect(found).toEqual([]);
    else expect(found.join()).toContain(broken);
  });

  it("names the line", () => {
    const [file] = parseSources([{ path: "tests/a.test.ts", text: "\n\nfunction f(isA: boolean) {}\n" }]);

    expect(file && signatureRule(file)).toEqual([
      "line 3: f takes a boolean (isA): a member of an object with names, or two functions",
    ]);
  });
});

describe("structureFigures", () => {
  const counts = { scripts: 1, promised: 1, depth: 1 };
  const reader = { path: "packages/core/src/a.ts", text: 'import { b } from "./b.ts";\n' };

  it.each([
    ["a short file with one reader", { path: "packages/core/src/b.ts", text: "export const b = 1;\n" }, 2],
    ["a conditional spread", { path: "packages/core/src/c.ts", text: "const c = { ...(a && { b }) };\n" }, 1],
    [
      "a spread of nothing or a value",
      { path: "packages/core/src/c.ts", text: "const c = { ...(a === 1 ? {} : { b }) };\n" },
      1,
    ],
    [
      "a spread of a value or nothing",
      { path: "packages/core/src/c.ts", text: "const c = { ...((a) ? f(b) : {}) };\n" },
      1,
    ],
    ["a spread of a list", { path: "packages/core/src/c.ts", text: "const c = [...(a ? [b] : [])];\n" }, 0],
    ["a spread of an object", { path: "packages/core/src/c.ts", text: "const c = { ...a };\n" }, 0],
    ["a test", { path: "packages/core/src/c.test.ts", text: "const c = { ...(a && { b }) };\n" }, 0],
  ])("of %s exceed as many limits as they should", (_, file, exceeded) => {
    const files = [reader, file];

    expect(exceededLimits(structureFigures(files, { parsed: parseSources(files), counts }))).toHaveLength(exceeded);
  });

  it.each([
    [{ scripts: 99 }, "scripts: 99, expected at most 38"],
    [{ depth: 7 }, "depth of the registry's areas: 7, expected at most 6"],
    [{ promised: 500 }, "names that core promises, without those of each order of versions: 500, expected at most 126"],
  ])("of the counts %j exceed one limit", (more, message) => {
    const figures = structureFigures([], { parsed: [], counts: { ...counts, ...more } });

    expect(exceededLimits(figures)).toEqual([message]);
  });
});

const areas = Object.keys(areaCalls);

describe("areaCalls", () => {
  it("is at most six arrows deep", () => {
    expect(Math.max(...areas.map(depthOf))).toBeLessThanOrEqual(6);
  });

  it("is the diagram in docs/architecture.md; npm run docs writes it", () => {
    const page = readFileSync(new URL("../docs/architecture.md", import.meta.url), "utf8");

    expect(page).toContain("flowchart TD");
    expect(page).toBe(withAreaDiagram(page));
  });

  it("has folders of rules, each with a README", () => {
    const without = areas.filter((area) => !existsSync(`packages/registry/src/${area}/README.md`));

    expect(without).toEqual([]);
  });

  it("has the folder of each README", () => {
    const folders = globSync("packages/registry/src/*/README.md").map((path) =>
      basename(path.replace("/README.md", "")),
    );

    expect(
      folders.filter((folder) => areaRule([folder, "a.ts"], ["accounts", "b.ts"])[0]?.includes("missing")),
    ).toEqual([]);
  });
});

describe("areaRule", () => {
  it.each([
    { from: "push/a.ts", to: "content/b.ts", problem: undefined },
    {
      from: "content/a.ts",
      to: "push/b.ts",
      problem: "content/ calls push/: scripts/registry-areas.ts does not allow that",
    },
    {
      from: "values/a.ts",
      to: "push/b.ts",
      problem: "values/a.ts imports push/: files that all areas use may call none of them",
    },
    { from: "push/a.ts", to: "jobs.ts", problem: "imports jobs.ts, which assembles everything: no other file may" },
    { from: "pages/a.ts", to: "http/b.ts", problem: undefined },
    { from: "puns/a.ts", to: "push/b.ts", problem: "puns/ is missing in scripts/registry-areas.ts" },
  ])("of $from that imports $to", ({ from, to, problem }) => {
    expect(areaRule(from.split("/"), to.split("/"))).toEqual(problem === undefined ? [] : [problem]);
  });
});

describe("findRegularExpressions", () => {
  it.each([
    ["a literal", "export const a: RegExp = /x+$/u;", ["x+$"]],
    [
      "an expression of constants",
      'const n = "\\\\d+";\nconst v = new RegExp(`^${n}\\\\.${n}$`, "i");',
      ["^\\d+\\.\\d+$"],
    ],
    ["an expression of lines", 'const v = new RegExp(["a", "b*"].join(""));', ["ab*"]],
    ["the source of another", "const a = /x/;\nconst b = new RegExp(`^${a.source}`);", ["x", "^x"]],
    ["what only the program knows", "export const f = (given: string) => new RegExp(given);", [undefined]],
    ["no string that looks like one", 'const text = "/x+$/";', []],
  ])("finds %s", (_what, code, sources) => {
    expect(findRegularExpressions(code).map(({ source }) => source)).toEqual(sources);
  });
});
