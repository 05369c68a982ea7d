/** Podman's real service on a socket of its own, with a store of its own. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, rm, stat, watch, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { layerChecking, packTree, skipNote } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSource } from "../parse-source.ts";

const run = promisify(execFile);
const whyNot =
  process.getuid?.() === 0
    ? await run("podman", ["--version"]).then(
        () => undefined,
        () => "podman is not installed",
      )
    : "podman's store needs root";

let folder = "";
let service: ChildProcess | undefined;
let id = "";

beforeAll(async () => {
  if (whyNot !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), "podman-"));
  const places = ["root", "runroot", "tmpdir"].flatMap((name) => [`--${name}`, join(folder, name)]);
  const store = [...places, "--storage-driver=vfs", "--cgroup-manager=cgroupfs", "--events-backend=none"];
  await writeFile(join(folder, "root.tar"), await packTree({ "etc/os-release": "ID=x\n" }));
  await run("podman", [...store, "import", "--quiet", join(folder, "root.tar"), "localhost/team/app:1"]);
  await run("podman", [...store, "tag", "localhost/team/app:1", "localhost/other"]);
  id = (await run("podman", [...store, "image", "inspect", "--format", "{{.Id}}", "localhost/other"])).stdout.trim();
  const path = join(folder, "podman.sock");
  service = spawn("podman", [...store, "system", "service", "--time=0", `unix://${path}`], { stdio: "ignore" });
  await isThere(path);
});

afterAll(async () => {
  if (whyNot !== undefined) return;
  const ended = new Promise((resolve) => service?.once("exit", resolve));
  service?.kill();
  await ended;
  await rm(folder, { recursive: true, force: true });
});

async function isThere(path: string): Promise<void> {
  const changes = watch(folder)[Symbol.asyncIterator]();
  const next = changes.next();
  if (!(await stat(path).then(Boolean, () => false))) await next;
  await changes.return?.();
}

describe(`podman's service${skipNote(whyNot)}`, () => {
  it.skipIf(whyNot !== undefined).each([
    ["podman:localhost/team/app:1", "localhost/team/app:1"],
    ["podman:localhost/other", "localhost/other:latest"],
    ["docker:localhost/team/app:1", "localhost/team/app:1"],
  ])("gives %s", async (name, reference) => {
    const address = { kind: "socket", path: join(folder, "podman.sock") } as const;
    const source = await parseSource(name, { engines: { find: async () => address } });
    await using opened = await source.open(layerChecking());

    expect(opened.images.map((one) => one.reference)).toEqual([reference]);
    expect(opened.images[0]?.layers).toHaveLength(1);
  });

  it.skipIf(whyNot !== undefined)("gives an image by its id", async () => {
    const address = { kind: "socket", path: join(folder, "podman.sock") } as const;
    const source = await parseSource(`podman:${id.slice(0, 12)}`, { engines: { find: async () => address } });
    await using opened = await source.open(layerChecking());

    expect(opened.images[0]?.layers).toHaveLength(1);
  });

  it.skipIf(whyNot !== undefined)("says that there is no such image", async () => {
    const address = { kind: "socket", path: join(folder, "podman.sock") } as const;
    const source = await parseSource("podman:localhost/none", { engines: { find: async () => address } });

    await expect(source.open(layerChecking())).rejects.toMatchObject({ code: "not_found" });
  });
});
