import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { testProgram } from "@plimsoll/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { systemTime } from "../jobs/system-time.ts";
import { openStore } from "../open.ts";

/** Options to run a program in a PID namespace, as in a container; `--kill-child` ends it with its parent. */
const apart = ["--pid", "--fork", "--kill-child"];
const canSetApart = spawnSync("unshare", [...apart, "true"]).status === 0;
const { clock } = systemTime;

describe("the lock of an SQLite file", () => {
  let folder: string;
  let database: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "plimsoll-life-"));
    database = join(folder, "store.db");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const signs = () => readdirSync(folder).filter((name) => name.includes("-alive-"));

  async function startHolder(where: "here" | "in a container"): Promise<ChildProcess> {
    const { path, execArgv } = testProgram(new URL("./fixtures/lock-holder.ts", import.meta.url));
    const node = [...execArgv];
    const how =
      where === "here" ? { execArgv: node } : { execPath: "unshare", execArgv: [...apart, process.execPath, ...node] };
    const holder = fork(path, [database], how);
    expect(await once(holder, "message")).toEqual(["taken", undefined]);
    return holder;
  }

  it.for([
    { where: "here" as const, needs: true },
    { where: "in a container" as const, needs: canSetApart },
  ])("is free at once when its holder is killed $where, however long the lease", async ({ where, needs }, { skip }) => {
    skip(!needs, "this user may not run `unshare --pid`");
    await using store = await openStore<unknown>(database, { migrations: [] });
    const take = () => store.tryLock("feeds", { clock, leaseSeconds: 3_600 });
    const holder = await startHolder(where);
    const whileItLives = await take();

    holder.kill("SIGKILL");
    await once(holder, "exit");

    expect(whileItLives).toBeUndefined();
    await expect.poll(take).toBeDefined();
    expect(signs()).toHaveLength(1);
  });

  it("leaves no file behind, neither of a store that is closed nor of a process that was killed", async () => {
    const holder = await startHolder("here");
    holder.kill("SIGKILL");
    await once(holder, "exit");
    expect(signs()).toHaveLength(1);
    const store = await openStore<unknown>(database, { migrations: [] });
    await store.tryLock("others", { clock, leaseSeconds: 60 });
    expect(signs()).toHaveLength(1);

    await store.close();

    expect(signs()).toEqual([]);
  });

  /** The file of a process of another machine beside the database; `older` versions do not name their machine. */
  function startElsewhere(id: string): DatabaseSync {
    const sign = new DatabaseSync(`${database}-alive-${id}`, { timeout: 0 });
    sign.exec("pragma journal_mode = memory; begin exclusive");
    return sign;
  }

  it("lets no server open a database while a process of another machine uses it", async () => {
    const elsewhere = startElsewhere(`00000000-${randomUUID()}`);
    const open = () => openStore<unknown>(database, { migrations: [], isServer: true });

    await expect(open()).rejects.toMatchObject({
      code: "locked",
      message: expect.stringContaining("is used by a process of another machine"),
    });
    elsewhere.close();

    await using _store = await open();
    expect(signs()).toHaveLength(1);
  });

  const closing = (sign: DatabaseSync) => ({ close: async () => sign.close() });

  it.each([
    ["of this machine", async () => openStore<unknown>(database, { migrations: [], isServer: true })],
    ["of an older version", async () => closing(startElsewhere(randomUUID()))],
  ])("lets a server open a database that another process %s uses", async (_, start) => {
    const other = await start();

    await using store = await openStore<unknown>(database, { migrations: [], isServer: true });

    expect(await store.tryLock("feeds", { clock, leaseSeconds: 60 })).toBeDefined();
    await other.close();
  });
});
