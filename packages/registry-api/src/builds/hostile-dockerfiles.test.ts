/** Attacks by Dockerfiles: each build ends with a log that has the reason and nothing of the machine. */
import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildTar, noLongTests, packTree, skipNote, type Tree, testEngines } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { noBuildah, openBuildWorld } from "./fixtures/build-world.ts";
import { shellTree } from "./fixtures/shell-tree.ts";

const archive_url = "https://archives.example/app.tar.gz";
const engine = testEngines.find(({ name }) => name === "SQLite file") ?? testEngines[0];
const base = "FROM scratch\nCOPY root/ /\n";
const stage = `FROM scratch AS first\nCOPY root/ /\nRUN ["/bin/ln", "-s", "/", "/link"]\n${base}`;
const run = (command: string) => `["/bin/sh", "-c", ${JSON.stringify(command)}]\n`;
const mounted = (command: string) => `RUN --mount=type=bind,rw,from=first,source=/link,target=/mnt ${run(command)}`;
const writing = (paths: string) => `for each in ${paths}; do (: >> $each) && echo opened $each; done; echo all`;
const read = (path: string) => run(`while read -r line; do echo "$line"; done < ${path}`);

/** The shell cannot open a file, and says why. Buildah sometimes loses the last line of a command that ends at once, and has its exit code alone. */
const notOpened = (why: RegExp) => new RegExp(`cannot open ${why.source}|subprocess exited with status 2\\n`);

interface HostileRow {
  readonly name: string;
  /** @param folder has the file `secret`, outside of all builds */
  readonly dockerfile: (folder: string) => string;
  readonly phase: "complete" | "error";
  readonly log: RegExp;
  readonly build_args?: Readonly<Record<string, string>>;
}

