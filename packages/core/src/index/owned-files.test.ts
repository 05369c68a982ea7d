import type { OddMember } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { allEcosystems } from "../ecosystems/all.ts";
import { fileOf, indexLayers, listPackages, listProblems } from "../ecosystems/language/fixtures/index-layers.ts";
import { buildBdb } from "../ecosystems/rpm/fixtures/build-bdb.ts";
import { numbers, packageHeader, text, texts } from "../ecosystems/rpm/fixtures/build-header.ts";
import { sampleAdvisory } from "../match/fixtures/samples.ts";
import { indexRecords } from "../match/index-records.ts";
import { matchRecords } from "../match/match-records.ts";
import type { Advisory } from "../model/advisory.ts";
import type { IndexReport } from "../model/index-report.ts";

const metadata = "Name: urllib3\nVersion: 1.26.12\n";
const egg = "usr/lib/python3/dist-packages/urllib3-1.26.12.egg-info/PKG-INFO";
const release = (id: string, version: string) => fileOf("etc/os-release", `ID=${id}\nVERSION_ID="${version}"\n`);

const stanza = (name: string, version: string, more = "") =>
  `Package: ${name}\nStatus: install ok installed\nVersion: ${version}\nArchitecture: all\nMaintainer: ${more || "D <d@debian.org>"}\n\n`;
const dpkgStatus = (maintainer = "") =>
  fileOf("var/lib/dpkg/status", stanza("python3-urllib3", "1.26.12-1", maintainer));
const dpkgList = (path: string) => fileOf("var/lib/dpkg/info/python3-urllib3.list", `/.\n/usr\n/${path}\n`);

const digests = `${"0".repeat(32)}  ${egg}\n`;

const apkDb = (path: string) => {
  const slash = path.lastIndexOf("/");
  return fileOf(
    "lib/apk/db/installed",
    `P:py3-urllib3\nV:1.26.12-r0\nA:noarch\nF:${path.slice(0, slash)}\nR:${path.slice(slash + 1)}\n\n`,
  );
};

function rpmDb(path: string, more: { readonly vendor?: string; readonly index?: number } = {}): OddMember {
  const slash = path.lastIndexOf("/");
  const { vendor = "Red Hat, Inc.", index = 0 } = more;
  const lists = [
    text(1011, vendor),
    texts(1118, [`/${path.slice(0, slash)}/`]),
    texts(1117, [path.slice(slash + 1)]),
    numbers(1116, [index]),
  ];
  const blob = packageHeader({ name: "python3-urllib3", more: lists });
  return fileOf("var/lib/rpm/Packages", buildBdb([{ number: 1, blob }]));
}

/** The line of the language's package. */
async function pythonLine(...layers: readonly (readonly OddMember[])[]): Promise<string | undefined> {
  return listPackages(await indexLayers(layers)).find((line) => line.includes("pypi"));
}

const owned = (owner: string, path = egg) => `urllib3 1.26.12 (pypi ${owner}) ${path}`;
const own = (path = egg) => `urllib3 1.26.12 (pypi) ${path}`;

