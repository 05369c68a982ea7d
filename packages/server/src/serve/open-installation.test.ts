import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { usualTestEngine } from "@plimsoll/testing";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { resolveServiceSettings } from "../config/resolve-service-settings.ts";
import { openInstallation } from "./open-installation.ts";

/** What a service with these settings in its environment logs while it opens. */
async function openedWith(env: Readonly<Record<string, string>>): Promise<readonly object[]> {
  const data = mkdtempSync(join(tmpdir(), "plimsoll-open-"));
  using _folder = { [Symbol.dispose]: () => rmSync(data, { recursive: true }) };
  await using database = await usualTestEngine.create();
  const settings = resolveServiceSettings({ data }, {}, { env });
  const lines: object[] = [];
  const write = (line: Buffer, _: unknown, done: () => void) => {
    lines.push(JSON.parse(line.toString()));
    done();
  };
  const parts = { logger: pino(new Writable({ write })), clock: { now: () => Date.now() } };
  await using _installation = await openInstallation(
    { ...settings, database: database.location },
    parts,
    () => "127.0.0.1:0",
  );
  return lines;
}

const elsewhere = "http://127.0.0.1:1";

describe("openInstallation", () => {
  it.each([
    { env: { PLIMSOLL_MODE: "registry" }, missing: ["indexerAddress", "matcherAddress"] },
    { env: { PLIMSOLL_MODE: "registry,indexer" }, missing: ["matcherAddress"] },
    { env: { PLIMSOLL_MODE: "worker", PLIMSOLL_INDEXER_ADDRESS: elsewhere }, missing: ["matcherAddress"] },
    { env: { PLIMSOLL_MODE: "registry", PLIMSOLL_MATCHER_ADDRESS: elsewhere }, missing: ["indexerAddress"] },
  ])("warns with $env that nothing scans images without $missing", async ({ env, missing }) => {
    expect(await openedWith(env)).toContainEqual(
      expect.objectContaining({ level: 40, msg: "images_are_not_scanned", missing }),
    );
  });

  it.each([
    { PLIMSOLL_MODE: "registry,indexer,matcher" },
    { PLIMSOLL_MODE: "registry", PLIMSOLL_INDEXER_ADDRESS: elsewhere, PLIMSOLL_MATCHER_ADDRESS: elsewhere },
  ])("warns of nothing with %j", async (env) => {
    expect(await openedWith(env)).not.toContainEqual(expect.objectContaining({ msg: "images_are_not_scanned" }));
  });
});