const rows: readonly HostileRow[] = [
  {
    name: "a mount of a link in a stage",
    dockerfile: (folder) =>
      `${stage}RUN --mount=type=bind,from=first,source=/link,target=/mnt ${read(`/mnt${folder}/secret`)}`,
    phase: "error",
    log: notOpened(/\/mnt\S+\/secret: No such file/),
  },
  {
    name: "a cache at a link in a stage",
    dockerfile: (folder) =>
      `${stage}RUN --mount=type=cache,from=first,source=/link,target=/mnt ${read(`/mnt${folder}/secret`)}`,
    phase: "error",
    log: notOpened(/\/mnt\S+\/secret: No such file/),
  },
  {
    name: "a cache whose name is a path",
    dockerfile: (folder) =>
      `${base}RUN --mount=type=cache,id=${"../".repeat(12)}${folder.slice(1)},target=/mnt ${read("/mnt/secret")}`,
    phase: "error",
    log: notOpened(/\/mnt\/secret: No such file/),
  },
  {
    name: "a mount from above the context",
    dockerfile: (folder) =>
      `${base}RUN --mount=type=bind,source=${"../".repeat(12)}${folder.slice(1)},target=/mnt ${read("/mnt/secret")}`,
    phase: "error",
    log: /No such file|no such file|couldn't find/,
  },
  {
    name: "a file from above the context",
    dockerfile: (folder) => `${base}COPY ${"../".repeat(12)}${folder.slice(1)}/secret /secret\n`,
    phase: "error",
    log: /no such file/,
  },
  {
    name: "an image in a folder of the machine",
    dockerfile: (folder) => `${base}COPY --from=dir:${folder} secret /secret\n`,
    phase: "error",
    log: /is not an image reference/,
  },
  {
    name: "the first process",
    dockerfile: (folder) => `${base}RUN ${read(`/proc/1/root${folder}/secret`)}`,
    phase: "error",
    log: notOpened(/\/proc\/1\/root\S+: (?:Permission denied|No such file)/),
  },
  {
    name: "the keys of the machine's certificates",
    dockerfile: () =>
      `${stage}RUN --mount=type=bind,from=first,source=/link,target=/mnt ${run("for each in /mnt/etc/ssl/*; do echo is $each; done; echo all")}`,
    phase: "complete",
    log: /^(?:(?!is \/mnt\/)[^\n]*\n)*(?:is \/mnt\/etc\/ssl\/(?:certs|openssl\.cnf|\*)\n)+all$/m,
  },
  {
    name: "the folder of the build, where no credentials are while commands run",
    dockerfile: () =>
      `${stage}RUN --mount=type=bind,from=first,source=/link,target=/mnt ${run("for each in /mnt/build/*; do echo is $each; done; echo all")}`,
    phase: "complete",
    log: /^(?:(?!is \/mnt\/)[^\n]*\n)*(?:is \/mnt\/build\/(?:archive|run|storage|tmp)\n)+all$/m,
  },
  {
    name: "files and devices of the machine, to change them",
    dockerfile: () =>
      `${stage}${mounted(`chmod 666 /mnt/dev/full && echo opened; chmod 644 /mnt/etc/passwd && echo opened; ${writing("/mnt/etc/* /mnt/etc/*/* /mnt/usr/bin/sh /mnt/settings/*")}`)}`,
    phase: "complete",
    log: /^(?:(?!opened)[^\n]*\n)*all$/m,
  },
  {
    name: "the settings of the kernel, by a mount",
    dockerfile: () =>
      `${stage}${mounted(writing("/mnt/proc/sys/kernel/core_pattern /mnt/proc/sys/kernel/modprobe /mnt/proc/sys/vm/* /mnt/proc/sysrq-trigger /mnt/proc/irq/*/* /mnt/sys/kernel/* /mnt/sys/power/*"))}`,
    phase: "complete",
    log: /^(?:(?!opened)[^\n]*\n)*all$/m,
  },
  {
    name: "the results and the settings of the push, as links to files of the machine",
    dockerfile: (folder) =>
      `${stage}${mounted(
        [
          ...["digest", "push.json", "login.json", "push", ".docker"].map(
            (name) => `ln -s ${folder}/${name === "digest" ? "secret" : "written"} /mnt/build/${name}`,
          ),
          "mkdir -p /mnt/build/.config/containers /mnt/push",
          "echo no >/mnt/build/.config/containers/registries.conf",
          `ln -s ${folder}/secret /mnt/push/digest; echo all`,
        ].join("; "),
      )}`,
    phase: "complete",
    log: /^all$/m,
  },
  {
    name: "capabilities, which files may give as well",
    dockerfile: () => `${base}RUN ${read("/proc/self/status")}`,
    phase: "complete",
    log: /^CapBnd:\s+00000000[08]0000[0-9a-f]{3}$/m, // neither CAP_SYS_ADMIN nor any other from 12 to 30
  },
  {
    name: "a child that outlives its command, and heeds no signal",
    dockerfile: () =>
      `${base}RUN ${run("(trap '' TERM HUP INT; while :; do sleep 1; done) & trap '' TERM HUP INT; echo parent")}`,
    phase: "complete",
    log: /^parent$/m,
  },
  {
    name: "the first process, to end it",
    dockerfile: () => `${base}RUN ${run("kill -9 1; kill -9 -1; echo survived")}`,
    phase: "error",
    log: /signal: killed/,
  },
  {
    name: "names and output with control characters",
    dockerfile: () =>
      `${base}COPY . /all\nRUN ${run("for each in /all/odd*; do echo $each; done; echo '\\033]0;title\\007\\033[2J\\033[31m red'")}`,
    phase: "complete",
    log: /odd\\x1b\[2J\\x07[\s\S]*\\x1b\]0;title\\x07\\x1b\[2J red/,
  },
  {
    name: "the devices",
    dockerfile: () => `${base}RUN ${run("for each in /dev/*; do echo is $each; done; echo all")}`,
    phase: "complete",
    log: /^(?:(?!is \/dev\/)[^\n]*\n)*(?:is \/dev\/(?:fd|full|null|pts|random|shm|tty|urandom|zero)\n)+all$/m,
  },
  {
    name: "a frontend, which is a comment here",
    dockerfile: () => `# syntax=frontends.example/evil:1\n${base}RUN ${run("echo built")}`,
    phase: "complete",
    log: /^built$/m,
  },
  {
    name: "a here-document, which this buildah may not know",
    dockerfile: () => `${base}RUN <<EOF\nnonsense\nEOF\n`,
    phase: "error",
    log: /Unknown instruction: "NONSENSE"|nonsense: not found|exit status 127/,
  },
  {
    name: "arguments that look like options and instructions",
    dockerfile: () => `FROM scratch\nARG WORD\nARG OTHER=none\nCOPY root/ /\nRUN ${run('echo "is $WORD and $OTHER"')}`,
    build_args: { WORD: "x\nRUN exit 3", OTHER: "--volume=/:/mnt" },
    phase: "complete",
    log: /is x\nRUN exit 3 and --volume=\/:\/mnt/,
  },
  {
    name: "a base image of another namespace",
    dockerfile: () => "FROM REGISTRY/bob/private:latest\n",
    phase: "error",
    log: /unauthorized|denied|authentication required|401|403/i,
  },
  {
    name: "a mount of a secret that is not there",
    dockerfile: () => `${base}RUN --mount=type=secret,id=x,required=true ${run("echo run")}`,
    phase: "error",
    log: /secret required but no secret with id x found/,
  },
  {
    name: "a mount of an agent for keys",
    dockerfile: () => `${base}RUN --mount=type=ssh,required=true ${run("echo run")}`,
    phase: "error",
    log: /ssh/,
  },
  {
    name: "the environment, and that of each process",
    dockerfile: () =>
      `${base}RUN ${run("export; for each in /proc/[0-9]*/environ; do while read -r line; do echo $line; done < $each; done; echo all")}`,
    phase: "complete",
    log: /^all$/m,
  },
  {
    name: "the sockets of the machine",
    dockerfile: () => `${base}RUN ${run(`while read -r line; do echo "$line"; done < /proc/net/unix; echo all`)}`,
    phase: "complete",
    log: /^Num +RefCount[^\n]*\nall$/m,
  },
  {
    name: "the settings of the kernel",
    dockerfile: () =>
      `${base}RUN ${run("for each in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sysrq-trigger /sys/kernel/uevent_helper /sys/power/state; do (: >> $each) && echo opened $each; done; echo all")}`,
    phase: "complete",
    log: /^(?:(?!opened)[^\n]*\n)*all$/m,
  },
  {
    name: "devices in an added archive",
    dockerfile: () =>
      `${base}ADD devices.tar /\nRUN ${run("(: < /zero) && echo opened; (: < /disk) && echo opened; echo all")}`,
    phase: "complete",
    log: /^(?=[\s\S]*cannot open \/zero: Permission denied)(?=[\s\S]*cannot open \/disk: Permission denied)(?:(?!opened)[^\n]*\n)*all$/m,
  },
  {
    name: "a new device",
    dockerfile: () => `${base}RUN ["/bin/mknod", "/zero", "c", "1", "5"]\n`,
    phase: "error",
    // buildah may lose what a command that fails at once has printed
    log: /mknod: \/zero: Operation not permitted|"RUN \/bin\/mknod \/zero c 1 5": exit status 1/,
  },
  {
    name: "a mount of a folder",
    dockerfile: () => `${base}RUN ["/bin/mount", "--bind", "/bin", "/lib"]\n`,
    phase: "error",
    log: /permission denied|must be superuser|Operation not permitted/i,
  },
  {
    name: "another network",
    dockerfile: () =>
      `${base}RUN --network=host ${run("while read -r line; do echo $line; done < /proc/net/dev; echo all")}`,
    phase: "error",
    log: /network/,
  },
  {
    name: "another kind of security",
    dockerfile: () => `${base}RUN --security=insecure ${run("echo run")}`,
    phase: "error",
    log: /security/,
  },
  {
    name: "a user that is not there",
    dockerfile: () => `${base}USER nobody-here\nRUN ${run("echo run")}`,
    phase: "error",
    log: /nobody-here/,
  },
  {
    name: "output without an end",
    dockerfile: () => `${base}RUN ${run("while :; do echo 0123456789012345678901234567890123456789; done")}`,
    phase: "error",
    log: /buildah bud printed more than 64 MiB/,
  },
  {
    name: "a line without an end",
    dockerfile: () => `${base}RUN ["/bin/dd", "if=/dev/zero", "bs=1048576"]\n`,
    phase: "error",
    log: /buildah bud printed more than 64 MiB/,
  },
  {
    name: "a list of ignored files that costs much to match",
    dockerfile: () => `${base}COPY .dockerignore /ignored\n`,
    phase: "complete",
    log: /^complete$/m,
  },
  {
    name: "more than 1 MiB",
    dockerfile: () => `FROM scratch\n${"LABEL a=b\n".repeat(110_000)}`,
    phase: "error",
    log: /more than 1048576 bytes/,
  },
  {
    name: "no instruction",
    dockerfile: () => "\n#\n",
    phase: "error",
    log: /no stages to build/,
  },
];

/** An archive with the device of endless zeros, and the first disk of most machines. */
function devicesTar(): Uint8Array {
  const octal = (value: number) => `${value.toString(8).padStart(7, "0")}\0`;
  const device = (name: string, type: string, [major, minor]: readonly [number, number]) => {
    return { name, type, mode: 0o666, fields: { 329: octal(major), 337: octal(minor) } };
  };
  return buildTar(device("zero", "3", [1, 5]), device("disk", "4", [8, 0]));
}

const skip = noBuildah ?? noLongTests;

describe("runBuild by buildah", () => {
  it.skipIf(skip !== undefined)(
    `shows hostile Dockerfiles nothing of the machine, and says why they fail${skipNote(skip)}`,
    { timeout: 600_000 },
    async () => {
      if (engine === undefined) throw new Error("there is no engine");
      const folder = await mkdtemp(join(tmpdir(), "plimsoll-machine-"));
      await using resources = new AsyncDisposableStack();
      resources.defer(() => rm(folder, { recursive: true }));
      const secret = randomUUID();
      await writeFile(join(folder, "secret"), secret);
      const environment = {
        ...process.env,
        SECRET: secret,
        HTTPS_PROXY: `http://builds:${secret}@127.0.0.1:1`,
        NO_PROXY: "127.0.0.1",
      };
      const tree: Tree = {
        ...shellTree("root", [
          "/bin/sh",
          "/bin/sleep",
          "/bin/chmod",
          "/bin/ln",
          "/bin/mkdir",
          "/bin/dd",
          "/bin/mknod",
          "/bin/mount",
        ]),
        "devices.tar": devicesTar(),
        "odd\u001b[2J\u0007\n": "",
        ".dockerignore": `${"a*".repeat(200)}b\n`.repeat(100),
      };
      const archives: Record<string, Uint8Array> = {};
      await using registry = await openBuildWorld({ engine, archives, within: { environment } });
      const ofRows = rows.map(({ dockerfile }, index) => [
        `Dockerfile.${index}`,
        dockerfile(folder).replace("REGISTRY", registry.host),
      ]);
      archives[archive_url] = gzipSync(await packTree({ ...tree, ...Object.fromEntries(ofRows) }));

      for (const [index, { name, phase, log, build_args }] of rows.entries()) {
        const asked = {
          archive_url,
          dockerfile_path: `Dockerfile.${index}`,
          context: "/",
          build_args,
        };
        const { id } = await registry.request(asked);
        await registry.runOne();

        const status = await registry.status(id);
        const text = [...(await registry.log(id)).logs.map(({ message }) => message), status.error].join("\n");
        expect([name, status.phase, text]).toEqual([name, phase, expect.stringMatching(log)]);
        expect([name, text]).toEqual([name, expect.not.stringMatching(/[^\P{Cc}\t\n]/u)]);
        const shown = `${text}${JSON.stringify(status)}${JSON.stringify(await registry.digests())}`;
        expect([name, shown]).toEqual([name, expect.not.stringContaining(secret)]);
      }
      expect(await registry.remains()).toEqual([]);
      expect([await readdir(folder), await readFile(join(folder, "secret"), "utf8")]).toEqual([["secret"], secret]);
    },
  );
});
