/** `plimsoll admin …`: what an operator does beside a running server, on each kind of database. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type RegistryTables, registryMigrations } from "@plimsoll/registry";
import { openStore } from "@plimsoll/store";
import { buildImage, buildLayer, enginePairs, engineTitle, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { pushImage } from "./support/push-image.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import type { SettingTexts } from "./support/service-process.ts";
import { tempFolder } from "./support/temp-folder.ts";

const basic = ({ username, password }: { readonly username: string; readonly password: string }) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

const now = () => ({ now: Date.now() });

async function push(registry: RegistryProcess, tag: string): Promise<void> {
  const image = buildImage({ layers: [await buildLayer({ "etc/motd": tag })] });
  await pushImage(`http://${registry.host}/v2/alice/app`, basic(firstUser), { image, reference: tag });
}

async function signsIn(host: string, user: Parameters<typeof basic>[0]): Promise<boolean> {
  const answer = await fetch(`http://${host}/v2/auth?service=${host}`, { headers: { authorization: basic(user) } });
  return answer.status === 200;
}

async function tagsOf(host: string): Promise<unknown> {
  const headers = { authorization: basic(firstUser) };
  const answer = await fetch(`http://${host}/v2/auth?service=${host}&scope=repository:alice/app:pull`, { headers });
  const { token } = (await answer.json()) as { readonly token: string };
  const tags = await fetch(`http://${host}/v2/alice/app/tags/list`, { headers: { authorization: `Bearer ${token}` } });
  return ((await tags.json()) as { readonly tags: unknown }).tags;
}

const engines = testEngines.filter(({ shared }) => shared);

describe.each(engines.map((engine) => ({ engine, title: engineTitle(engine) })))(
  "plimsoll admin on $title",
  ({ engine }) => {
    it.skipIf(engine.skip !== undefined)("makes users and gives them other passwords beside a server", async () => {
      using folder = tempFolder();
      await using database = await engine.create();
      await using registry = await startRegistry(folder.path, { database: database.location });
      const run = (words: readonly string[], stdin = "") =>
        runPlimsoll(["admin", ...words, "--data", join(folder.path, "data"), "--database", database.location], {
          ...now(),
          stdin: Buffer.from(stdin),
        });

      const made = await run(["create-user", "ada", "--email", "ada@example.com"]);
      const password = /^password: (\S{20,})$/m.exec(made.stdout)?.[1] ?? "";
      expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^created ada\n/) });
      expect(await signsIn(registry.host, { username: "ada", password })).toBe(true);

      const changed = await run(["reset-password", "ada", "--password-stdin"], "another-long-one\n");
      expect(changed).toMatchObject({ code: 0, stdout: "changed the password of ada\n" });
      expect(await signsIn(registry.host, { username: "ada", password: "another-long-one" })).toBe(true);
      expect(await signsIn(registry.host, { username: "ada", password })).toBe(false);

      for (const [words, reason] of [
        [["create-user", "ada"], "already exists"],
        [["create-user", "A b"], "name"],
        [["create-user", "eve", "--email", "nowhere"], "mail"],
        [["reset-password", "nobody"], 'no user "nobody"'],
      ] as const)
        expect(await run(words), words.join(" ")).toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
      expect(await run(["create-user", "eve", "--password-stdin"], "short")).toMatchObject({ code: 2, stdout: "" });
    });

    it.skipIf(engine.skip !== undefined)("copies database and blobs elsewhere, and says what is damaged", async () => {
      using folder = tempFolder();
      await using database = await engine.create();
      const data = join(folder.path, "data");
      const source = ["--data", data, "--database", database.location];
      {
        await using registry = await startRegistry(folder.path, { database: database.location });
        await push(registry, "one");
        await push(registry, "two");
      }
      const run = (...words: readonly string[]) => runPlimsoll(["admin", ...words, ...source], now());
      const [copy, blobs] = [join(folder.path, "copy.db"), join(folder.path, "elsewhere")];

      expect(await run("copy-database", copy)).toMatchObject({ code: 0, stdout: expect.stringContaining("tag\t2\n") });
      expect(await run("copy-database", copy)).toMatchObject({
        code: 4,
        stderr: expect.stringContaining("already exists"),
      });
      expect(await run("copy-blobs", blobs)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("0 already present"),
      });
      expect(await run("copy-blobs", blobs)).toMatchObject({
        code: 0,
        stdout: expect.stringContaining("copied 0 blobs"),
      });
      expect(await run("copy-blobs", join(data, "blobs"))).toMatchObject({ code: 2 });

      const [damaged = ""] = readdirSync(join(data, "blobs", "blobs", "sha256"), {
        recursive: true,
        withFileTypes: true,
      })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const bytes = readFileSync(damaged);
      rmSync(damaged);
      writeFileSync(
        damaged,
        bytes.map((byte) => byte ^ 1),
      );
      expect(await run("verify", "--quick")).toMatchObject({ code: 0 });
      const verified = await run("verify");
      expect(verified).toMatchObject({
        code: 1,
        stdout: expect.stringMatching(/another digest\talice\/app\nchecked \d+ blobs of .*1 problem\n$/),
      });
    });

    it.skipIf(engine.skip !== undefined)("prints the usage log that the server has moved to the blobs", async () => {
      using folder = tempFolder();
      await using database = await engine.create();
      const place = ["--data", join(folder.path, "data"), "--database", database.location];
      const archived = async () => (await runPlimsoll(["admin", "archived-logs", ...place], now())).stdout;
      {
        await using registry = await startRegistry(folder.path, { database: database.location });
        await push(registry, "one");
        await ageUsageLog(database.location, 91);
        await push(registry, "two");
      }
      expect(await archived()).toBe("");

      await using registry = await startAgain(folder.path, database.location, { logRetentionDays: "90" });
      await expect.poll(archived).not.toBe("");
      const entries = (await archived()).trimEnd().split("\n");
      const pushes = entries.map((line) => JSON.parse(line)).filter(({ kind }) => kind === "push_repo");

      expect(pushes).toMatchObject([{ performer: "alice", metadata: { namespace: "alice", repo: "app", tag: "one" } }]);
      expect(await tagsOf(registry.host)).toEqual(["one", "two"]);
    });
  },
);

async function ageUsageLog(location: string, days: number): Promise<void> {
  await using store = await openStore<RegistryTables>(location, { migrations: [registryMigrations] });
  await store.db
    .updateTable("usage_log")
    .set(({ eb }) => ({ at: eb("at", "-", days * 86_400_000) }))
    .execute();
}

describe.each(enginePairs)("plimsoll admin backup and restore from $title", ({ from, to, skip }) => {
  it.skipIf(skip !== undefined)("keeps everything, and a second backup copies only what is new", async () => {
    using folder = tempFolder();
    await using database = await from.create();
    await using target = await to.create();
    const [backup, home] = [join(folder.path, "backup"), join(folder.path, "restored")];
    const run = (words: readonly string[], place: readonly string[]) =>
      runPlimsoll(["admin", ...words, ...place], now());
    const source = ["--data", join(folder.path, "data"), "--database", database.location];
    await using registry = await startRegistry(folder.path, { database: database.location });
    await push(registry, "one");

    const first = await run(["backup", backup], source);
    await push(registry, "two");
    const second = await run(["backup", backup], source);

    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/rows, 2 new blobs of \d+ bytes, 0 already present/),
    });
    expect(second).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/rows, [12] new blobs? of \d+ bytes, [12] already present/),
    });
    expect(readdirSync(backup).sort()).toEqual(["backup.json", "blobs", "database.db", "registry-secret", "uploads"]);
    for (const file of ["database.db", "registry-secret"]) expect(statSync(join(backup, file)).mode & 0o077).toBe(0);
    expect(await run(["verify", "--backup", backup], source)).toMatchObject({ code: 0 });

    const place = ["--data", join(home, "data"), "--database", target.location];
    expect(await run(["restore", backup], place)).toMatchObject({ code: 0, stderr: "" });
    expect(await run(["restore", backup], place)).toMatchObject({ code: 4, stderr: expect.stringContaining("name a") });
    expect(await run(["verify"], place)).toMatchObject({ code: 0, stdout: expect.stringMatching(/no problem\n$/) });
    await using restored = await startAgain(home, target.location);
    expect(await tagsOf(restored.host)).toEqual(["one", "two"]);
    expect(await signsIn(restored.host, firstUser)).toBe(true);
  });
});

/** The server of an installation whose first user is there already. */
async function startAgain(folder: string, database: string, settings: SettingTexts = {}) {
  const { ServiceProcess } = await import("./support/service-process.ts");
  const process = await ServiceProcess.start({ data: join(folder, "data"), offline: "1", database, ...settings });
  await process.listening();
  return { host: new URL(process.url).host, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
}

it("refuses a folder without a finished backup, and one of another registry's key", async () => {
  using folder = tempFolder();
  const place = ["--data", join(folder.path, "data")];

  const refused = await runPlimsoll(["admin", "restore", folder.path, ...place], now());
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("has no finished backup") });
  const unreadable = join(folder.path, "unreadable");
  mkdirSync(join(unreadable, "registry-secret"), { recursive: true });
  writeFileSync(join(unreadable, "backup.json"), JSON.stringify({ format: 1, createdAt: "2026-11-01T00:00:00Z" }));
  const key = await runPlimsoll(["admin", "restore", unreadable, ...place], now());
  expect(key).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("registry-secret: the key of the backup cannot be read"),
  });
  const missing = await runPlimsoll(["admin", "backup", join(folder.path, "backup"), ...place], now());
  expect(missing).toMatchObject({ code: 4, stderr: expect.stringContaining("there is no database") });
});

it.each([
  ["backup", "backup"],
  ["verify"],
  ["gc"],
  ["archived-logs"],
  ["copy-blobs", "copy"],
  ["copy-database", "copy.db"],
  ["reset-password", "ada"],
])("creates nothing where there is no registry: admin %s", async (...words) => {
  using folder = tempFolder();
  const [command = "", target] = words.filter((word) => word !== undefined);
  const to = target === undefined ? [] : [command === "reset-password" ? target : join(folder.path, target)];

  const refused = await runPlimsoll(["admin", command, ...to, "--data", join(folder.path, "data")], now());

  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining("there is no database") });
  expect(readdirSync(folder.path)).toEqual([]);
});
