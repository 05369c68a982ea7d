import { join } from "node:path";
import { defaultRegistrySettings, type ImageQuestion, RegistryError, registryMigrations } from "@plimsoll/registry";
import { openStore } from "@plimsoll/store";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { defaultServiceSettings } from "../config/service-settings.ts";
import { createLargeImages } from "./large-images.ts";

/** `tests/attached-sbom.test.ts` has questions about images that exist. */
const manifest = { id: "1", repository_id: "1", digest: `sha256:${"0".repeat(64)}`, is_index: 0, content: "" };
const question = { kind: "report", manifest } as ImageQuestion;

describe("createLargeImages", () => {
  it("fails with the error of its thread, and does not start one for a client that has left", async () => {
    using folder = tempFolder();
    const { host: _, ...settings } = defaultRegistrySettings;
    const storage = { kind: "files", folder: join(folder.path, "blobs") } as const;
    const registry = { settings, secretKey: new Uint8Array(32), secretFile: "", storage };
    const database = join(folder.path, "plimsoll.db");
    await using _store = await openStore(database, { migrations: [registryMigrations] });
    const largeImages = createLargeImages({ ...defaultServiceSettings, database, registry });

    const left = largeImages.answer(question, { now: 0, signal: AbortSignal.abort() });
    const failed = largeImages.answer(question, { now: 0, signal: new AbortController().signal });

    await expect(left).rejects.toMatchObject({ name: "AbortError" });
    await expect(failed).rejects.toBeInstanceOf(RegistryError);
    await expect(failed).rejects.toMatchObject({ code: "not_found" });
  });
});
