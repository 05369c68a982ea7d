/** The library as a tool author meets it. */
import { join } from "node:path";
import { apk, createEngine, dpkg, linux } from "@plimsoll/core";
import { coalesceFiles, type Detector, type Ecosystem } from "@plimsoll/core/plugins";
import {
  type Advisory,
  createEngine as createScannerEngine,
  diff,
  fromArchive,
  fromDir,
  fromOciDir,
  hostPlatform,
  type IndexEvent,
  index,
  match,
  openScanner,
  type Scanner,
} from "@plimsoll/scanner";
import { buildImage, buildIndex, buildLayer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  debianImage,
  debianRelease,
  debianTracker,
  dpkgStatus,
  ociArchive,
  writeLayout,
} from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());

const tracker = (fixes: Readonly<Record<string, { readonly fixed?: string; readonly urgency?: string }>>) =>
  folder.write(`tracker-${Object.keys(fixes).join("-")}.json`, debianTracker({ openssl: fixes }));

async function load(scanner: Scanner, fixes: Parameters<typeof tracker>[0]): Promise<void> {
  const results = await scanner.updateFeeds({ only: ["debian"], locations: { debian: tracker(fixes) } });
  expect(results.map(({ kind }) => kind)).toEqual(["updated"]);
}

const advisory = (id: string, fixed: string): Advisory => ({
  id: `example/${id}`,
  updater: "example",
  name: id,
  aliases: [],
  ecosystem: "debian:12",
  packageName: "openssl",
  packageKind: "SOURCE",
  status: "affected",
  ranges: [{ fixed }],
  versions: [],
  links: [],
  normalizedSeverity: "High",
});

let archive = "";
beforeAll(async () => {
  archive = folder.write("image.tar", await ociArchive(await debianImage(["libssl3 3.0.11-1 openssl"])));
});

describe("openScanner", () => {
  it.each([
    ["an index of Java archives", { javaIndex: "java-index.db" }, "lookups"],
    ["lists of files", { files: true }, "createEngine({ files: true"],
  ])("refuses %s beside an engine, which has its own", async (_, options, advice) => {
    const engine = createEngine({ ecosystems: [linux, dpkg] });

    await expect(openScanner({ db: ":memory:", engine, ...options })).rejects.toThrow(advice);
  });

  it("scans, and filters findings by severity and fix", async () => {
    await using scanner = await openScanner({ db: ":memory:" });
    await load(scanner, { "CVE-1": { fixed: "3.0.12-1", urgency: "high" }, "CVE-2": { urgency: "low" } });

    const report = await scanner.scan(fromArchive(archive));

    expect(report.findings().map(({ id }) => id)).toEqual(["CVE-1", "CVE-2"]);
    expect(report.findings({ min: "Medium" }).map(({ id }) => id)).toEqual(["CVE-1"]);
    expect(report.findings({ fix: "available" }).map(({ fixedIn }) => fixedIn)).toEqual(["3.0.12-1"]);
    expect(report.findings()[0]?.layer).toBe(report.index.coverage.layers[0]?.digest);
  });

  it("says what it does, and reads a known layer from the database", async () => {
    const db = join(folder.path, "events.db");
    const events: IndexEvent["kind"][] = [];
    const onEvent = ({ kind }: IndexEvent) => events.push(kind);

    await using first = await openScanner({ db });
    await first.index(fromArchive(archive), { onEvent });
    await using second = await openScanner({ db });
    await second.index(fromArchive(archive), { onEvent });

    expect(events).toEqual(["image-opened", "layer-reading", "layer-read", "image-opened", "layer-known"]);
  });

  it("changes nothing when it is opened read-only", async () => {
    const db = join(folder.path, "events.db");

    await using scanner = await openScanner({ db, readOnly: true });
    const { report } = await scanner.index(fromArchive(archive));
    const [update] = await scanner.updateFeeds({ only: ["debian"], locations: { debian: tracker({}) } });

    expect(report.success).toBe(true);
    expect(update?.kind).toBe("failed");
  });

  it("judges by what was known at a time", async () => {
    let now = 1_000;
    await using scanner = await openScanner({ db: ":memory:", clock: { now: () => now } });
    await load(scanner, { "CVE-1": { fixed: "3.0.12-1" } });
    now = 2_000;
    await load(scanner, { "CVE-1": { fixed: "3.0.12-1" }, "CVE-2": {} });

    const names = async (asOf?: number) => {
      const report = await scanner.scan(fromArchive(archive), asOf === undefined ? {} : { asOf });
      return report.findings().map(({ id }) => id);
    };

    expect(await names()).toEqual(["CVE-1", "CVE-2"]);
    expect(await names(1_500)).toEqual(["CVE-1"]);
    await expect(names(500)).rejects.toMatchObject({ code: "before_history" });
  });

  it("gives up when its signal is aborted", async () => {
    await using scanner = await openScanner({ db: ":memory:" });

    const scan = scanner.scan(fromArchive(archive), { signal: AbortSignal.abort(new Error("enough")) });

    await expect(scan).rejects.toThrow();
  });

  it("refuses to choose among several images", async () => {
    const image = await debianImage(["a 1"]);
    const other = buildImage({ layers: image.layers, platform: { os: "linux", architecture: "arm64" } });
    writeLayout(folder, { "one:1": image, "two:1": other }, "two");
    await using scanner = await openScanner({ db: ":memory:" });

    await expect(scanner.scan(fromOciDir(join(folder.path, "two")))).rejects.toMatchObject({ name: "ScanError" });
    expect((await scanner.index(fromOciDir(join(folder.path, "two"), { ref: "two:1" }))).platform).toMatchObject({
      architecture: "arm64",
    });
  });
});

