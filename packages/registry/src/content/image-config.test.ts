import { parseDigest } from "@plimsoll/core/digest";
import { describe, expect, it } from "vitest";
import { type BlobStore, BlobStoreError } from "../ports/blob-store.ts";
import { readImageConfig } from "./image-config.ts";

describe("readImageConfig", () => {
  const digest = parseDigest(`sha256:${"0".repeat(64)}`);
  const failing = (error: Error) =>
    ({
      find: async () => 2,
      // biome-ignore lint/correctness/useYield: it fails first
      async *read() {
        throw error;
      },
    }) as unknown as BlobStore;

  it("is undefined for a configuration that is collected while it is read", async () => {
    expect(await readImageConfig(failing(new BlobStoreError("not_found", "no such blob")), digest)).toBe(undefined);
  });

  it("throws what the blob store throws", async () => {
    const unavailable = new BlobStoreError("unavailable", "it is down");

    await expect(readImageConfig(failing(unavailable), digest)).rejects.toBe(unavailable);
  });
});
