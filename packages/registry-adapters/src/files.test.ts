import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSecretKey } from "./files.ts";

async function folder() {
  const path = await mkdtemp(join(tmpdir(), "plimsoll-key-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe("readSecretKey", () => {
  it("makes a key that only its user can read, and reads the same again", async () => {
    await using place = await folder();
    const file = join(place.path, "data", "registry-secret");

    const keys = [await readSecretKey(file), await readSecretKey(file)];

    expect(keys[0]).toHaveLength(32);
    expect(Buffer.from(keys[1] ?? [])).toEqual(Buffer.from(keys[0] ?? []));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, "utf8")).toMatch(/^[\w+/]{43}=\n$/);
  });

  it.each(Array.from({ length: 10 }, (_, round) => round))(
    "gives all that start at once the same key: %i",
    async () => {
      await using place = await folder();
      const file = join(place.path, "registry-secret");

      let isMade = false;
      const making = readSecretKey(file).finally(() => {
        isMade = true;
      });
      const keys: Uint8Array[] = [];
      while (!isMade) keys.push(await readSecretKey(file)); // others start while the first one creates it
      keys.push(await making);

      expect(new Set(keys.map((key) => Buffer.from(key).toString("hex"))).size).toBe(1);
      expect(await readdir(place.path)).toEqual(["registry-secret"]);
    },
  );

  it("refuses a file that holds no key", async () => {
    await using place = await folder();
    const file = join(place.path, "registry-secret");
    await writeFile(file, "short");

    await expect(readSecretKey(file)).rejects.toThrow(/expected at least 32 bytes/);
  });

  it.skipIf(process.platform !== "linux")("names the file that it cannot create", async () => {
    await expect(readSecretKey("/proc/none/registry-secret")).rejects.toMatchObject({ code: "ENOENT" });
  });
});
