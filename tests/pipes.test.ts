/** The command reads from pipes, and ends when it is told to while they have no writer. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type CommandWorld, openCommandWorld } from "./support/command-world.ts";
import { plimsollWords, programEnvironment } from "./support/killed-program.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";

let world: CommandWorld;
let pipes = 0;
beforeAll(async () => {
  world = await openCommandWorld(Date.now()); // programs that are started have the real clock
});
afterAll(() => world[Symbol.dispose]());

function makePipe(): string {
  const path = join(world.folder.path, `pipe-${pipes++}`);
  execFileSync("mkfifo", [path]);
  return path;
}

/** The descriptor of a writer who has nothing to say, as soon as there is a reader. */
function openWriter(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

const inShell = promisify(execFile);
const words = [process.execPath, ...plimsollWords].map((word) => `'${word}'`).join(" ");

describe.skipIf(process.platform === "win32")("pipes", () => {
  it.each<{ readonly what: string; readonly command: (pipe: string) => readonly string[] }>([
    { what: "an image", command: (pipe) => ["scan", "--db", world.db, pipe] },
    { what: "an archive of Docker", command: (pipe) => ["scan", "--db", world.db, `docker-archive:${pipe}`] },
    { what: "a snapshot", command: (pipe) => ["db", "import", "--db", world.db, pipe] },
    { what: "a configuration", command: (pipe) => ["db", "status", "--config", pipe] },
  ])("that $what does not come from end with the command", async ({ command }) => {
    const pipe = makePipe();
    const program = spawn(process.execPath, [...plimsollWords, ...command(pipe)], { env: programEnvironment });
    onTestFinished(() => void program.kill("SIGKILL"));
    let stderr = "";
    program.stderr.on("data", (chunk) => (stderr += chunk));
    const ended = once(program, "close");
    let writer: number | undefined;
    await expect.poll(() => (writer = openWriter(pipe))).toBeDefined();

    program.kill("SIGTERM");
    const [code] = await ended;
    closeSync(writer ?? -1);

    expect([code, stderr]).toEqual([143, "plimsoll: asked to stop\n"]);
  });

  it("are read as images and configurations, by name and as a shell makes them", async () => {
    const plain = await runPlimsoll(["scan", "--db", world.db, "-o", "json", world.image]);
    const pipe = makePipe();
    const scan = `${words} scan --db '${world.db}' -o json`;
    const findings = (text: string) => JSON.parse(text).findings ?? JSON.parse(text);
    const env = programEnvironment;

    const substituted = await inShell("bash", ["-c", `${scan} <(cat '${world.image}')`], { env });
    const named = await inShell("bash", ["-c", `(cat '${world.image}' > '${pipe}') & ${scan} '${pipe}'`], {
      env,
    });
    const configured = await inShell("bash", ["-c", `${words} db status --config <(echo '{"db": "${world.db}"}')`], {
      env,
    });

    const packagesOf = (text: string) => JSON.stringify(findings(text)).match(/"libssl3"/g)?.length;
    expect(packagesOf(substituted.stdout)).toBe(packagesOf(plain.stdout));
    expect(packagesOf(named.stdout)).toBe(packagesOf(plain.stdout));
    expect(packagesOf(plain.stdout)).toBeGreaterThan(0);
    expect(configured.stdout).toContain("debian");
  });

  it("are read as snapshots", async () => {
    const [file, db] = [join(world.folder.path, "all.gz"), join(world.folder.path, "imported.db")];
    await runPlimsoll(["db", "export", "--db", world.db, file]);

    await inShell("bash", ["-c", `${words} db import --db '${db}' <(cat '${file}')`], { env: programEnvironment });

    const { stdout } = await runPlimsoll(["db", "status", "--db", db]);
    expect(stdout).toContain("debian");
  });

  it("are refused as feeds, and devices as images", async () => {
    const pipe = makePipe();

    const feed = await runPlimsoll([
      "db",
      "update",
      "--db",
      join(world.folder.path, "other.db"),
      "--feed",
      `debian=${pipe}`,
    ]);
    const device = await runPlimsoll(["scan", "--db", world.db, "/dev/zero"]);

    expect(feed.code).not.toBe(0);
    expect(feed.stderr).toContain(`the feed ${pipe} is neither a file nor a folder: write the output of a pipe`);
    expect(device.stderr).toContain("/dev/zero: expected a file or a pipe, found something else");
  });
});
