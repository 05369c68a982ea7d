/**
 * `plimsoll serve` while what it writes to, its clients and its own parts break: it answers as before, says what happened in the log and in
 * metrics, and if it has to end, it does so in order and with a reason. `docs/concepts/failures.md` lists what can break.
 */

import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { text } from "node:stream/consumers";
import { loopbackCertificate, mountSmallDisk, noSmallDisk, skipNote } from "@plimsoll/testing";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BrokenService, type BrokenServiceOptions } from "./support/broken-service.ts";
import { plimsollWords, programEnvironment } from "./support/killed-program.ts";
import { manifestOf } from "./support/outage-clients.ts";
import { contentOf, PushClient } from "./support/push-client.ts";
import { firstUser } from "./support/registry-process.ts";
import { type TempFolder, tempFolder } from "./support/temp-folder.ts";

let folder: TempFolder;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.dispose]());

const timeout = 60_000;

function start(options: Partial<BrokenServiceOptions> = {}): Promise<BrokenService> {
  return BrokenService.start({ ...options, settings: { data: join(folder.path, "data"), ...options.settings } });
}

/** The lines of the log so far, which are read as they come. */
function readLog(service: BrokenService): { readonly event?: string; readonly [field: string]: unknown }[] {
  const lines: { event?: string }[] = [];
  const { stderr } = service.child;
  if (stderr) createInterface({ input: stderr }).on("line", (line) => lines.push(JSON.parse(line)));
  return lines;
}

/** Asks many times, so that the log has many lines. */
async function askOften(service: BrokenService, times: number): Promise<void> {
  const statuses = new Set<number>();
  for (let count = 0; count < times; count += 1) {
    const { statusCode, body } = await request(`${service.url}/robots.txt`);
    await body.dump();
    statuses.add(statusCode);
  }
  expect([...statuses]).toEqual([200]);
}

const lostLines = "plimsoll_log_lines_lost_total";

describe.skipIf(process.platform === "win32")("a log", () => {
  it(
    "on a full device loses lines, which are counted",
    async () => {
      const full = openSync("/dev/full", "w");
      await using service = await start({ stderr: full });
      closeSync(full);

      await askOften(service, 300);

      await expect.poll(() => service.metric(lostLines)).toBeGreaterThan(100);
      expect(await service.stop()).toBe(0);
    },
    timeout,
  );

  it(
    "whose reader has gone loses lines, which are counted",
    async () => {
      await using service = await start();
      service.child.stderr?.destroy();

      await askOften(service, 300);

      await expect.poll(() => service.metric(lostLines)).toBeGreaterThan(100);
      expect(await service.stop()).toBe(0);
    },
    timeout,
  );

  it(
    "whose reader stalls keeps some lines, loses others, and says where they are missing",
    async () => {
      await using service = await start();

      await askOften(service, 6_000);
      await expect.poll(() => service.metric(lostLines)).toBeGreaterThan(0);
      const log = readLog(service);
      await expect.poll(() => log.length).toBeGreaterThan(3_000);
      await askOften(service, 100);

      await expect.poll(() => log.find(({ event }) => event === "log_lines_lost")).toMatchObject({ level: "warn" });
      expect(await service.stop()).toBe(0);
      expect(log.at(-1)).toMatchObject({ event: "stopped" });
    },
    timeout,
  );

  it.skipIf(noSmallDisk !== undefined)(
    `on a full disk goes on when there is room${skipNote(noSmallDisk)}`,
    async () => {
      using disk = mountSmallDisk(1);
      if (disk === undefined) throw new Error("no disk was mounted");
      const file = join(disk.folder, "log");
      const descriptor = openSync(file, "a");
      await using service = await start({ stderr: descriptor });
      closeSync(descriptor);

      disk.fill();
      await askOften(service, 300);
      await expect.poll(() => service.metric(lostLines)).toBeGreaterThan(0);
      disk.makeRoom();
      await askOften(service, 100);

      const lines = () => readFileSync(file, "utf8").split("\n");
      await expect.poll(() => lines().filter((line) => line.includes('"event":"log_lines_lost"'))).toHaveLength(1);
      expect(await service.stop()).toBe(0);
    },
    timeout,
  );
});

