import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";
import { listJobs } from "@plimsoll/store";
import { usualTestEngine } from "@plimsoll/testing";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { resolveServiceSettings } from "../config/resolve-service-settings.ts";
import { type Installation, openInstallation } from "./open-installation.ts";

/** Opens a service with these settings in its environment and no feeds, and closes it after `use`. @returns what it logged */
async function withService(
  env: Readonly<Record<string, string>>,
  use: (installation: Installation) => Promise<void>,
): Promise<readonly object[]> {
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
  await using installation = await openInstallation(
    { ...settings, updaters: [], database: database.location },
    parts,
    () => "127.0.0.1:0",
  );
  await use(installation);
  return lines;
}

/** What it logs while it opens. */
const openedWith = (env: Readonly<Record<string, string>>) => withService(env, async () => {});

const elsewhere = "http://127.0.0.1:1";

describe("openInstallation", () => {
  it.each<{ env: Record<string, string>; missing: string[] }>([
    { env: { PLIMSOLL_MODE: "registry" }, missing: ["indexerAddress", "matcherAddress"] },
    { env: { PLIMSOLL_MODE: "registry,indexer" }, missing: ["matcherAddress"] },
    { env: { PLIMSOLL_MODE: "worker", PLIMSOLL_INDEXER_ADDRESS: elsewhere }, missing: ["matcherAddress"] },
    { env: { PLIMSOLL_MODE: "registry", PLIMSOLL_MATCHER_ADDRESS: elsewhere }, missing: ["indexerAddress"] },
  ])("warns with $env that nothing scans images without $missing", async ({ env, missing }) => {
    expect(await openedWith(env)).toContainEqual(
      expect.objectContaining({ level: 40, msg: "images_are_not_scanned", missing }),
    );
  });

  it.each<Record<string, string>>([
    { PLIMSOLL_MODE: "registry,indexer,matcher" },
    { PLIMSOLL_MODE: "registry", PLIMSOLL_INDEXER_ADDRESS: elsewhere, PLIMSOLL_MATCHER_ADDRESS: elsewhere },
  ])("warns of nothing with %j", async (env) => {
    expect(await openedWith(env)).not.toContainEqual(expect.objectContaining({ msg: "images_are_not_scanned" }));
  });

  it.each<Record<string, string>>([
    { PLIMSOLL_MODE: "matcher", PLIMSOLL_INDEXER_ADDRESS: elsewhere },
    { PLIMSOLL_MODE: "all" },
  ])("updates feeds with a listed recurring job with %j", async (env) => {
    const update = async ({ store }: Installation) => {
      const jobs = () => listJobs(store.db, { kind: "matcher.update-feeds" });
      const waiting = { state: "waiting", everyMs: 21_600_000, startedAt: expect.any(Number) };
      await expect.poll(jobs).toMatchObject([waiting]);
    };

    const lines = await withService(env, update);

    const ran = { msg: "job_succeeded", job: "matcher.update-feeds" };
    expect(lines).toContainEqual(expect.objectContaining(ran));
  });

  it.each<{ what: string; env: Record<string, string>; left: number }>([
    { what: "forgets", env: { PLIMSOLL_MODE: "all" }, left: 0 },
    { what: "forgets", env: { PLIMSOLL_MODE: "registry,indexer,matcher,worker" }, left: 0 },
    { what: "keeps", env: { PLIMSOLL_AUTH_KEY: "c2VjcmV0", PLIMSOLL_AUTH_ISSUERS: "ci" }, left: 1 },
    { what: "keeps", env: { PLIMSOLL_SCANNER_PORT: "1" }, left: 1 },
  ])("$what with $env what its scanner has read of images that no repository has", async ({ env, left }) => {
    await withService(env, async ({ registry, store }) => {
      const image = { manifest_digest: `sha256:${"a".repeat(64)}`, engine_state: "one", report: "{}", indexed_at: 0 };
      await store.db.insertInto("indexer_manifest").values(image).execute();

      const forgetting = registry?.jobs.find(({ kind }) => kind === "registry.delete-reports");
      await forgetting?.run({ job: {}, signal: new AbortController().signal } as never);

      expect(await store.db.selectFrom("indexer_manifest").select("id").execute()).toHaveLength(left);
    });
  });
});
