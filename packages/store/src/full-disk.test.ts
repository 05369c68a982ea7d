import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StoreContractTables, storeContractMigrations } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openStore } from "./open.ts";
import type { StoreTrouble } from "./trouble.ts";

interface SmallDisk extends Disposable {
  readonly folder: string;
  fill(): void;
  makeRoom(): void;
}

/** A file system of 8 MiB in memory; undefined where this user may mount none. */
function mountSmallDisk(): SmallDisk | undefined {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-full-"));
  const filler = join(folder, "filler");
  if (spawnSync("mount", ["-t", "tmpfs", "-o", "size=8m", "tmpfs", folder]).status !== 0) {
    rmSync(folder, { recursive: true });
    return undefined;
  }
  return {
    folder,
    fill: () => void spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4k"]),
    makeRoom: () => rmSync(filler),
    [Symbol.dispose]: () => {
      spawnSync("umount", ["-l", folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

describe("openStore on a full disk", () => {
  const note = { id: "before", text: "x".repeat(5_000), seen_at: 1 };

  it.each([
    { closes: "after it was closed", leavesLog: false },
    { closes: "while its log is there", leavesLog: true },
  ])("reads and takes no writes $closes, and writes once there is room", async ({ leavesLog }) => {
    using disk = mountSmallDisk();
    if (disk === undefined) return;
    const path = join(disk.folder, "notes.db");
    const told: string[] = [];
    const onTrouble = ({ kind }: StoreTrouble) => void told.push(kind);
    const open = () => openStore<StoreContractTables>(path, { migrations: [storeContractMigrations], onTrouble });
    await using keeper = await open();
    await keeper.db.insertInto("note").values(note).execute();
    if (!leavesLog) await keeper.close();
    writeFileSync(join(disk.folder, "filler"), "");
    disk.fill();

    await using store = await open();
    const write = (id: string) =>
      store.db
        .insertInto("note")
        .values({ id, text: "x".repeat(200_000), seen_at: 2 })
        .execute();
    const read = () => store.db.selectFrom("note").select("id").orderBy("seen_at").execute();
    expect(await read()).toEqual([{ id: "before" }]);
    for (const id of ["a", "b"]) {
      await expect(write(id)).rejects.toMatchObject({ retryAfterSeconds: expect.any(Number) });
    }
    expect(await read()).toEqual([{ id: "before" }]);
    disk.makeRoom();
    await write("after");

    expect(await read()).toEqual([{ id: "before" }, { id: "after" }]);
    expect(told[0]).toBe("began");
    expect(told.at(-1)).toBe("ended");
  });
});