describe.skipIf(process.platform === "win32")("a command", () => {
  it.each([
    ["2>/dev/full", { code: 2, stdout: "", stderr: "" }],
    ["2>&-", { code: 2, stdout: "", stderr: "" }],
  ])("whose standard error is lost (%s) has the exit code that it has otherwise", async (redirection, expected) => {
    expect(await inShell(`scan ${redirection}`)).toEqual(expected);
  });

  it("whose result cannot be written says so, and its exit code is no verdict", async () => {
    expect(await inShell("help scan >/dev/full")).toEqual({
      code: 3,
      stdout: "",
      stderr: expect.stringMatching(/^plimsoll: the result cannot be written to standard output: ENOSPC/),
    });
  });

  it("whose result is not read to its end ends quietly", async () => {
    expect(await inShell("help scan | head -1")).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^\S.*\n$/),
      stderr: "",
    });
  });
});

/** Runs the command in a shell. @param words its arguments and redirections */
async function inShell(words: string) {
  const program = [process.execPath, ...plimsollWords].map((word) => `'${word}'`).join(" ");
  const child = spawn("bash", ["-c", `set -o pipefail; ${program} ${words}`], { env: programEnvironment });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code, stdout, stderr };
}

describe("errors that no code handles", () => {
  it.each([
    { error: "event", line: { level: "error", event: "error_unhandled", kind: "event" }, kind: "event" },
    { error: "rejection", line: { level: "error", event: "error_unhandled", kind: "rejection" }, kind: "rejection" },
    { error: "warning", line: { level: "warn", event: "process_warning", reason: "injected: look at this" } },
  ] as const)(
    "of the kind $error are logged and counted, and the process goes on",
    async ({ error, line, ...of }) => {
      await using service = await start();
      const log = readLog(service);

      service.inject(error);

      await expect.poll(() => log.filter(({ event }) => event === line.event)).toMatchObject([line]);
      if ("kind" in of) expect(await service.metric(`plimsoll_unhandled_errors_total{kind="${of.kind}"}`)).toBe(1);
      await askOften(service, 3);
      expect(await service.stop()).toBe(0);
    },
    timeout,
  );

  it(
    "that may have left it in any state end it in order: running requests are answered first",
    async () => {
      await using service = await start({ settings: { drainSeconds: "1" } });
      const log = readLog(service);

      service.inject("exception");

      await expect.poll(() => log.map(({ event }) => event)).toContain("stopping");
      await askOften(service, 3);
      expect(await service.ended).toBe(70);
      expect(log.find(({ level }) => level === "fatal")).toMatchObject({
        event: "error_unhandled",
        kind: "exception",
        err: { type: "TypeError", message: "injected: a mistake", stack: expect.any(String) },
      });
      expect(log.at(-1)).toMatchObject({ event: "stopped" });
    },
    timeout,
  );
});

describe("parts of a service", () => {
  it("are replaced: threads that read layers have ended", async () => {
    await using service = await start({ settings: { scanPatienceSeconds: "1" } });
    const call = await signUp(service);
    const scanned = async (name: string) => {
      const image = manifestOf(name, [contentOf(randomBytes(1_000))]);
      await call.client.push(image, { tag: name });
      const status = () => call.get(`/repository/alice/images/manifest/${image.digest}/security`);
      await expect.poll(status).toMatchObject({ status: expect.stringMatching("scanned|failed") });
      return status();
    };

    const first = await scanned("first");
    service.inject("thread");

    expect(await scanned("second")).toMatchObject({ status: (first as { readonly status: string }).status });
    expect(await service.stop()).toBe(0);
  });

  it("end it in order if they cannot be replaced: its database is damaged", async () => {
    const before = await start();
    await before.stop();
    damageTable(join(folder.path, "data", "plimsoll.db"), "event_notification");
    await using service = await BrokenService.open({ settings: { data: join(folder.path, "data") } });
    const log = readLog(service);

    expect(await service.ended).toBe(70);
    expect(log.find(({ event }) => event === "database_failed")).toMatchObject({ code: "corrupt" });
    expect(log.at(-1)).toMatchObject({ event: "stopped" });
  });
});