describe("files that a package of the distribution owns", () => {
  it.each<[string, OddMember[], string]>([
    ["dpkg lists", [dpkgStatus(), dpkgList(egg)], owned("python3-urllib3")],
    [
      "opkg lists",
      [
        release("openwrt", "23.05"),
        fileOf("usr/lib/opkg/status", stanza("python3-urllib3", "1.26.12-1")),
        fileOf("usr/lib/opkg/info/python3-urllib3.list", `/${egg}\n`),
      ],
      owned("python3-urllib3"),
    ],
    [
      "Distroless lists by digests",
      [
        fileOf("var/lib/dpkg/status.d/urllib3", stanza("urllib3", "1.26.12-1")),
        fileOf("var/lib/dpkg/status.d/urllib3.md5sums", digests),
      ],
      owned("urllib3"),
    ],
    [
      "dpkg lists by digests alone",
      [
        fileOf("var/lib/dpkg/status.d/urllib3", stanza("urllib3", "1.26.12-1")),
        fileOf("var/lib/dpkg/info/urllib3.md5sums", digests),
      ],
      owned("urllib3"),
    ],
    ["apk lists", [release("alpine", "3.20.1"), apkDb(egg)], owned("py3-urllib3")],
    ["rpm lists", [release("rhel", "9.4"), rpmDb(egg)], owned("python3-urllib3")],
    ["apk lists, in an image of Debian", [apkDb(egg)], own()],
    ["rpm lists, in an image of Debian", [rpmDb(egg)], own()],
    ["dpkg lists without the package", [fileOf("var/lib/dpkg/status", stanza("bash", "5")), dpkgList(egg)], own()],
    [
      "dpkg lists, and has removed but for its configuration",
      [
        fileOf(
          "var/lib/dpkg/status",
          stanza("python3-urllib3", "1").replace("install ok installed", "deinstall ok config-files"),
        ),
        dpkgList(egg),
      ],
      own(),
    ],
    [
      "dpkg lists, and only the database of another root has",
      [fileOf("srv/root/var/lib/dpkg/status", stanza("python3-urllib3", "1")), dpkgList(egg)],
      own(),
    ],
    [
      "dpkg lists, and only the database of another root has, whose release is known",
      [
        fileOf("srv/root/etc/os-release", "ID=debian\nVERSION_ID=12\n"),
        fileOf("srv/root/var/lib/dpkg/status", stanza("python3-urllib3", "1")),
        dpkgList(egg),
      ],
      own(),
    ],
    [
      "dpkg lists in another root, for a file of the image's own",
      [
        dpkgStatus(),
        fileOf("srv/root/etc/os-release", "ID=debian\nVERSION_ID=12\n"),
        fileOf("srv/root/var/lib/dpkg/status", stanza("python3-urllib3", "1")),
        fileOf("srv/root/var/lib/dpkg/info/python3-urllib3.list", `/${egg}\n`),
      ],
      own(),
    ],
    ["dpkg lists without a database", [dpkgList(egg)], own()],
    [
      "Distroless lists by digests without the package",
      [fileOf("var/lib/dpkg/status.d/urllib3.md5sums", digests)],
      own(),
    ],
    ["dpkg does not list", [dpkgStatus(), dpkgList("usr/lib/python3/other")], own()],
    ["a third party's package of dpkg lists", [dpkgStatus("N <n@nginx.com>"), dpkgList(egg)], own()],
    ["a third party's package of rpm lists", [rpmDb(egg, { vendor: "NodeSource" })], own()],
    ["a damaged rpm lists", [rpmDb(egg, { index: 7 })], own()],
    ["nothing lists", [], own()],
  ])("which %s", async (_, members, expected) => {
    const isReleased = members.some(({ name }) => name === "etc/os-release");
    const releases = isReleased ? [] : [release("debian", "12")];

    expect(await pythonLine([...releases, ...members, fileOf(egg, metadata)])).toBe(expected);
  });

  it.each([
    ["with its release", "ID=debian\nVERSION_ID=12\n", true],
    ["without its release", "", false],
  ])("are those of a system in a folder, %s", async (_, osRelease, isOwned) => {
    const path = `srv/root/${egg}`;
    const members = [
      release("alpine", "3.20.3"),
      fileOf("srv/root/etc/os-release", osRelease),
      fileOf("srv/root/var/lib/dpkg/status", stanza("python3-urllib3", "1")),
      fileOf("srv/root/var/lib/dpkg/info/python3-urllib3.list", `/${egg}\n`),
      fileOf(path, metadata),
    ];

    expect(await pythonLine(members)).toBe(isOwned ? owned("python3-urllib3", path) : own(path));
  });

  it.each(["opt/acme", "srv", "usr/local/lib/python3.11/dist-packages", "usr/lib/python3.11/site-packages"])(
    "are not those in %s, where packages of Debian have none",
    async (folder) => {
      const path = `${folder}/urllib3-1.26.12.egg-info/PKG-INFO`;
      const members = [release("debian", "12"), dpkgStatus(), dpkgList(path), fileOf(path, metadata)];

      expect(await pythonLine(members)).toBe(own(path));
    },
  );

  it.each([
    ["/usr/lib in the image", "lib/python3/dist-packages/urllib3-1.26.12.egg-info/PKG-INFO", egg],
    ["/lib in the image", egg, "lib/python3/dist-packages/urllib3-1.26.12.egg-info/PKG-INFO"],
  ])("are found where the list says another folder than %s", async (_, listed, path) => {
    const members = [release("debian", "12"), dpkgStatus(), dpkgList(listed), fileOf(path, metadata)];

    expect(await pythonLine(members)).toBe(owned("python3-urllib3", path));
  });

  describe("are of the package until a layer replaces them by another package", () => {
    const db = [dpkgStatus(), dpkgList(egg)];
    const base = [release("debian", "12"), ...db, fileOf(egg, metadata)];
    const other = [fileOf("etc/other", "")];
    const upgraded = [fileOf(egg, "Name: urllib3\nVersion: 2.0\n")];
    const upgradedName = `urllib3 2.0 (pypi) ${egg}`;
    const upgradedOwned = `urllib3 2.0 (pypi python3-urllib3) ${egg}`;

    it.each<[string, OddMember[][], string]>([
      ["unchanged", [base, other], owned("python3-urllib3")],
      ["written again with the same package", [base, [fileOf(egg, metadata)]], owned("python3-urllib3")],
      ["upgraded without the package manager", [base, upgraded], upgradedName],
      ["upgraded so and written again", [base, upgraded, upgraded], upgradedName],
      ["upgraded so, and the lists written again", [base, upgraded, db], upgradedName],
      ["upgraded with the package manager", [base, [...upgraded, ...db]], upgradedOwned],
      ["upgraded with it and written again", [base, [...upgraded, ...db], upgraded], upgradedOwned],
    ])("%s", async (_, layers, expected) => {
      expect(await pythonLine(...layers)).toBe(expected);
    });
  });

  it("are not of a package that a layer above removes", async () => {
    const removed = fileOf("var/lib/dpkg/status", stanza("bash", "5"));
    const base = [release("debian", "12"), dpkgStatus(), dpkgList(egg), fileOf(egg, metadata)];

    expect(await pythonLine(base, [removed])).toBe(own());
    expect(await pythonLine(base, [removed], [dpkgStatus()])).toBe(owned("python3-urllib3"));
  });

  it("belong to no distribution where none is named", async () => {
    expect(await pythonLine([dpkgStatus(), dpkgList(egg), fileOf(egg, metadata)])).toBe(own());
  });

  it("make no second problem of a damaged database", async () => {
    const report = await indexLayers([[release("debian", "12"), rpmDb(egg, { index: 7 }), fileOf(egg, metadata)]]);

    expect(listProblems(report)).toEqual([]);
  });
});

