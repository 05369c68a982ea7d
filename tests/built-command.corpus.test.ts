/** The command as it is published: one bundled program (npm run build), started as a process. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openRegistryServer, startFeedServer } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import type { Ran } from "./support/run-plimsoll.ts";
import { debianImage, debianTracker, ociArchive } from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const command = join(import.meta.dirname, "..", "packages", "server", "dist", "plimsoll.js");
const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());

/** Runs the command without blocking this process, whose servers it talks to. */
function run(...words: readonly string[]): Promise<Ran> {
  const child = spawn(process.execPath, [command, ...words], { stdio: ["ignore", "pipe", "pipe"] });
  const parts = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => {
    parts.stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    parts.stderr += chunk;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ code: code ?? -1, ...parts })));
}

describe.skipIf(!existsSync(command))("the built command (npm run build)", () => {
  const db = join(folder.path, "plimsoll.db");

  it("updates from a server, conditionally the second time", async () => {
    await using server = await startFeedServer();
    const body = debianTracker({ openssl: { "CVE-2024-0001": { fixed: "3.0.12-1", urgency: "high" } } });
    server.answer("/json", { status: 200, headers: { etag: '"1"' }, body }, { status: 304 });

    const first = await run("db", "update", "--db", db, "--feed", `debian=${server.url}json`);
    const again = await run("db", "update", "--db", db, "--feed", `debian=${server.url}json`);

    expect([first.stderr, again.stderr]).toEqual(["", ""]);
    expect([first.stdout, again.stdout]).toEqual(["debian: 1 advisory, 1 new, 0 gone\n", "debian: up to date\n"]);
    expect(server.requests.map(({ headers }) => headers["if-none-match"])).toEqual([undefined, '"1"']);
  });

  it("scans a registry and gates on what it finds", async () => {
    await using registry = await openRegistryServer();
    registry.put("app", await debianImage(["libssl3 3.0.11-1 openssl"]), "1");

    const { code, stdout, stderr } = await run(
      "scan",
      `${registry.host}/app:1`,
      "--db",
      db,
      "--fail-on",
      "high+,fixable",
    );

    expect(stdout).toContain("CVE-2024-0001");
    expect(stderr).toContain("--fail-on: 1 finding");
    expect(code).toBe(1);
  });

  it("may run many times at once on one database", async () => {
    const image = folder.write("image.tar", await ociArchive(await debianImage(["libssl3 3.0.11-1 openssl"], ["a 1"])));

    const runs = await Promise.all(Array.from({ length: 6 }, () => run("scan", image, "--db", db, "-o", "json")));

    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, ""]));
    expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1);
  });

  it("tells an older Node what is needed, in one line", ({ skip }) => {
    const found = spawnSync("sh", ["-c", "PATH=/usr/bin:/bin command -v node"], { encoding: "utf8" }).stdout.trim();
    const version = found === "" ? "" : spawnSync(found, ["-p", "process.versions.node"], { encoding: "utf8" }).stdout;
    skip(found === "" || Number.parseInt(version, 10) >= 24, "there is no older Node in /usr/bin");

    const { status, stderr } = spawnSync(found, [command, "--version"], { encoding: "utf8" });

    expect(status).toBe(2);
    expect(stderr).toMatch(/^plimsoll needs Node 24\.15 or later and was started on [^\n]*\n$/);
  });
});
