import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { formatBytes, limitsOnMachine, makeBuildFolder, removeRemains } from "./build-folder.ts";
import { limitsPids } from "./sandbox.ts";

/** Makes 600 folders, each in the one before. */
const deepFolders = `cd "$1"; n=0; while [ $n -lt 600 ]; do n=$((n + 1)); mkdir folder99 && cd -P folder99; done`;

describe("removeRemains", () => {
  it("removes folders of ended processes, and nothing else", async () => {
    const parent = await mkdtemp(join(tmpdir(), "plimsoll-remains-"));
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    const machine = hostname().replace(/[^\w.]/g, "_");
    await mkdir(join(parent, `${machine}-${ended}-abc`, "storage"), { recursive: true });
    await mkdir(join(parent, `elsewhere-${ended}-abc`));
    await mkdir(join(parent, "other"));
    const own = await makeBuildFolder(parent);

    removeRemains(parent);

    expect((await readdir(parent)).sort()).toEqual([basename(own.path), `elsewhere-${ended}-abc`, "other"].sort());
    await own[Symbol.asyncDispose]();
    expect(await readdir(parent)).not.toContain(basename(own.path));
    await rm(parent, { recursive: true });
  });

  it("removes folders whose path is longer than the system accepts", async () => {
    const parent = await mkdtemp(join(tmpdir(), "plimsoll-remains-"));
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    const machine = hostname().replace(/[^\w.]/g, "_");
    const remains = join(parent, `${machine}-${ended}-abc`);
    await mkdir(remains);
    const own = await makeBuildFolder(parent);
    for (const folder of [own.path, remains]) spawnSync("sh", ["-c", deepFolders, "sh", folder]);

    removeRemains(parent);
    await own[Symbol.asyncDispose]();

    expect(await readdir(parent)).toEqual([]);
    await rm(parent, { recursive: true });
  });

  it("finds nothing where no image was ever built", () => {
    expect(() => removeRemains(join(tmpdir(), "plimsoll-never"))).not.toThrow();
  });
});

describe("limitsOnMachine", () => {
  it.each([
    [1024 ** 3, 512 * 1024 ** 2],
    [64 * 1024 ** 3, 4 * 1024 ** 3],
  ])("leaves half of the memory of a machine with %i bytes, or more", (machine, memoryBytes) => {
    expect(limitsOnMachine(machine)).toMatchObject({ memoryBytes });
  });

  it("has the limits that the reference of the settings states", async () => {
    const page = await readFile(new URL("../../../../docs/reference/configuration.md", import.meta.url), "utf8");
    const { memoryBytes, processes, diskBytes, files } = limitsOnMachine(Number.MAX_SAFE_INTEGER);

    expect(page).toContain(
      `* Default: \`memoryBytes\` half of the machine's memory, at most ${formatBytes(memoryBytes)}; \`processes\` ${processes}; \`diskBytes\` ${formatBytes(diskBytes)}; \`files\` ${files / 1e6} million\n`,
    );
  });
});

describe("formatBytes", () => {
  it.each([
    [0, "0 bytes"],
    [1023, "1023 bytes"],
    [1536, "1.5 KiB"],
    [20 * 1024 ** 3, "20 GiB"],
    [5000 * 1024 ** 4, "5000 TiB"],
  ])("shows %i as %s", (bytes, shown) => {
    expect(formatBytes(bytes)).toBe(shown);
  });
});

describe("limitsPids", () => {
  it.each([
    ["6.14.0-1-amd64", true],
    ["7.0.0", true],
    ["6.1.0-41-cloud-amd64", false],
    ["5.15", false],
  ])("says of Linux %s: %s", (kernel, isLimited) => {
    expect(limitsPids(kernel)).toBe(isLimited);
  });
});
