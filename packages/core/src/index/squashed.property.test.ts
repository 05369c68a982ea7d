import type { OddMember } from "@plimsoll/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  engineWith,
  fileOf,
  indexLayers,
  listPackages,
  listProblems,
} from "../ecosystems/language/fixtures/index-layers.ts";
import { numbers, packageHeader, texts } from "../ecosystems/rpm/fixtures/build-header.ts";
import { buildSqlite } from "../sqlite/fixtures/build-sqlite.ts";

/** One change of a layer to a path of the image. */
interface Change {
  readonly path: string;
  readonly to: "deleted" | "folder" | "opaque" | NewFile;
}
/** The new file of a path, a symbolic link if it has a target. */
interface NewFile {
  readonly content: string | Uint8Array;
  readonly target?: string;
  /** Set if it comes as a hard link to another file of the layer. */
  readonly isHardLink?: true;
}
type Layer = readonly Change[];

/** A change with the number of its content among those of the path. */
interface DrawnChange extends Pick<Change, "path"> {
  readonly to: Extract<Change["to"], string> | number;
}

const six = "usr/lib/python3/dist-packages/six-1.16.0.dist-info/METADATA";
const metadata = "Name: six\nVersion: 1.16.0\n";
const release = { path: "etc/os-release", to: { content: "ID=rhel\nVERSION_ID=9.4\n" } } as const;

const rpmBlob = (name: string, files: readonly string[] = []) =>
  packageHeader({
    name,
    more:
      files.length === 0
        ? []
        : [
            texts(1118, ["/"]),
            numbers(
              1116,
              files.map(() => 0),
            ),
            texts(1117, [...files]),
          ],
  });

/** A database of rpm whose write-ahead log has one more package. */
const rpm = buildSqlite((database) => {
  const insert = (number: number, blob: Uint8Array) =>
    database.prepare("INSERT INTO Packages VALUES (?, ?)").run(number, blob);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)");
  insert(1, rpmBlob("zlib"));
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  insert(2, rpmBlob("python3-six", [six]));
});

const historyTables = (repository: string) => `
  create table repo (id integer primary key, repoid text);
  create table rpm (item_id integer, name text, epoch integer, version text, release text, arch text);
  create table trans_item (id integer primary key, trans_id integer, item_id integer, repo_id integer, action integer, reason integer, state integer);
  insert into repo values (1, '${repository}');
  insert into rpm values (1, 'zlib', 0, '1.0', '1', '');
  insert into trans_item values (1, 1, 1, 1, 1, 1, 1);`;

const historyOf = (repository: string) => buildSqlite((database) => database.exec(historyTables(repository))).bytes;

/** A history of which all but its first page is in its write-ahead log. */
const logged = buildSqlite((database) => database.exec(`pragma journal_mode = wal; ${historyTables("crb")}`));

/** A database of rpm of which all but its first page is in its write-ahead log. */
const whollyLogged = buildSqlite((database) => {
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE Packages (hnum INTEGER PRIMARY KEY, blob BLOB NOT NULL)");
  database.prepare("INSERT INTO Packages VALUES (?, ?)").run(1, rpmBlob("zlib"));
});

const stanza = (name: string) =>
  `Package: ${name}\nStatus: install ok installed\nVersion: 1-1\nArchitecture: all\nMaintainer: D <d@debian.org>\n\n`;
const digests = `${"0".repeat(32)}  ${six}\n`;
const apk = (...names: readonly string[]) =>
  names.map((name) => `P:${name}\nV:1-r0\nA:noarch\nF:${six.slice(0, -9)}\nR:METADATA\n\n`).join("");

const npm = (name: string) => JSON.stringify({ name, version: "1.0.0" });

