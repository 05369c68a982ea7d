import { createHash } from "node:crypto";
import { parseDigest } from "@plimsoll/core/digest";
import { type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { openStore } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { tempFolder } from "./support/temp-folder.ts";

const content = Buffer.from("no row links here");
const digest = parseDigest(`sha256:${createHash("sha256").update(content).digest("hex")}`);
const upload = "00000000-0000-4000-8000-000000000000";

/** The data folder of a registry that holds one blob, which no repository has. */
async function folderWithOrphan(path: string) {
  const blobs = createFileBlobStore(`${path}/blobs`);
  await blobs.append(upload, [content].values() as unknown as AsyncIterable<Uint8Array>, { offset: 0, maxBytes: 1000 });
  await blobs.commit(upload, digest);
  await blobs.deleteUpload(upload);
  await using store = await openStore<RegistryTables>(`${path}/plimsoll.db`, { migrations: [registryMigrations] });
  await store.db.insertInto("blob").values({ digest, size_bytes: content.length, created_at: 0 }).execute();
  return blobs;
}

describe("plimsoll admin gc", () => {
  it("says what would go and leaves it, and removes it when told to", async () => {
    using folder = tempFolder();
    const blobs = await folderWithOrphan(folder.path);

    const planned = await runPlimsoll(["admin", "gc", "--dry-run", "--data", folder.path]);
    const kept = await blobs.find(digest);
    const collected = await runPlimsoll(["admin", "gc", "--data", folder.path]);
    const again = await runPlimsoll(["admin", "gc", "--data", folder.path]);

    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining(`blob\t${digest}\t`) });
    expect(planned.stdout).toMatch(/would free 17 bytes\n$/);
    expect(kept).toBe(content.length);
    expect(collected.stdout).toMatch(/freed 17 bytes\n$/);
    expect(await blobs.find(digest)).toBeUndefined();
    expect(again.stdout).toBe("freed 0 bytes\n");
  });
});
