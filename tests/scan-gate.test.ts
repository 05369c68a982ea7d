import { join } from "node:path";
import { buildImage, buildLayer, type Tree } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeAsar } from "../packages/core/src/ecosystems/npm/fixtures/make-asar.ts";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll, testNow } from "./support/run-plimsoll.ts";
import { ociArchive } from "./support/sample-image.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db, image } = world;

describe("plimsoll scan --fail-on", () => {
  const debian = { "etc/os-release": "ID=debian\nVERSION_ID=12\n" };
  const status = "Package: a\nStatus: install ok installed\nArchitecture: all\nVersion: 1\n";
  const bundled = makeAsar({ "main.js": "" }); // its packages are joined into one file
  const write = async (name: string, files: Tree) =>
    folder.write(name, await ociArchive(buildImage({ layers: [await buildLayer(files)] })));

  it.each([
    ["packages that no detector reads", { ...debian, "srv/app.asar": bundled }, "not assessed (1 of npm, 1 of dpkg)"],
    [
      "a distribution that no loaded feed covers",
      { "etc/os-release": "ID=debian\nVERSION_ID=7\n", "var/lib/dpkg/status": status },
      "no loaded feed covers debian:7",
    ],
    [
      "a distribution that is not known",
      { "etc/os-release": "ID=nosuch\nVERSION_ID=1\n", "var/lib/dpkg/status": status },
      "1 package of no distribution or language whose advisories are known: a 1",
    ],
    ["a damaged database", { "etc/os-release": "ID=rhel\nVERSION_ID=9\n", "var/lib/rpm/rpmdb.sqlite": "damaged" }, ""],
  ])("ends with 3 for %s, unless --allow-incomplete", async (_, files, reason) => {
    const built = await write("incomplete.tar", files);

    const judged = await runPlimsoll(["scan", built, "--db", db, "--fail-on", "critical"]);
    const allowed = await runPlimsoll(["scan", built, "--db", db, "--fail-on", "critical", "--allow-incomplete"]);
    const strict = await runPlimsoll(["scan", built, "--db", db, "--strict"]);

    expect(judged.code).toBe(3);
    expect(judged.stderr).toContain("--fail-on could not judge: ");
    expect(judged.stderr).toContain(reason);
    expect(judged.stderr).toContain("add --allow-incomplete to judge only what could be assessed");
    expect(judged.stdout).toContain("0 findings");
    expect([allowed.code, allowed.stderr]).toEqual([0, ""]);
    expect(strict.code).toBe(3);
  });

  it("ends with 4 where there is no advisory data, unless --allow-incomplete", async () => {
    const words = ["scan", image, "--db", join(folder.path, "none.db"), "--fail-on", "high+"];

    const judged = await runPlimsoll(words);
    const allowed = await runPlimsoll([...words, "--allow-incomplete"]);

    expect([judged.code, judged.stdout]).toEqual([4, ""]);
    expect(judged.stderr).toContain("no advisory data: run plimsoll db update");
    expect(judged.stderr).toContain("--allow-incomplete lets it pass");
    expect(allowed.code).toBe(0);
  });

  it("fails a gate that judged by old data and found nothing, unless that is allowed", async () => {
    const now = testNow + 8 * 86_400_000;
    const judge = (...words: string[]) => runPlimsoll(["scan", image, "--db", db, ...words], { now });

    const old = await judge("--fail-on", "critical");
    const found = await judge("--fail-on", "low+");
    const allowed = await judge("--fail-on", "critical", "--allow-incomplete");
    const young = await judge("--fail-on", "critical", "--max-db-age-days", "9");
    const malformed = await judge("--max-db-age-days", "none");

    expect([old, found, allowed, young, malformed].map(({ code }) => code)).toEqual([4, 1, 0, 0, 2]);
    expect(old.stderr).toContain("--fail-on could not judge: the feed of debian:12 was last checked at ");
    expect(old.stderr).toContain("more than 7 days ago: run plimsoll db update, or allow more with --max-db-age-days");
    expect(old.stdout).toContain("which is too old");
    expect(young.stderr).toBe("");
    expect(malformed.stderr).toContain("--max-db-age-days: expected a number of days above 0");
  });

  it("fails a gate that means all, and --strict, for what is undecided, unless that is allowed", async () => {
    const undetermined = { releases: { bookworm: { status: "undetermined", urgency: "not yet assigned" } } };
    const feed = folder.write("undetermined.json", JSON.stringify({ a: { "CVE-2024-0009": undetermined } }));
    const own = ["--db", join(folder.path, "undetermined.db")];
    await runPlimsoll(["db", "update", ...own, "--feed", `debian=${feed}`]);
    const built = await write("undecided.tar", { ...debian, "var/lib/dpkg/status": status });
    const judge = (...words: string[]) => runPlimsoll(["scan", built, ...own, ...words]);

    const failed = [await judge("--fail-on", "unknown+"), await judge("--fail-on", "unknown"), await judge("--strict")];
    const passed = [
      await judge("--fail-on", "unknown+", "--allow-incomplete"),
      await judge("--strict", "--allow-incomplete"),
      await judge("--fail-on", "negligible+"),
      await judge("--fail-on", "fixable"),
    ];

    for (const { code, stderr } of failed) {
      expect(code).toBe(3);
      expect(stderr).toContain(
        "1 undecided finding (vendor-undetermined): CVE-2024-0009 of a: plimsoll explain gives the reason",
      );
    }
    expect(passed.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(passed[2]?.stderr).toContain("--fail-on did not judge 1 undecided finding");
  });

  it("fails every gate, and --strict, for a package of which a fact is not known, unless that is allowed", async () => {
    const purls = "purl:pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12";
    const judge = (...words: string[]) => runPlimsoll(["scan", purls, "--db", db, ...words]);

    const failed = [await judge("--fail-on", "critical"), await judge("--strict")];
    const allowed = [
      await judge("--fail-on", "critical", "--allow-incomplete"),
      await judge("--strict", "--allow-incomplete"),
    ];

    for (const { code, stderr, stdout } of failed) {
      expect(code).toBe(3);
      expect(stderr).toContain("1 package whose source package is not known: libssl3 3.0.11-1");
      expect(stdout).toContain("undecided: 1 package whose source package is not known: libssl3 3.0.11-1");
    }
    expect(allowed.map(({ code }) => code)).toEqual([0, 0]);
  });

  it("cannot judge by exploits without the facts about them", async () => {
    const exploited = await runPlimsoll(["scan", image, "--db", db, "--fail-on", "exploited"]);
    const mixed = await runPlimsoll(["scan", image, "--db", db, "--fail-on", "critical,exploited"]);
    const found = await runPlimsoll(["scan", image, "--db", db, "--fail-on", "high,exploited,epss>0.5"]);
    const likely = await runPlimsoll(["scan", image, "--db", db, "--fail-on", "epss>0.5"]);
    const allowed = await runPlimsoll(["scan", image, "--db", db, "--fail-on", "exploited", "--allow-incomplete"]);

    expect([exploited.code, likely.code, allowed.code]).toEqual([4, 4, 0]);
    expect([mixed.code, found.code]).toEqual([3, 1]);
    expect(mixed.stderr).toContain("was made without the catalog of exploited vulnerabilities");
    expect(found.stderr).toContain("--fail-on: 1 finding");
    expect(exploited.stderr).toContain("--fail-on cannot judge without the catalog of exploited vulnerabilities");
    expect(likely.stderr).toContain("--fail-on cannot judge without the probabilities of exploits");
  });

  it.each([
    ["a finding", ["--db", db, "--fail-on", "high"], 1, "--fail-on: 1 finding"],
    ["missing facts", ["--db", db, "--fail-on", "critical,exploited"], 3, "--fail-on could not judge: "],
    ["missing data", ["--db", join(folder.path, "none.db"), "--fail-on", "high"], 4, "--fail-on cannot judge without"],
    ["missing data, strictly", ["--db", join(folder.path, "none.db"), "--strict"], 4, "there is no advisory data: "],
  ])("says why it fails for %s with --quiet, too, and nothing else", async (_, words, code, reason) => {
    const { code: found, stderr } = await runPlimsoll(["scan", image, "-q", ...words]);

    expect(found).toBe(code);
    expect(stderr).toContain(`plimsoll: ${reason}`);
    expect((await runPlimsoll(["scan", image, "-q", "--db", words[1] ?? ""])).stderr).toBe("");
  });

  it("has judged where it found something, however incomplete the rest", async () => {
    const files = {
      ...debian,
      "srv/app.asar": bundled,
      "var/lib/dpkg/status": `${status.replace(": a", ": libssl3")}Source: openssl\n`,
    };

    const { code, stderr } = await runPlimsoll([
      "scan",
      await write("both.tar", files),
      "--db",
      db,
      "--fail-on",
      "high+",
    ]);

    expect(code).toBe(1);
    expect(stderr).toContain("--fail-on: 1 finding");
  });
});

describe("plimsoll scan of an Alpine image", () => {
  const place = () => ["--db", join(folder.path, "alpine.db")];
  const secfixes = {
    "4.16.2-r0": ["CVE-2022-26356 XSA-397", "CVE-2022-26357"],
    "4.16.10-r0": ["CVE-2022-26356 XSA-397"],
    "4.16.0p1-r3": ["CVE-2022-0001"],
    "4.16.3-r0": ["CVE-2022-42332 CVE-2022-42333 XSA-427"],
    "4.17.0-r0": {},
  };
  let alpine = "";
  beforeAll(async () => {
    const secdb = { distroversion: "v3.20", reponame: "main", packages: [{ pkg: { name: "xen", secfixes } }] };
    const feed = folder.write("secdb.json", JSON.stringify(secdb));
    await runPlimsoll(["db", "update", ...place(), "--feed", `alpine=${feed}`]);
    const layer = await buildLayer({
      "etc/os-release": 'ID=alpine\nVERSION_ID=3.20.3\nPRETTY_NAME="Alpine Linux v3.20"\n',
      "lib/apk/db/installed": "P:xen-libs\nV:4.16.0p1-r0\nA:x86_64\no:xen\n\n",
    });
    alpine = folder.write("alpine.tar", await ociArchive(buildImage({ layers: [layer] })));
  });

  it("finds each vulnerability once, by its CVE id and with the fix that lasts", async () => {
    const { stdout } = await runPlimsoll(["scan", alpine, ...place(), "-o", "ndjson"]);

    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const findings = lines.filter(({ kind }) => kind === "finding");
    expect(findings.map((line) => [line.vulnerability, line.aliases, line.fixed_in_version])).toEqual([
      ["CVE-2022-0001", undefined, "4.16.0p1-r3"],
      ["CVE-2022-26356", ["XSA-397"], "4.16.10-r0"],
      ["CVE-2022-26357", undefined, "4.16.2-r0"],
      ["CVE-2022-42332", ["CVE-2022-42333", "XSA-427"], "4.16.3-r0"],
    ]);
  });

  it("counts the findings of Unknown severity that a gate does not judge, and judges them for unknown+", async () => {
    const severe = await runPlimsoll(["scan", alpine, ...place(), "--fail-on", "high+"]);
    const any = await runPlimsoll(["scan", alpine, ...place(), "--fail-on", "unknown+"]);

    expect(severe.code).toBe(0);
    expect(severe.stderr).toContain("--fail-on did not judge 4 findings of Unknown severity");
    expect(severe.stdout).toContain("gate: not judged by --fail-on: 4 findings of Unknown severity, 0 undecided");
    expect(any.code).toBe(1);
    expect(any.stdout).not.toContain("gate: not judged");
  });

  it("shows and explains aliases, and writes them beside the contract's report", async () => {
    const table = await runPlimsoll(["scan", alpine, ...place()]);
    const explained = await runPlimsoll(["explain", alpine, "XSA-397", ...place()]);
    const other = await runPlimsoll(["explain", alpine, "CVE-2022-42333", ...place()]);
    const json = JSON.parse((await runPlimsoll(["scan", alpine, ...place(), "-o", "json"])).stdout);

    expect(table.stdout).toMatch(/^CVE-2022-26356 +xen-libs .* 4\.16\.10-r0 +Unknown +XSA-397$/m);
    expect(table.stdout).toMatch(/^CVE-2022-42332 +xen-libs .* Unknown +CVE-2022-42333 XSA-427$/m);
    expect(explained.stdout).toContain("(CVE-2022-26356, XSA-397): affected");
    expect(explained.stdout).toContain("lasting-fix: 4.16.2-r0 is affected as well: fixed in 4.16.10-r0");
    expect(Object.values(json.enrichments["application/vnd.plimsoll.aliases+json"][0])).toEqual([
      ["XSA-397"],
      ["CVE-2022-42333", "XSA-427"],
    ]);
    expect(other.stdout).toContain("(CVE-2022-42332, CVE-2022-42333, XSA-427): affected");
  });
});
