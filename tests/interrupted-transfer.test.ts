/** `db update`, `db export` and `db import` end when they are told to, whatever they do, and leave what was there. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { runCli } from "@plimsoll/server";
import { startFeedServer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Interruption } from "../packages/server/src/cli/io.ts";
import { type CommandWorld, openCommandWorld } from "./support/command-world.ts";
import { plimsollWords, programEnvironment } from "./support/killed-program.ts";
import { type Ran, runPlimsoll, runStopped } from "./support/run-plimsoll.ts";
import { debianTracker } from "./support/sample-image.ts";
import { trackerPath } from "./support/tracker-feed.ts";

let world: CommandWorld;
beforeAll(async () => {
  world = await openCommandWorld();
});
afterAll(() => world[Symbol.dispose]());

const told = { signal: AbortSignal.abort(new Interruption("SIGTERM")) };

describe("a transfer that is told to stop", () => {
  it("writes no file", async () => {
    const file = join(world.folder.path, "stopped.gz");

    const { code, stderr } = await runPlimsoll(["db", "export", "--db", world.db, file], told);

    expect(code).toBe(143);
    expect(stderr).toBe("plimsoll: asked to stop\n");
    expect(existsSync(file)).toBe(false);
  });

  it("takes nothing in", async () => {
    const [file, other] = [join(world.folder.path, "all.gz"), join(world.folder.path, "other.db")];
    await runPlimsoll(["db", "export", "--db", world.db, file]);

    const stopped = await runPlimsoll(["db", "import", "--db", other, file], told);
    const status = await runPlimsoll(["db", "status", "--db", other]);

    expect(stopped).toMatchObject({ code: 143, stderr: "plimsoll: asked to stop\n" });
    expect(status.stdout).toContain("no feed is loaded");
  });
});

/** More than one batch of records, and more than one step of storing them. */
function largeTracker(state: string): string {
  const cves = Array.from({ length: 5_500 }, (_, index) => `CVE-${state}-${index}`);
  return debianTracker(Object.fromEntries(cves.map((cve) => [`app-${cve}`, { [cve]: { fixed: "2" } }])));
}

/** What the rows below begin with, made once. */
interface Prepared {
  /** A database with the last feed, and the next feed. */
  readonly old: string;
  readonly next: string;
  /** A database with a few records, and an export of many. */
  readonly few: string;
  readonly file: string;
}

async function prepare({ folder, tracker }: CommandWorld): Promise<Prepared> {
  const place = (name: string) => join(folder.path, name);
  const feedOf = (name: string, text: string) => `debian=${folder.write(`${name}.json`, text)}`;
  const prepared = { old: place("old.db"), next: "", few: place("few.db"), file: place("many.gz") };
  await runPlimsoll(["db", "update", "--db", prepared.old, "--feed", feedOf("old", largeTracker("old"))]);
  await runPlimsoll(["db", "update", "--db", prepared.few, "--feed", feedOf("few", tracker)]);
  await runPlimsoll(["db", "export", "--db", prepared.old, prepared.file]);
  return { ...prepared, next: feedOf("new", largeTracker("new")) };
}

let prepared: Prepared;
beforeAll(async () => {
  prepared = await prepare(world);
});

describe.each([
  ["records are read", /: 2000 records read/],
  ["storing begins", /: storing, step 1\n/],
  ["records are stored", /: storing, step 4\n/],
  ["rules are made", /: storing, step 25\n/],
])("told to stop while %s", (stage, moment) => {
  const update = ["db", "update", "--verbose"];

  /** What was there is there, and the next one is done at once. */
  async function expectWhole(
    db: string,
    stopped: Ran,
    { before, again }: { readonly before: string; readonly again: readonly string[] },
  ) {
    expect(stopped).toMatchObject({ code: 143, stdout: "" });
    expect(stopped.stderr).toMatch(/\nplimsoll: asked to stop\n$/);
    const status = await runPlimsoll(["db", "status", "--db", db]);
    expect(status.stdout).toBe(before);
    expect(await runPlimsoll([...again, "--db", db])).toMatchObject({ code: 0 });
  }

  it("an update leaves the data of the last one", async () => {
    const db = join(world.folder.path, `update, ${stage}.db`);
    copyFileSync(prepared.old, db);
    const { stdout: before } = await runPlimsoll(["db", "status", "--db", db]);

    const stopped = await runStopped([...update, "--db", db, "--feed", prepared.next], moment);

    await expectWhole(db, stopped, { before, again: ["db", "update", "--feed", prepared.next] });
  });

  it("an import takes nothing in", async () => {
    const db = join(world.folder.path, `import, ${stage}.db`);
    copyFileSync(prepared.few, db);
    const { stdout: before } = await runPlimsoll(["db", "status", "--db", db]);

    const stopped = await runStopped(["db", "import", "--verbose", "--db", db, prepared.file], moment);

    await expectWhole(db, stopped, { before, again: ["db", "import", prepared.file] });
  });
});

describe("the process of an update", () => {
  /** It is told to stop when it says something, or when the feed is asked for. */
  async function stopped(signal: NodeJS.Signals, feed: string, asked?: Promise<unknown>) {
    const db = join(world.folder.path, `process-${signal}.db`);
    const words = ["db", "update", "--verbose", "--db", db, "--feed", `debian=${feed}`];
    const program = spawn(process.execPath, [...plimsollWords, ...words], { env: programEnvironment });
    let stderr = "";
    program.stderr.on("data", (chunk) => (stderr += chunk));
    await (asked ?? once(program.stderr, "data"));
    program.kill(signal);
    const [code] = await once(program, "close");
    return { code, stderr };
  }

  it.each([
    ["SIGTERM", 143, "asked to stop", "sends nothing", { silent: true }],
    ["SIGINT", 130, "interrupted", "sends without end", { body: "[".repeat(9_000), endless: true }],
  ] as const)(
    "ends by %s with %i, %s, while a server %s",
    async (signal, code, message, _, answer) => {
      const asked = Promise.withResolvers<void>();
      await using server = await startFeedServer(() => asked.resolve());
      server.answer(trackerPath, answer);

      const ended = await stopped(signal, new URL(trackerPath, server.url).href, asked.promise);

      expect(ended.code).toBe(code);
      expect(ended.stderr).toMatch(new RegExp(`plimsoll: ${message}\\n$`));
    },
    60_000,
  );

  it("ends soon, whatever it waits for", async () => {
    const promised: number[] = [];
    const output = { write: () => true };
    const io = { stdin: process.stdin, stdout: output, stderr: output, env: {}, now: Date.now };
    await runCli(["db", "status", "--db", world.db], {
      ...io,
      endWithin: (milliseconds) => promised.push(milliseconds),
    });
    expect(promised).toEqual([1_500]);
  });
});
