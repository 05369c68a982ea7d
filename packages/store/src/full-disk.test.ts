import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  mountSmallDisk,
  noSmallDisk,
  type StoreContractTables,
  skipNote,
  storeContractMigrations,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openStore } from "./open.ts";
import type { StoreTrouble } from "./trouble.ts";

describe.skipIf(noSmallDisk !== undefined)(`openStore on a full disk${skipNote(noSmallDisk)}`, () => {
  const note = { id: "before", text: "x".repeat(5_000), seen_at: 1 };

  it.each([
    { closes: "after it was closed", leavesLog: false },
    { closes: "while its log is there", leavesLog: true },
  ])("reads and takes no writes $closes, and writes once there is room", async ({ leavesLog }) => {
    using disk = mountSmallDisk(8);
    if (disk === undefined) throw new Error("no disk was mounted");
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
  });
});
