import { parseDigest } from "@plimsoll/core/digest";
import { buildPathSet } from "@plimsoll/core/internal";
import { openTestStore } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { formatLayerRecord } from "../values/layer-record.ts";
import { deleteOldLayers, storedLayers } from "./layer-store.ts";
import { indexerMigrations } from "./migrations/all.ts";
import type { IndexerTables } from "./tables.ts";

const openMemory = () => openTestStore<IndexerTables>(":memory:", { migrations: [indexerMigrations] });

const recordOf = (fill: string, paths = ["a/b"]) =>
  formatLayerRecord({
    digest: parseDigest(`sha256:${fill.repeat(64)}`),
    findings: { "dpkg-status": [{ kind: "database", path: "var/lib/dpkg/status" }] },
    shape: {
      removed: buildPathSet(["etc/motd"]),
      opaque: buildPathSet([""]),
      leaves: buildPathSet(paths),
      folders: buildPathSet(["a"]),
    },
    entries: 2,
    uncompressedBytes: 1024,
  });

describe("storedLayers", () => {
  it("gives back what was put, path sets included", async () => {
    await using store = await openMemory();
    const layers = storedLayers(store, () => 1);
    const record = recordOf("a");

    await layers.put(record, "state");
    await layers.put(record, "state");

    expect(await layers.find(record.digest, "state")).toEqual(record);
  });

  it("does not know a layer under another engine state", async () => {
    await using store = await openMemory();
    const layers = storedLayers(store, () => 1);

    await layers.put(recordOf("a"), "old");

    expect(await layers.find(recordOf("a").digest, "new")).toBeUndefined();
  });

  it("takes a damaged record for an unknown layer", async () => {
    await using store = await openMemory();
    const { digest } = recordOf("a");
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
      await storedLayers(store, () => index).put(recordOf(fill), "state");
    }

    expect(await deleteOldLayers(store, 2)).toBe(1);
    expect(await deleteOldLayers(store, 2)).toBe(0);
    expect(await storedLayers(store, () => 9).find(recordOf("a").digest, "state")).toBeUndefined();
    expect(await storedLayers(store, () => 9).find(recordOf("c").digest, "state")).toBeDefined();
  });
});