const cve = { name: "CVE-2023-43804", aliases: ["GHSA-v845-jxx5-vc9f"] };
const language = sampleAdvisory("PyPI", "urllib3", { ...cve, name: "GHSA-v845-jxx5-vc9f", aliases: [cve.name] });

function findings(report: IndexReport, ...advisories: readonly Advisory[]) {
  const matchers = allEcosystems.flatMap((each) => each.matchers);
  const result = matchRecords(matchers, { records: indexRecords(report), advisories }, { trace: true });
  return {
    affected: result.affected.map(({ advisory, record }) => `${advisory.name} ${record.package.name}`),
    settled: result.notAffected
      .filter(({ verdict }) => verdict.reason === "distribution-package")
      .map(({ advisory, steps }) => `${advisory.name}: ${steps.at(-1)?.detail}`),
    count: result.notAffectedCount,
  };
}

describe("a language's package of the distribution", () => {
  const debian = [release("debian", "12"), dpkgStatus(), dpkgList(egg), fileOf(egg, metadata)];
  const alpine = [release("alpine", "3.20.1"), apkDb(egg), fileOf(egg, metadata)];

  it("is left to the distribution where that lists what is not fixed", async () => {
    const report = await indexLayers([debian]);

    expect(findings(report, language)).toEqual({
      affected: [],
      settled: [
        expect.stringContaining("the package python3-urllib3 of the distribution, which advisories of debian:12"),
      ],
      count: 1,
    });
  });

  it.each([
    ["an address of their own", "Acme Inc <dev@acme.example>"],
    ["no maintainer", "\nHomepage: https://acme.example"],
  ])("is not left to the distribution where others may have made its owner: %s", async (_, maintainer) => {
    const members = [release("debian", "12"), dpkgStatus(maintainer), dpkgList(egg), fileOf(egg, metadata)];
    const fix = sampleAdvisory("debian:12", "python3-urllib3", { ...cve, ranges: [{ fixed: "1.26.12-1" }] });
    const report = await indexLayers([members]);

    expect(findings(report, language).affected).toEqual(["GHSA-v845-jxx5-vc9f urllib3"]);
    expect(findings(report, language, fix).affected).toEqual([]);
  });

  it.each<[string, Partial<Advisory>, string[], number]>([
    ["what it has fixed", { ranges: [{ fixed: "1.26.12-r0" }] }, [], 2],
    ["what it says is not affected", { status: "not-affected" }, [], 2],
    [
      "nothing where it speaks of other versions",
      { ranges: [{ introduced: "2" }] },
      ["GHSA-v845-jxx5-vc9f urllib3"],
      1,
    ],
    [
      "nothing where it has fixed another",
      { name: "CVE-1", ranges: [{ fixed: "1" }] },
      ["GHSA-v845-jxx5-vc9f urllib3"],
      1,
    ],
  ])("loses by a distribution that lists only fixes %s", async (_, said, affected, count) => {
    const vendor = sampleAdvisory("alpine:3.20", "py3-urllib3", {
      ...cve,
      aliases: [],
      packageKind: "SOURCE",
      ...said,
    });

    const found = findings(await indexLayers([alpine]), language, vendor);

    expect(found).toMatchObject({ affected, count });
    expect(found.settled).toHaveLength(1 - affected.length);
  });

  it("is one more finding where the distribution says that it is affected", async () => {
    const vendor = sampleAdvisory("alpine:3.20", "py3-urllib3", {
      ...cve,
      packageKind: "SOURCE",
      ranges: [{ fixed: "2" }],
    });

    const { affected } = findings(await indexLayers([alpine]), language, vendor);

    expect(affected.sort()).toEqual(["CVE-2023-43804 py3-urllib3", "GHSA-v845-jxx5-vc9f urllib3"]);
  });

  it("is matched by itself where no advisories speak of the distribution", async () => {
    const nameless = [release("unheard", "1"), dpkgStatus(), dpkgList(egg), fileOf(egg, metadata)];

    expect(findings(await indexLayers([nameless]), language).affected).toEqual(["GHSA-v845-jxx5-vc9f urllib3"]);
  });
});