/** The files that belong together, with their contents. `->` is a symbolic link. */
const companions: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
  [six]: [metadata],
  [six.replace("METADATA", "RECORD")]: [""],
  "var/lib/rpm/rpmdb.sqlite": [rpm.bytes, buildSqlite((database) => database.exec("create table Packages (a)")).bytes],
  "var/lib/rpm/rpmdb.sqlite-wal": [rpm.wal, ""],
  "var/lib/dnf/history.sqlite": [historyOf("appstream"), historyOf("baseos"), logged.bytes],
  "var/lib/dnf/history.sqlite-wal": ["", logged.wal],
  "usr/lib/sysimage/libdnf5/transaction_history.sqlite": [historyOf("fedora")],
  "var/lib/dpkg/status": [
    stanza("python3-six"),
    stanza("bash"),
    stanza("python3-six").replace("install ok installed", "deinstall ok config-files"),
  ],
  "var/lib/dpkg/info/python3-six.list": [`/.\n/usr\n/${six}\n`, "/.\n/usr\n"],
  "var/lib/dpkg/info/python3-six.md5sums": [digests, ""],
  "var/lib/dpkg/status.d/python3-six": [stanza("python3-six")],
  "var/lib/dpkg/status.d/python3-six.md5sums": [digests],
  "lib/apk/db/installed": [apk("py3-six"), apk("musl").replace("R:METADATA\n", "")],
  "app/package.json": [npm("app")],
  "app/packages/a/package.json": [npm("a"), npm("b")],
  "app/node_modules/a": ["->../packages/a", "->b", "->/etc"],
  "app/node_modules/b": ["->./a", "->../packages/a"],
  "app/node_modules/c": ["->/opt/members/a"],
  "app/node_modules/d/package.json": ["->../../packages/a/package.json"],
  "opt/members": ["->../app/packages", "->/etc"],
};
const paths = Object.keys(companions);

function newFile(content: string | Uint8Array): NewFile {
  const isLink = typeof content === "string" && content.startsWith("->");
  return isLink ? { content: "", target: content.slice(2) } : { content };
}

function foldersOf(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join("/"));
}

