import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  mountSmallDisk,
  noSmallDisk,
  type SmallDisk,
  type StoreContractTables,
  skipNote,
  storeContractMigrations,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { openStore } from "./open.ts";
import type { Store } from "./store.ts";
import type { StoreTrouble } from "./trouble.ts";

const note = { id: "before", text: "x", seen_at: 1 };
const migrations = [storeContractMigrations];

/** Creates a database with one note on a disk that becomes read-only. @returns its path */
async function putDatabase(disk: SmallDisk, left: readonly string[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "plimsoll-read-only-"));
  const path = join(folder, "notes.db");
  const copy = () => {
    for (const ending of ["", ...left]) copyFileSync(`${path}${ending}`, join(disk.folder, `notes.db${ending}`));
  };
  const store = await openStore<StoreContractTables>(path, { migrations });
  await store.db.insertInto("note").values(note).execute();
  if (left.length > 0) copy();
  await store.close();
  if (left.length === 0) copy();
  rmSync(folder, { recursive: true });
  disk.seal();
  return join(disk.folder, "notes.db");
}

describe.skipIf(noSmallDisk !== undefined)(`openStore on read-only media${skipNote(noSmallDisk)}`, () => {
  const read = ({ db }: Store<StoreContractTables>) => db.selectFrom("note").select("id").orderBy("id").execute();
  const write = ({ db }: Store<StoreContractTables>) =>
    db
      .insertInto("note")
      .values({ ...note, id: "after" })
      .execute();

  it.each([
    { of: "that was closed", left: [] },
    { of: "whose process was killed", left: ["-wal", "-shm"] },
    { of: "whose process was killed, without the index of its log", left: ["-wal"] },
  ])("reads all of a database $of, and writes once that is allowed", async ({ left }) => {
    using disk = mountSmallDisk(8);
    if (disk === undefined) throw new Error("no disk was mounted");
    const path = await putDatabase(disk, left);
    const told: string[] = [];
    const onTrouble = ({ kind, code }: StoreTrouble) => void told.push(`${kind} ${code}`);
    await using store = await openStore<StoreContractTables>(path, { migrations, onTrouble });

    expect(await read(store)).toEqual([{ id: "before" }]);
    for (const _ of [1, 2])
      await expect(write(store)).rejects.toMatchObject({ code: "read_only", retryAfterSeconds: 30 });
    expect(await read(store)).toEqual([{ id: "before" }]);
    expect(told).toEqual(["began read_only"]);
    await using reading = await openStore<StoreContractTables>(path, { migrations, readOnly: true });
    expect(await read(reading)).toEqual([{ id: "before" }]);
    await reading.close();

    disk.unseal();
    await write(store);
    expect(await read(store)).toEqual([{ id: "after" }, { id: "before" }]);
    expect(told).toEqual(["began read_only", "ended read_only"]);
  });

  it("creates no database there", async () => {
    using disk = mountSmallDisk(8);
    if (disk === undefined) throw new Error("no disk was mounted");
    disk.seal();

    await expect(openStore(join(disk.folder, "notes.db"), { migrations })).rejects.toMatchObject({
      code: "read_only",
    });
  });
});