describe("an engine that lists the files of packages", () => {
  const engine = createEngine({ ecosystems: allEcosystems, files: true });
  const hex = (digit: string, length = 32) => digit.repeat(length);
  const site = "usr/lib/python3/site-packages";
  const sha1 = Buffer.from(hex("a", 40), "hex").toString("base64");
  const sha256 = Buffer.from(hex("b", 64), "hex").toString("base64url");
  const files = (...names: readonly string[]) => names.map((name) => fileOf(name, name));
  const list = (path: string, ...names: readonly string[]) => fileOf(path, names.map((name) => `${name}\n`).join(""));
  const dpkg = [
    dpkgStatus(),
    list("var/lib/dpkg/info/python3-urllib3.list", "/.", "/etc", "/etc/u.conf", "/lib/u.so", "/usr/gone", "/bin"),
    list("var/lib/dpkg/info/python3-urllib3.md5sums", `${hex("1")}  lib/u.so`, `${hex("2")}  usr/gone`),
  ];
  const rpm = packageHeader({
    name: "u",
    more: [
      texts(1118, ["/etc/", "/usr/lib/"]),
      texts(1117, ["u.conf", "u.so", "link"]),
      numbers(1116, [0, 1, 1]),
      texts(1035, [hex("c", 64), hex("d", 64), ""]),
      numbers(5011, [8]),
    ],
  });

  it.each<[string, (readonly OddMember[])[], string[]]>([
    [
      "dpkg, without folders and files that are gone",
      [[...dpkg, ...files("etc/u.conf", "usr/lib/u.so")]],
      ["python3-urllib3: etc/u.conf 0", `python3-urllib3: usr/lib/u.so md5:${hex("1")} 0`],
    ],
    [
      "dpkg, without the digest of a file that a later layer has changed",
      [[...dpkg, ...files("lib/u.so", "etc/u.conf")], files("lib/u.so")],
      ["python3-urllib3: etc/u.conf 0", "python3-urllib3: lib/u.so 1"],
    ],
    ["dpkg, which was removed later", [[...dpkg, ...files("lib/u.so")], [fileOf("var/lib/dpkg/status", "")]], []],
    [
      "apk, without the digest of a link",
      [
        [
          fileOf(
            "lib/apk/db/installed",
            `P:u\nV:1-r0\nA:noarch\nF:bin\nR:u\na:0:0:755\nZ:Q1${sha1}\nR:sh\na:0:0:777\nZ:Q1${sha1}\n\nP:v\nV:1-r0\n\n`,
          ),
          ...files("bin/u", "bin/sh"),
        ],
      ],
      ["u: bin/sh 0", `u: bin/u sha1:${hex("a", 40)} 0`],
    ],
    [
      "rpm",
      [[fileOf("var/lib/rpm/Packages", buildBdb([{ number: 1, blob: rpm }])), ...files("etc/u.conf", "usr/lib/link")]],
      [`u: etc/u.conf sha256:${hex("c", 64)} 0`, "u: usr/lib/link 0"],
    ],
    [
      "pacman",
      [
        [
          list("var/lib/pacman/local/u-1-1/desc", "%NAME%", "u", "", "%VERSION%", "1-1"),
          list("var/lib/pacman/local/u-1-1/files", "%FILES%", "usr/", "usr/bin/", "usr/bin/u"),
          ...files("usr/bin/u"),
        ],
      ],
      ["u: usr/bin/u 0"],
    ],
    [
      "Python, of each folder of packages, also beside them",
      [
        [
          fileOf(`${site}/u-1.dist-info/METADATA`, "Name: u\nVersion: 1\n"),
          list(
            `${site}/u-1.dist-info/RECORD`,
            `u/__init__.py,sha256=${sha256},3`,
            '"u/a,b.py",md5=x,',
            "../../../bin/u,,",
            "../../../../../../etc/passwd,,",
          ),
          ...files(`${site}/u/__init__.py`, `${site}/u/a,b.py`, "usr/bin/u", "etc/passwd"),
        ],
      ],
      ["u: usr/bin/u 0", `u: ${site}/u/__init__.py sha256:${hex("b", 64)} 0`, `u: ${site}/u/a,b.py 0`],
    ],
  ])("lists those of %s", async (_, layers, expected) => {
    const { packages, files: found = {}, coverage } = await indexLayers(layers, engine);

    const layerOf = (digest: string) => coverage.layers.findIndex((each) => each.digest === digest);
    const lines = Object.entries(found).flatMap(([id, list]) =>
      list.map(({ path, digest, layer }) =>
        [`${packages[id]?.name}:`, path, digest, layerOf(layer)].filter((part) => part !== undefined).join(" "),
      ),
    );
    expect(lines).toEqual(expected);
  });

  it("is another engine, and others list none", async () => {
    const report = await indexLayers([dpkg]);

    expect(report.files).toBeUndefined();
    expect(createEngine({ ecosystems: allEcosystems }).state).not.toBe(engine.state);
  });
});
