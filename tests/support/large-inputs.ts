/** Large inputs, each of a size that is asked for and the same in every run: what the memory of the command is measured with. */
import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { type MatcherTables, matcherMigrations, updateFeeds } from "@plimsoll/matcher";
import { openStore } from "@plimsoll/store";
import { type BuiltLayer, buildImage, buildLayer, ociLayoutTree, type Tree } from "@plimsoll/testing";
import { pack } from "tar-stream";
import { buildBdb } from "../../packages/core/src/ecosystems/rpm/fixtures/build-bdb.ts";
import { numbers, packageHeader, text, texts } from "../../packages/core/src/ecosystems/rpm/fixtures/build-header.ts";
import { buildNdb } from "../../packages/core/src/ecosystems/rpm/fixtures/build-ndb.ts";
import { buildSqlite } from "../../packages/core/src/sqlite/fixtures/build-sqlite.ts";
import { formatAdvisory, formatEnd, formatHeader } from "../../packages/matcher/src/snapshot/format.ts";
import { debianRelease } from "./sample-image.ts";

/** How many packages, and how many bytes they take together. */
export interface DatabaseSize {
  readonly packages: number;
  readonly bytes: number;
}

/** A dpkg status file whose packages have long descriptions. `letter` fills them: one beyond Latin-1 makes it wide text. */
export function largeDpkgStatus({ packages, bytes }: DatabaseSize, letter = "x"): Uint8Array {
  const line = ` ${letter.repeat(70)}\n`;
  const lines = Math.max(1, Math.round((bytes / packages - 150) / Buffer.byteLength(line)));
  const description = line.repeat(lines);
  const stanzas = Array.from({ length: packages }, (_, index) =>
    Buffer.from(
      `Package: package-${index}\nStatus: install ok installed\nArchitecture: amd64\nSource: source-${index >> 2}\n` +
        `Version: 1.${index}-1\nDescription: a package\n${description}\n`,
    ),
  );
  return Buffer.concat(stanzas);
}

/** The forms of an rpm database. */
export type RpmForm = "sqlite" | "ndb" | "bdb";

/** An rpm database whose packages own many files. */
export function largeRpmDatabase({ packages, bytes }: DatabaseSize, form: RpmForm): Uint8Array {
  const files = Math.max(1, Math.round((bytes / packages - 300) / 44));
  const names = Array.from({ length: files }, (_, index) => `a-file-with-an-ordinary-name-${1e6 + index}.so`);
  const owned = [
    numbers(
      1116,
      names.map(() => 0),
    ),
    texts(1117, names),
    texts(1118, ["/usr/lib64/"]),
  ];
  const header = (number: number) =>
    packageHeader({
      name: `package-${number}`,
      more: [text(1022, "x86_64"), text(1044, `source-${number >> 2}-1.0-1.src.rpm`), ...owned],
    });
  const records = function* () {
    for (let number = 1; number <= packages; number++) yield { number, blob: header(number) };
  };
  if (form === "ndb") return buildNdb([...records()]);
  if (form === "bdb") return buildBdb([...records()], { pageSize: 4096 });
  return buildSqlite((database) => {
    database.exec("create table Packages (hnum integer primary key autoincrement, blob blob not null); begin");
    const insert = database.prepare("insert into Packages values (?, ?)");
    for (const { number, blob } of records()) insert.run(number, blob);
    database.exec("commit");
  }).bytes;
}

/** A layer of files of its own. */
export function largeLayer(files: Tree): Promise<BuiltLayer> {
  return buildLayer({ "etc/os-release": debianRelease, ...files });
}

/** Writes an OCI archive of layers. */
export async function writeImage(path: string, layers: readonly BuiltLayer[]): Promise<void> {
  const archive = pack();
  const writing = pipeline(archive, createWriteStream(path));
  for (const [name, content] of Object.entries(ociLayoutTree({ "app:1": buildImage({ layers }) }))) {
    archive.entry({ name, mtime: new Date(0) }, Buffer.from(content as Uint8Array | string));
  }
  archive.finalize();
  await writing;
}

/** An image in which each layer has installed something: all have a whole package database and many files. */
export async function manyLayers(layers: number, { packages, files }: { packages: number; files: number }) {
  const built: BuiltLayer[] = [];
  for (let layer = 0; layer < layers; layer++) {
    const tree: Record<string, string | Uint8Array> = {};
    for (let file = 0; file < files; file++)
      tree[`usr/share/layer-${layer}/folder-${file % 50}/file-${file}`] = `${file}`;
    tree["var/lib/dpkg/status"] = largeDpkgStatus({ packages: packages + layer, bytes: (packages + layer) * 300 });
    built.push(await largeLayer(tree));
  }
  return built;
}

/** Fills a new database with ranges of ten releases of Debian, as a feed brings them. */
export async function writeRanges(path: string, ranges: number): Promise<void> {
  await using store = await openStore<MatcherTables>(path, { migrations: [matcherMigrations] });
  const [result] = await updateFeeds(
    {
      updaters: [
        {
          name: "debian",
          location: "memory:",
          update: async () => ({ kind: "snapshot", fingerprint: "1", items: advisories(ranges) }),
        },
      ],
      enrichers: [],
    },
    {
      store,

      feeds: () => ({ open: () => Promise.reject(new Error("no feeds here")), [Symbol.asyncDispose]: async () => {} }),
      clock: { now: () => 0 },
    },
  );
  if (result?.kind !== "updated") throw new Error(`cannot fill the database: ${JSON.stringify(result)}`);
}

/** Writes the snapshot file that an export of {@link writeRanges} is. */
export async function writeSnapshot(path: string, ranges: number): Promise<void> {
  const hash = createHash("sha256");
  const passed = (line: string) => {
    hash.update(`${line}\n`);
    return `${line}\n`;
  };
  async function* lines() {
    const known = { updater: "debian", kind: "vulnerability", fingerprint: "1", date: 0, checkedAt: 0 } as const;
    yield passed(formatHeader([{ ...known, ref: "3df2fa6b-7970-4fde-b806-9e02373e1960", items: ranges }]));
    for await (const { item } of advisories(ranges)) yield passed(formatAdvisory(item));
    yield `${formatEnd({ items: ranges, digest: `sha256:${hash.digest("hex")}` })}\n`;
  }
  await pipeline(Readable.from(lines()), createGzip({ level: 1 }), createWriteStream(path));
}

async function* advisories(ranges: number) {
  for (let index = 0; index < ranges; index++) {
    const cve = `CVE-${2005 + (index % 20)}-${1000 + Math.floor(index / 20)}`;
    const packageName = `package-${(index * 7919) % 30_011}`;
    const release = 5 + (index % 10);
    yield {
      kind: "item",
      item: {
        id: `debian/${cve}/${packageName}/${release}`,
        name: cve,
        ecosystem: `debian:${release}`,
        packageName,
        ranges: [index % 5 === 0 ? {} : { fixed: `${index % 10}.${index % 37}-${1 + (index % 9)}` }],
        aliases: [],
        packageKind: "SOURCE",
        status: "affected",
        versions: [],
        updater: "debian",
        description: `What is wrong is described under ${cve}.`,
        links: [`https://security-tracker.debian.org/tracker/${cve}`],
        normalizedSeverity: "Unknown",
      },
    } as const;
  }
}
