import { buildPathSet, type LayerFindings, parseDigest } from "@plimsoll/core";
import { openStore } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { forgetOldLayers, storedLayers } from "./layer-store.ts";
import { indexerMigrations } from "./migrations/all.ts";
import type { IndexerTables } from "./tables.ts";

const openMemory = () => openStore<IndexerTables>(":memory:", { migrations: [indexerMigrations] });

const findingsOf = (fill: string): LayerFindings => ({
  digest: parseDigest(`sha256:${fill.repeat(64)}`),
  findings: { "dpkg-status": [{ kind: "database", path: "var/lib/dpkg/status" }] },
  shape: {
    removed: buildPathSet(["etc/motd"]),
    opaque: buildPathSet([""]),
    leaves: buildPathSet(["a/b"]),
    folders: buildPathSet(["a"]),
  },
  entries: 2,
  uncompressedBytes: 1024,
});

describe("storedLayers", () => {
  it("gives back what was put, path sets included", async () => {
    await using store = await openMemory();
    const layers = storedLayers(store, () => 1);
    const findings = findingsOf("a");

    await layers.put(findings, "state");
    await layers.put(findings, "state");
    const found = await layers.find(findings.digest, "state");

    expect(found?.findings).toEqual(findings.findings);
    expect(found?.shape.removed.has("etc/motd")).toBe(true);
    expect(found?.shape.opaque.has("")).toBe(true);
    expect(found?.shape.leaves.has("a/b")).toBe(true);
    expect(found?.shape.folders.has("a/b")).toBe(false);
  });

  it("does not know a layer under another engine state", async () => {
    await using store = await openMemory();
    const layers = storedLayers(store, () => 1);

    await layers.put(findingsOf("a"), "old");

    expect(await layers.find(findingsOf("a").digest, "new")).toBeUndefined();
  });

  it("takes a damaged record for an unknown layer", async () => {
    await using store = await openMemory();
    const { digest } = findingsOf("a");
    await store.db
      .insertInto("indexer_layer")
      .values({ layer_digest: digest, engine_state: "state", findings: '{"digest":', stored_at: 1 })
      .execute();

    expect(await storedLayers(store, () => 1).find(digest, "state")).toBeUndefined();
  });
});

describe("forgetOldLayers", () => {
  it("keeps the layers stored last", async () => {
    await using store = await openMemory();
    for (const [index, fill] of ["a", "b", "c"].entries()) {
      await storedLayers(store, () => index).put(findingsOf(fill), "state");
    }

    expect(await forgetOldLayers(store, 2)).toBe(1);
    expect(await forgetOldLayers(store, 2)).toBe(0);
    expect(await storedLayers(store, () => 9).find(findingsOf("a").digest, "state")).toBeUndefined();
    expect(await storedLayers(store, () => 9).find(findingsOf("c").digest, "state")).toBeDefined();
  });
});
