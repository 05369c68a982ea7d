import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../tests/support/temp-folder.ts";
import { credentialFile } from "./credential-file.ts";

const credential = { kind: "robot", name: "acme+ci", secret: "s" } as const;

describe("a file of new credentials", () => {
  it("is readable only by its owner, and extended", async () => {
    using folder = tempFolder();
    const file = credentialFile(join(folder.path, "made.jsonl"));

    await file.add(credential);
    await file.add({ ...credential, name: "acme+cd" });

    expect((await stat(file.path)).mode & 0o777).toBe(0o600);
    expect((await readFile(file.path, "utf8")).split("\n")).toEqual([
      '{"kind":"robot","name":"acme+ci","secret":"s"}',
      '{"kind":"robot","name":"acme+cd","secret":"s"}',
      "",
    ]);
  });

  it("is rejected if others may read it or its folder does not exist", async () => {
    using folder = tempFolder();
    const path = join(folder.path, "open.jsonl");
    await writeFile(path, "");
    await chmod(path, 0o644);

    await expect(credentialFile(path).add(credential)).rejects.toThrow("expected mode 600, found 644");
    expect(await readFile(path, "utf8")).toBe("");
    await expect(credentialFile(join(folder.path, "none", "a")).add(credential)).rejects.toThrow("--credentials");
  });
});
