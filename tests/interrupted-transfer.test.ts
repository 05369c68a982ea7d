/** `db export` and `db import` end when they are told to, and leave what was there. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Interruption } from "../packages/server/src/cli/interruption.ts";
import { type CommandWorld, openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommandWorld();
}, 60_000);
afterAll(() => world[Symbol.dispose]());

const told = { signal: AbortSignal.abort(new Interruption("SIGTERM")) };

describe("a transfer that is told to stop", () => {
  it("writes no file", async () => {
    const file = join(world.folder.path, "stopped.gz");

    const { code, stderr } = await runPlimsoll(["db", "export", "--db", world.db, file], told);

    expect(code).toBe(143);
    expect(stderr).toBe("plimsoll: told to stop\n");
    expect(existsSync(file)).toBe(false);
  });

  it("takes nothing in", async () => {
    const [file, other] = [join(world.folder.path, "all.gz"), join(world.folder.path, "other.db")];
    await runPlimsoll(["db", "export", "--db", world.db, file]);

    const stopped = await runPlimsoll(["db", "import", "--db", other, file], told);
    const status = await runPlimsoll(["db", "status", "--db", other]);

    expect(stopped).toMatchObject({ code: 143, stderr: "plimsoll: told to stop\n" });
    expect(status.stdout).toContain("no feed is loaded");
  });
});
