/** Builds that exceed a limit: each is stopped with a log that names the limit, while the registry answers. */
import { gzipSync } from "node:zlib";
import { noLongTests, packTree, skipNote, type Tree, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noBuildah, openBuildWorld } from "./fixtures/build-world.ts";
import { shellTree } from "./fixtures/shell-tree.ts";

const archive_url = "https://archives.example/app.tar.gz";
const engine = testEngines.find(({ name }) => name === "SQLite file");
if (engine === undefined) throw new Error("there is no engine");
const base = "FROM scratch\nCOPY root/ /\n";
const mib = 1024 ** 2;
const run = (command: string) => `RUN ["/bin/sh", "-c", ${JSON.stringify(command)}]\n`;
const fill = (path: string, mebibytes: number) => `dd if=/dev/zero of=${path} bs=1048576 count=${mebibytes}`;
const into = (descriptor: number) => `dd if=/dev/zero bs=1048576 count=80 >&${descriptor}`;

interface LimitRow {
  readonly name: string;
  readonly dockerfile: string;
  readonly error: string | null;
}

const limits = { memoryBytes: 96 * mib, diskBytes: 96 * mib, processes: 200, files: 2000 };
const tooMuch = {
  memory: "The build was stopped: it used more than 96 MiB of memory",
  disk: "The build was stopped: it used more than 96 MiB of disk",
  processes: "The build was stopped: it used more than 200 processes and threads",
  files: "The build was stopped: it used more than 2000 files, folders and links",
};

const rows: readonly LimitRow[] = [
  {
    name: "a fork bomb",
    dockerfile: `${base}${run("bomb() { bomb | bomb & }; bomb; sleep 60")}`,
    error: tooMuch.processes,
  },
  {
    name: "many processes that rest",
    dockerfile: `${base}${run("while :; do sleep 60 & done")}`,
    error: tooMuch.processes,
  },
  {
    name: "a process that takes memory",
    dockerfile: `${base}${run("dd if=/dev/zero of=/dev/null bs=134217728 count=10000")}`,
    error: tooMuch.memory,
  },
  {
    name: "a file system in memory",
    dockerfile: `${base}RUN --mount=type=tmpfs,target=/mnt ["/bin/sh", "-c", "${fill("/mnt/a", 150)}; sleep 60"]\n`,
    error: tooMuch.memory,
  },
  {
    name: "many files",
    dockerfile: `${base}${run(`n=0; while :; do n=$((n + 1)); ${fill("/file$n", 16)} 2>/dev/null; done`)}`,
    error: tooMuch.disk,
  },
  {
    name: "a large file",
    dockerfile: `${base}${run(fill("/file", 100_000))}`,
    error: tooMuch.disk,
  },
  {
    name: "files that are open and have no name",
    dockerfile: `${base}${run(`exec 3>/a 4>/b; ${into(3)}; ${into(4)}; rm /a /b; sleep 60`)}`,
    error: tooMuch.disk,
  },
  {
    name: "empty files",
    dockerfile: `${base}${run("n=0; while [ $n -lt 1000000 ]; do n=$((n + 1)); : >/file$n; done")}`,
    error: tooMuch.files,
  },
  {
    name: "a file with a hole, which the image fills",
    dockerfile: `${base}${run("dd if=/dev/zero of=/file bs=1 count=1 seek=2G")}`,
    error: tooMuch.disk,
  },
  { name: "little", dockerfile: `${base}${run("sleep 0")}`, error: null },
];

const skip = noBuildah ?? noLongTests;

describe("a build by buildah", () => {
  it.skipIf(skip !== undefined)(
    `is ended when it takes too much, and its log says of what${skipNote(skip)}`,
    { timeout: 300_000 },
    async () => {
      const programs = ["/bin/sh", "/bin/sleep", "/bin/dd", "/bin/rm"];
      const tree = { ...shellTree("root", programs), ...dockerfilesOf(rows) };
      const archives = { [archive_url]: gzipSync(await packTree(tree)) };
      await using registry = await openBuildWorld({ engine, archives, within: { buildLimits: limits } });

      for (const [index, { name, error }] of rows.entries()) {
        const asked = { archive_url, dockerfile_path: `Dockerfile.${index}`, context: "/" };
        const { id } = await registry.request(asked);
        await registry.runOne();

        const status = await registry.status(id);
        const text = (await registry.log(id)).logs.map(({ message }) => message).join("\n");
        expect([name, status.phase, status.error, text]).toEqual([
          ...[name, error === null ? "complete" : "error", error],
          expect.stringMatching(
            /^A build may use 96 MiB of memory, 200 processes and threads, 96 MiB of disk with 2000 files;/m,
          ),
        ]);
        expect([name, text]).toEqual([name, expect.stringContaining(error ?? "complete")]);
        expect([name, await registry.runOne()]).toEqual([name, false]);
      }
      expect(await registry.remains()).toEqual([]);
    },
  );

  it.skipIf(noBuildah !== undefined)(
    `has no network where it is to have none, and is pulled and pushed all the same${skipNote(noBuildah)}`,
    async () => {
      const headings = "Inter-* | face";
      const devices = run(
        `while read -r name rest; do case $name in ${headings} | lo:) ;; *) exit 3 ;; esac; done < /proc/net/dev`,
      );
      const tree = {
        ...shellTree("root"),
        ...dockerfilesOf([{ dockerfile: base }, { dockerfile: `ARG FROM\nFROM $FROM\n${devices}` }]),
      };
      const archives = { [archive_url]: gzipSync(await packTree(tree)) };
      await using registry = await openBuildWorld({ engine, archives, within: { network: "none" } });
      const asked = { archive_url, context: "/" };
      await registry.request({ ...asked, dockerfile_path: "Dockerfile.0", tags: ["base"] });
      await registry.runOne();

      const build_args = { FROM: `${registry.host}/alice/app:base` };
      const { id } = await registry.request({ ...asked, dockerfile_path: "Dockerfile.1", build_args });
      await registry.runOne();

      const text = (await registry.log(id)).logs.map(({ message }) => message).join("\n");
      expect([(await registry.status(id)).phase, text]).toEqual(["complete", expect.stringContaining("no network")]);
    },
  );
});

function dockerfilesOf(given: readonly { readonly dockerfile: string }[]): Tree {
  return Object.fromEntries(given.map(({ dockerfile }, index) => [`Dockerfile.${index}`, dockerfile]));
}