describe("a scanner", () => {
  it("takes the image for this machine of a multi-platform one, and all where all are asked for", async () => {
    const { layers } = await debianImage(["a 1"]);
    const images = ["amd64", "arm64", "s390x"].map((architecture) =>
      buildImage({ layers, platform: { os: "linux", architecture } }),
    );
    const source = fromOciDir(writeLayout(folder, { "many:1": buildIndex(images) }, "many"));
    await using scanner = await openScanner({ db: ":memory:" });
    const { platform } = await scanner.index(source);

    const all: unknown[] = [];
    for await (const image of scanner.indexAll(source)) all.push(image.platform?.architecture);

    expect(platform).toEqual(hostPlatform());
    expect((await index(source)).platform).toEqual(hostPlatform());
    expect(all).toEqual(["amd64", "arm64", "s390x"]);
  });

  it("says that there are no advisories to judge by, unless that is allowed", async () => {
    await using scanner = await openScanner({ db: ":memory:" });
    const { report } = await scanner.index(fromArchive(archive));

    await expect(scanner.scan(fromArchive(archive))).rejects.toMatchObject({ code: "no_advisories" });
    await expect(scanner.match(report)).rejects.toMatchObject({ code: "no_advisories" });
    const { vulnerabilities } = await scanner.scan(fromArchive(archive), { allowsNoAdvisories: true });
    expect(vulnerabilities.feeds.map(({ covered }) => covered)).toEqual([false]);
  });

  it("refuses the name of no feed", async () => {
    await using scanner = await openScanner({ db: ":memory:" });

    await expect(scanner.updateFeeds({ only: ["debain"] })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("debian"),
    });
  });

  it("does nothing after it was closed", async () => {
    const scanner = await openScanner({ db: ":memory:" });
    const { report } = await scanner.index(fromArchive(archive));
    await scanner.close();
    await scanner.close();

    const question = { vulnerability: "CVE-1" };
    const asked = [
      scanner.scan(fromArchive(archive)),
      scanner.index(fromArchive(archive)),
      scanner.match(report),
      scanner.explain(report, question),
      scanner.updateFeeds(),
      scanner.feeds(),
      scanner.databaseStatus(),
      scanner.exportDatabase(join(folder.path, "closed.gz")),
      scanner.importDatabase(join(folder.path, "closed.gz")),
    ];
    for (const each of await Promise.allSettled(asked)) {
      expect(each).toMatchObject({ status: "rejected", reason: { name: "ScanError", code: "closed" } });
    }
  });
});

describe("index and match", () => {
  it("stand alone and say what the scanner says", async () => {
    const { report } = await index(fromArchive(archive));

    const affected = await match(report, [advisory("CVE-1", "3.0.12-1")]);
    const mended = await match(report, [advisory("CVE-1", "3.0.11-1")]);

    expect(Object.values(affected.vulnerabilities).map(({ name, fixedInVersion }) => [name, fixedInVersion])).toEqual([
      ["CVE-1", "3.0.12-1"],
    ]);
    expect(mended.vulnerabilities).toEqual({});
    expect(mended.feeds).toMatchObject([{ ecosystem: "debian:12", covered: true }]);
  });

  it("read a root folder like a layer", async () => {
    folder.write("root/etc/os-release", debianRelease);
    folder.write("root/var/lib/dpkg/status", dpkgStatus("libssl3 3.0.11-1 openssl"));

    const { report } = await index(fromDir(join(folder.path, "root")));

    expect(Object.values(report.packages).map(({ name }) => name)).toEqual(["libssl3"]);
    expect(Object.values(report.distributions)[0]?.versionId).toBe("12");
  });
});

describe("diff", () => {
  it("shows an upgrade as fixed, and inverts", async () => {
    const upgraded = folder.write("up.tar", await ociArchive(await debianImage(["libssl3 3.0.12-1 openssl"])));
    const advisories = [advisory("CVE-1", "3.0.12-1")];
    const before = await match((await index(fromArchive(archive))).report, advisories);
    const after = await match((await index(fromArchive(upgraded))).report, advisories);

    expect(diff(before, after).removed.map(({ cause }) => cause)).toEqual(["fixed"]);
    expect(diff(after, before).added).toHaveLength(1);
    expect(diff(before, before)).toMatchObject({ added: [], removed: [], changed: [] });
  });
});

describe("two engines", () => {
  const notes: Detector = {
    name: "notes",
    revision: 1,
    wants: ({ path }) => path === "notes.txt",
    *detect(files) {
      for (const { path } of files) {
        yield { kind: "package", packageDb: path, package: { name: "note", version: "1", kind: "BINARY" } };
      }
    },
  };
  const noted: Ecosystem = {
    name: "noted",
    detectors: [notes],
    matchers: [],
    purl: [],
    coalesce: coalesceFiles(),
  };

  it("with other plug-ins live side by side on one database", async () => {
    const layer = await buildLayer({
      "etc/os-release": debianRelease,
      "var/lib/dpkg/status": dpkgStatus("a 1"),
      "notes.txt": "1",
    });
    const image = folder.write("notes.tar", await ociArchive(buildImage({ layers: [layer] })));
    const db = join(folder.path, "engines.db");
    await using plain = await openScanner({ db, engine: createEngine({ ecosystems: [linux, dpkg] }) });
    await using extended = await openScanner({ db, engine: createScannerEngine({ ecosystems: [linux, apk, noted] }) });

    const names = async (scanner: Scanner) =>
      Object.values((await scanner.index(fromArchive(image))).report.packages).map(({ name }) => name);

    expect(plain.engine.state).not.toBe(extended.engine.state);
    expect([await names(plain), await names(extended), await names(plain)]).toEqual([["a"], ["note"], ["a"]]);
  });
});