const isIn = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`);

/** The members of a layer's archive. */
function membersOf(layer: Layer): OddMember[] {
  return layer.flatMap(({ path, to }): OddMember | OddMember[] => {
    const slash = path.lastIndexOf("/") + 1;
    if (to === "deleted") return fileOf(`${path.slice(0, slash)}.wh.${path.slice(slash)}`, "");
    if (to === "opaque") return fileOf(`${path}/.wh..wh..opq`, "");
    if (to === "folder") return { name: `${path}/`, type: "5", mode: 0o755 };
    return to.isHardLink === true ? hardLinked(path, to) : memberOf(path, to);
  });
}

/** A file at another path, and a hard link to it. */
function hardLinked(path: string, { content }: NewFile): OddMember[] {
  const stored = storedAt(path);
  return [fileOf(stored, content), { name: path, type: "1", linkName: stored }];
}

function storedAt(path: string): string {
  return `opt/stored/${path.replaceAll("/", "_")}.x`;
}

function memberOf(path: string, { content, target }: NewFile): OddMember {
  return target === undefined ? fileOf(path, content) : { name: path, type: "2", linkName: target };
}

/** The files of the image after all layers, as one layer. */
function squash(layers: readonly Layer[]): OddMember[] {
  const files = new Map<string, NewFile>();
  for (const layer of layers) {
    for (const { path, to } of layer) {
      if (to === "folder") files.delete(path);
      else if (typeof to === "string") {
        const hides = to === "opaque" ? (each: string) => each.startsWith(`${path}/`) : isIn(path);
        for (const each of [...files.keys()].filter(hides)) files.delete(each);
      }
    }
    for (const { path, to } of layer) if (typeof to === "object") files.set(path, to);
  }
  return [...files].map(([path, file]) => memberOf(path, file));
}

const engine = engineWith();

async function seen(...layers: readonly OddMember[][]) {
  const report = await indexLayers(layers, engine);
  return {
    packages: listPackages(report),
    problems: listProblems(report).toSorted(),
    coverage: report.coverage.unassessed,
  };
}

/** Layers and the same files in one layer. */
async function expectEqual(layers: readonly Layer[]): Promise<void> {
  const layered = await seen(...layers.map(membersOf));

  const evidenceOf = ({ coverage }: Awaited<ReturnType<typeof seen>>) =>
    coverage.map(({ kind, count }) => [kind, count]);
  const squashed = await seen(squash(layers));
  expect({ ...layered, coverage: evidenceOf(layered) }).toEqual({ ...squashed, coverage: evidenceOf(squashed) });
}

const whole: Layer = [
  release,
  ...Object.entries(companions).map(([path, [content = ""]]) => ({ path, to: newFile(content) })),
];

describe("files that belong together", () => {
  const table = paths.flatMap((path): [string, Layer[]][] => {
    const [content = "", other = content] = companions[path] ?? [];
    const without = whole.filter((each) => each.path !== path);
    const [folder = ""] = foldersOf(path).slice(-1);
    return [
      [`${path} in the same layer`, [whole]],
      [`${path} added above`, [without, [{ path, to: newFile(content) }]]],
      [`${path} added below`, [[release, { path, to: newFile(content) }], without]],
      [`${path} written again above`, [whole, [{ path, to: newFile(content) }]]],
      ...(newFile(content).target === undefined
        ? ([
            [`${path} added above as a hard link`, [without, [{ path, to: { content, isHardLink: true } }]]],
            [
              `${path} replaced above by a hard link, whose other name is deleted`,
              [whole, [{ path, to: { content: other, isHardLink: true } }], [{ path: storedAt(path), to: "deleted" }]],
            ],
            [
              `${path} as a hard link below, whose other name is deleted`,
              [
                [release, { path, to: { content, isHardLink: true } }],
                without,
                [{ path: storedAt(path), to: "deleted" }],
              ],
            ],
          ] satisfies [string, Layer[]][])
        : []),
      [`${path} replaced above`, [whole, [{ path, to: newFile(other) }]]],
      [`${path} deleted above`, [whole, [{ path, to: "deleted" }]]],
      [`${path} hidden by an opaque folder`, [whole, [{ path: folder, to: "opaque" }]]],
      [`${path} hidden by a deleted folder`, [whole, [{ path: folder, to: "deleted" }]]],
      [`${path} replaced by a folder`, [whole, [{ path, to: "folder" }]]],
      [`${path} deleted and added again`, [whole, [{ path, to: "deleted" }], [{ path, to: newFile(content) }]]],
    ];
  });

  it.each<[string, string, string | Uint8Array, string | Uint8Array]>([
    ["the history", "var/lib/dnf/history.sqlite", logged.bytes, logged.wal],
    ["the database", "var/lib/rpm/rpmdb.sqlite", whollyLogged.bytes, whollyLogged.wal],
  ])("%s has its tables in a log that is deleted above: the same as in one layer", async (_, path, content, wal) => {
    const layer = [release, { path, to: { content } }, { path: `${path}-wal`, to: { content: wal } }];

    await expectEqual([layer, [{ path: `${path}-wal`, to: "deleted" }]]);
  });

  it.each(table)("%s: the same as in one layer", async (_, layers) => {
    await expectEqual(layers);
  });

  it("give the same report in random layers as in one", async () => {
    const file = fc.constantFrom(...paths).chain((path) =>
      fc.record({
        path: fc.constant(path),
        to: fc.nat({ max: (companions[path] ?? []).length - 1 }), // a number, so that a failure prints no databases
      }),
    );
    const removal = fc.record({
      path: fc.constantFrom(...paths),
      to: fc.constantFrom("deleted" as const, "folder" as const),
    });
    const hidden = fc.record({
      path: fc.constantFrom(...new Set(paths.flatMap(foldersOf))),
      to: fc.constantFrom("deleted" as const, "opaque" as const),
    });
    const change = fc.oneof({ weight: 4, arbitrary: file }, removal, hidden);
    const layer = fc.uniqueArray(change, { maxLength: 6, selector: ({ path }) => path }).filter(isPlain);

    await fc.assert(
      fc.asyncProperty(fc.array(layer, { minLength: 1, maxLength: 4 }), async (layers) => {
        await expectEqual([[release], ...layers.map((changes) => changes.map(withContent))]);
      }),
      { numRuns: 150 },
    );
  });

  const [database, log] = ["var/lib/rpm/rpmdb.sqlite", "var/lib/rpm/rpmdb.sqlite-wal"];
  const at = (path: string, content: string | Uint8Array): Change => ({ path, to: { content } });
  const [zlib, both] = [["zlib"], ["python3-six", "zlib"]];

  it.each<[string, Layer[], string[]]>([
    ["a log above its database", [[at(database, rpm.bytes)], [at(log, rpm.wal)]], both],
    ["a log below its database", [[at(log, rpm.wal)], [at(database, rpm.bytes)]], both],
    ["a log that is written again", [[at(database, rpm.bytes), at(log, rpm.wal)], [at(log, rpm.wal)]], both],
    [
      "a database that is written again",
      [[at(database, rpm.bytes), at(log, rpm.wal)], [at(database, rpm.bytes)]],
      both,
    ],
    [
      "a log above its database, as a hard link",
      [[at(database, rpm.bytes)], [{ path: log, to: { content: rpm.wal, isHardLink: true } }]],
      both,
    ],
    [
      "a database above its log, as a hard link",
      [[at(log, rpm.wal)], [{ path: database, to: { content: rpm.bytes, isHardLink: true } }]],
      both,
    ],
    ["a log that is emptied", [[at(database, rpm.bytes)], [at(log, rpm.wal)], [at(log, "")]], zlib],
    ["a log that is deleted", [[at(database, rpm.bytes)], [at(log, rpm.wal)], [{ path: log, to: "deleted" }]], zlib],
    [
      "a log that is deleted and added again",
      [[at(database, rpm.bytes), at(log, rpm.wal)], [{ path: log, to: "deleted" }], [at(log, rpm.wal)]],
      both,
    ],
  ])("are read together from two layers: %s", async (_, layers, expected) => {
    const report = await indexLayers(layers.map(membersOf), engine);

    expect(listProblems(report)).toEqual([]);
    expect(report.coverage.status).toBe("complete");
    expect(report.coverage.databases.map(({ path, packages }) => [path, packages])).toEqual([
      [database, expected.length],
    ]);
    expect(
      Object.values(report.packages)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(expected);
  });

  it("say which file was not read where layers can be read only once", async () => {
    const layers = [[at(database, rpm.bytes)], [at(log, rpm.wal)]].map(membersOf);

    const report = await indexLayers(layers, engine, { isStream: true });

    const { digest } = report.coverage.layers[0] ?? {};
    expect(listProblems(report)).toEqual([
      `unread_log ${log}: expected to read this write-ahead log with its database, which is in layer ${digest}, found layers that can be read only once: scan the image from a file or a registry`,
    ]);
    expect(report.coverage.status).toBe("partial");
  });

  it("say so where a log has no database", async () => {
    const layers = [[at(database, rpm.bytes)], [at(log, rpm.wal)], [{ path: database, to: "deleted" } as const]];

    const { problems } = await seen(...layers.map(membersOf));

    expect(problems).toEqual([
      `malformed_package_db ${log}: expected ${database}, the database of this write-ahead log, found the log only`,
    ]);
  });
});

/** A change with the content that it has the number of. */
function withContent({ path, to }: DrawnChange): Change {
  return { path, to: typeof to === "number" ? newFile(companions[path]?.[to] ?? "") : to };
}

/** Whether a layer is one that a builder writes: it does not delete what it adds, and has nothing below a file. */
function isPlain(layer: readonly DrawnChange[]): boolean {
  return layer.every(({ path, to }) => {
    if (typeof to === "number") return true;
    const others = layer.filter((each) => each.path !== path).map((each) => each.path);
    return to === "opaque" || !others.some(isIn(path));
  });
}
