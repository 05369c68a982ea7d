import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { ScanError } from "../../errors.ts";
import type { RpmPackage } from "./package.ts";
import { parseRpmDatabase } from "./parser.ts";

const corpus = findCorpus() ?? "";
const databases = join(corpus, "data/packagedbs/rpm");
const bad = join(corpus, "data/bad");

describe.skipIf(corpus === "")("parseRpmDatabase on real databases", () => {
  it.each(itemsWith("packages"))("lists %s as rpm does", (item) => {
    const { packages, problems } = parse(item);

    expect(byName(packages.map(asRpmPrints))).toEqual(installed(item));
    expect(problems).toEqual([]);
  });

  it.each(itemsWith("count_with_wal"))("reads the write-ahead log of %s", (item) => {
    const { count_with_wal, count_without_wal, erased_in_wal } = expected(item);
    const names = parse(item).packages.map(({ name }) => name);

    expect(names).toHaveLength(count_with_wal ?? 0);
    expect(names.filter((name) => erased_in_wal?.includes(name))).toEqual([]);
    expect(parseRpmDatabase(mainFile(item)).packages).toHaveLength(count_without_wal ?? 0);
  });

  it("finds an error in a database without packages", () => {
    expect(() => parse("empty-sqlite")).toThrow(
      new ScanError("malformed_package_db", "expected a table Packages, found not_packages"),
    );
  });

  it("lists the same files in Berkeley DB and SQLite", () => {
    const filesOf = (item: string) => parse(item).packages.map((rpm) => [rpm.name, ...rpm.files()]);

    expect(filesOf("cbl-mariner-2.0-bdb-le")).toEqual(filesOf("cbl-mariner-2.0-sqlite"));
  });
});

describe.skipIf(corpus === "")("parseRpmDatabase on damaged databases", () => {
  it.each(damagedFiles())("ends with an error or fewer packages for %s", (file) => {
    const bytes = readFileSync(join(bad, file));
    let names: readonly string[] = [];
    try {
      names = parseRpmDatabase(bytes).packages.map(({ name }) => name);
    } catch (error) {
      expect(error).toBeInstanceOf(ScanError);
    }

    expect(names.length).toBeLessThanOrEqual(3);
  });
});

interface Expected {
  readonly packages?: readonly { readonly name: string }[];
  readonly count_with_wal?: number;
  readonly count_without_wal?: number;
  readonly erased_in_wal?: readonly string[];
}

function itemsWith(member: keyof Expected): readonly string[] {
  return corpus === "" ? [""] : readdirSync(databases).filter((item) => expected(item)[member] !== undefined);
}

function expected(item: string): Expected {
  return JSON.parse(readFileSync(join(databases, item, "expected.json"), "utf8"));
}

/** The packages that rpm lists, without signing keys. Record numbers are unknown for NDB, which that rpm could not read. */
function installed(item: string) {
  const packages = expected(item).packages?.filter(({ name }) => name !== "gpg-pubkey") ?? [];
  return byName(packages.map((rpm) => ({ hnum: expect.any(Number), ...rpm })));
}

function byName<T extends { readonly name: string }>(packages: readonly T[]): readonly T[] {
  return packages.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function parse(item: string) {
  const wal = join(databases, item, "rpmdb.sqlite-wal");
  return parseRpmDatabase(mainFile(item), existsSync(wal) ? { wal: readFileSync(wal) } : {});
}

function mainFile(item: string): Uint8Array {
  const names = ["Packages", "Packages.db", "rpmdb.sqlite"].filter((name) => existsSync(join(databases, item, name)));
  return readFileSync(join(databases, item, names.join()));
}

function damagedFiles(): readonly string[] {
  if (corpus === "") return [""];
  return ["generated", "peers"].flatMap((folder) => {
    const list: { file: string }[] = JSON.parse(readFileSync(join(bad, folder, "LIST.json"), "utf8"));
    return list.map(({ file }) => `${folder}/${file}`).filter((file) => file.split("/").includes("rpm"));
  });
}

function asRpmPrints(rpm: RpmPackage) {
  return {
    name: rpm.name,
    epoch: rpm.epoch ?? null,
    version: rpm.version,
    release: rpm.release,
    evr: rpm.evr,
    arch: rpm.arch ?? null,
    sourcerpm: rpm.sourcerpm ?? null,
    modularitylabel: rpm.modularityLabel ?? null,
    vendor: rpm.vendor ?? null,
    license: rpm.license ?? null,
    hnum: rpm.recordNumber,
    sigmd5: rpm.sigmd5 ?? null,
  };
}