describe("a service that waits for its database at its start", () => {
  it("ends in order when it is told to stop", async () => {
    const settings = { data: join(folder.path, "data"), database: "postgres://u@127.0.0.1:1/db" };
    const mistyped = { superuser: "sesame" };
    await using service = await BrokenService.open({
      settings: { ...settings, ...mistyped, databaseWaitSeconds: "600" },
    });
    const log = readLog(service);
    const events = () => log.map(({ event }) => event);
    await expect.poll(events).toContain("database_unavailable");

    expect(await service.stop()).toBe(0);

    await expect.poll(events).toContain("stopped");
    expect(events().slice(-2)).toEqual(["stopping", "stopped"]);
    expect(log.filter(({ event }) => event === "setting_unknown")).toMatchObject([
      { level: "warn", variable: "PLIMSOLL_SUPERUSER", nearest: "PLIMSOLL_SUPERUSERS" },
    ]);
    expect(JSON.stringify(log)).not.toContain("sesame");
  });
});

/** Overwrites the first page of a table. */
function damageTable(file: string, table: string): void {
  using database = new DatabaseSync(file);
  const page = database.prepare("select rootpage from sqlite_schema where name = ?").get(table)?.rootpage;
  const size = database.prepare("pragma page_size").get()?.page_size;
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(Number(size), 0xaa), 0, Number(size), (Number(page) - 1) * Number(size));
  closeSync(descriptor);
}

/** Makes the first user, who can push and call the management API. */
async function signUp({ url }: BrokenService) {
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ ...firstUser, email: "alice@example.com", access_token: true });
  const answer = await fetch(`${url}/api/v1/user/initialize`, { method: "POST", headers, body });
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  const bearer = { authorization: `Bearer ${token}` };
  return {
    client: new PushClient(`${url}/v2/alice/images/`, token),
    get: async (path: string): Promise<unknown> => (await fetch(`${url}/api/v1${path}`, { headers: bearer })).json(),
  };
}

describe.skipIf(process.platform === "win32")("clients and other programs", () => {
  it(
    "that break off, with a collector of traces that is down, are no errors",
    async () => {
      const { cert, key } = loopbackCertificate();
      const [tlsCertificate, tlsKey] = [join(folder.path, "cert.pem"), join(folder.path, "key.pem")];
      writeFileSync(tlsCertificate, cert);
      writeFileSync(tlsKey, key);
      const tracesEndpoint = "http://127.0.0.1:9/v1/traces";
      await using service = await start({ settings: { tlsCertificate, tlsKey, tracesEndpoint } });
      const log = readLog(service);
      const handshake = Buffer.from("1603010100010000fc0303", "hex");

      for (let count = 0; count < 20; count += 1) {
        await breakOff(service.port, handshake);
        await breakOff(service.port, Buffer.from("GET / HTTP/1.1\r\n\r\n"));
        await breakOff(service.port, Buffer.alloc(0));
        await breakOff(
          Number(new URL(service.healthUrl).port),
          Buffer.from("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"),
        );
      }

      expect(await service.metric('plimsoll_unhandled_errors_total{kind="event"}')).toBe(0);
      expect(await service.stop()).toBe(0);
      expect(log.filter(({ level }) => level === "error" || level === "fatal")).toEqual([]);
    },
    timeout,
  );

  it("that take all descriptors lose their connections, and later ones are accepted", async () => {
    await using service = await start({ maxDescriptors: 64 });
    const log = readLog(service);
    let closed = 0;
    const sockets = Array.from({ length: 100 }, () => connect(service.port, "127.0.0.1"));
    for (const socket of sockets)
      socket
        .on("error", () => {})
        .on("close", () => closed++)
        .resume();

    await expect.poll(() => closed).toBeGreaterThan(30);
    for (const socket of sockets) socket.destroy();

    await expect.poll(() => fetch(`${service.url}/robots.txt`).then(({ status }) => status, String)).toBe(200);
    expect(await service.stop()).toBe(0);
    expect(log.filter(({ level }) => level === "fatal")).toEqual([]);
  });
});

/** Connects, sends bytes, and resets the connection. */
async function breakOff(port: number, bytes: Buffer): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () => socket.write(bytes, () => socket.resetAndDestroy()));
  socket.on("error", () => {}).on("close", () => resolve());
  await promise;
}
