/** The command as a user meets it: real archives, a real database file, real feeds from files. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buildImage, buildLayer } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPlimsoll, testNow } from "./support/run-plimsoll.ts";
import { debianImage, debianRelease, debianTracker, ociArchive } from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());

const db = join(folder.path, "plimsoll.db");
const tracker = debianTracker({
  openssl: {
    "CVE-2024-0001": { fixed: "3.0.11-1~deb12u2", urgency: "high" },
    "CVE-2024-0002": { urgency: "unimportant" },
    "CVE-2024-0003": { fixed: "0", urgency: "high" },
  },
  zlib: { "CVE-2023-45853": { urgency: "medium" } },
});

let image = "";
beforeAll(async () => {
  const built = await debianImage(
    ["libssl3 3.0.11-1~deb12u1 openssl"],
    ["libssl3 3.0.11-1~deb12u1 openssl", "zlib1g 1:1.2.13.dfsg-1 zlib"],
  );
  image = folder.write("image.tar", await ociArchive(built));
  const feed = folder.write("tracker.json", tracker);
  const { code, stderr } = await runPlimsoll(["db", "update", "--db", db, "--feed", `debian=${feed}`]);
  expect(stderr).toBe("");
  expect(code).toBe(0);
});

const scan = (...flags: string[]) => runPlimsoll(["scan", image, "--db", db, ...flags]);

describe("plimsoll scan", () => {
  it("prints a row per package and fix, coverage and the age of the data", async () => {
    const { code, stdout, stderr } = await scan();

    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("distribution: Debian GNU/Linux 12 (bookworm)");
    expect(stdout).toMatch(/^libssl3 +3\.0\.11-1~deb12u1 +3\.0\.11-1~deb12u2 +High +CVE-2024-0001$/m);
    expect(stdout).toMatch(/^zlib1g +1:1\.2\.13\.dfsg-1 +no fix +Medium +CVE-2023-45853$/m);
    expect(stdout).toContain("3 findings (1 High, 1 Medium, 1 Negligible)");
    expect(stdout).toContain("coverage: complete, 2 of 2 layers read, 2 packages in 1 databases");
    expect(stdout).toContain(`debian:12 covered by data of ${new Date(testNow).toISOString()}`);
  });

  it("prints the same bytes for the same image and data, known layers or not", async () => {
    const first = await scan("-o", "json");
    const again = await scan("-o", "json");
    const afresh = await runPlimsoll(["scan", `oci-archive:${image}`, "--db", db, "-o", "json"]);

    expect(again.stdout).toBe(first.stdout);
    expect(afresh.stdout).toBe(first.stdout);
  });

  it("writes the contract's vulnerability report", async () => {
    const report = JSON.parse((await scan("-o", "json")).stdout);

    expect(Object.keys(report)).toEqual(
      expect.arrayContaining(["manifest_hash", "packages", "distributions", "environments", "vulnerabilities"]),
    );
    const names = Object.values<{ name: string }>(report.vulnerabilities).map(({ name }) => name);
    expect(names.sort()).toEqual(["CVE-2023-45853", "CVE-2024-0001", "CVE-2024-0002"]);
  });

  it("writes several formats at once, files included", async () => {
    const json = join(folder.path, "out.json");
    const ndjson = join(folder.path, "out.ndjson");

    const { code, stdout } = await scan("-o", "table", "-o", `json=${json}`, "-o", `ndjson=${ndjson}`);

    expect(code).toBe(0);
    expect(stdout).toContain("PACKAGE");
    expect(JSON.parse(readFileSync(json, "utf8")).manifest_hash).toMatch(/^sha256:/);
    const lines = readFileSync(ndjson, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).kind);
    expect(lines).toEqual(["image", "finding", "finding", "finding", "coverage"]);
  });

  it.each([
    ["high+", 1, "--fail-on: 1 findings"],
    ["high+,fixable", 1, "--fail-on: 1 findings"],
    ["medium,fixable", 0, ""],
    ["critical", 0, ""],
    ["negligible+", 1, "--fail-on: 3 findings"],
  ])("ends with the gate's verdict for --fail-on %s", async (filter, expected, reason) => {
    const { code, stderr } = await scan("--fail-on", filter);

    expect(code).toBe(expected);
    expect(stderr).toContain(reason);
  });

  it("shows only what --show asks for and says how much it hides, while JSON stays whole", async () => {
    const { stdout } = await scan("--show", "high+");

    expect(stdout).toContain("1 findings (1 High); 2 more not shown");
    expect(stdout).not.toContain("zlib1g");
  });

  it("reads an archive from standard input", async () => {
    const { code, stdout } = await runPlimsoll(["scan", "-", "--db", db], { stdin: readFileSync(image) });

    expect(code).toBe(0);
    expect(stdout).toContain("3 findings");
  });

  it("says that there is no data, and refuses under --strict", async () => {
    const empty = ["--db", join(folder.path, "empty.db")];

    const lenient = await runPlimsoll(["scan", image, ...empty]);
    const strict = await runPlimsoll(["scan", image, "--strict", ...empty]);

    expect(lenient.code).toBe(0);
    expect(lenient.stderr).toContain("no advisory data: run plimsoll db update");
    expect(lenient.stdout).toContain("debian:12 is NOT covered");
    expect(strict.code).toBe(4);
    expect(strict.stdout).toBe("");
  });

  it("warns of old data, and refuses it under --strict", async () => {
    const now = testNow + 8 * 86_400_000;

    const lenient = await runPlimsoll(["scan", image, "--db", db], { now });
    const strict = await runPlimsoll(["scan", image, "--db", db, "--strict"], { now });

    expect(lenient.code).toBe(0);
    expect(lenient.stderr).toContain("debian was last checked 8 days ago");
    expect(strict.code).toBe(4);
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

  it("never takes an unknown distribution for a clean one", async () => {
    const built = buildImage({
      layers: [
        await buildLayer({
          "etc/os-release": "ID=nosuch\nVERSION_ID=1\n",
          "var/lib/dpkg/status": "Package: a\nStatus: install ok installed\nArchitecture: all\nVersion: 1\n",
        }),
      ],
    });
    const unknown = folder.write("unknown.tar", await ociArchive(built));

    const lenient = await runPlimsoll(["scan", unknown, "--db", db]);
    const strict = await runPlimsoll(["scan", unknown, "--db", db, "--strict"]);

    expect(lenient.code).toBe(0);
    expect(lenient.stdout).toContain("no package has a distribution whose advisories could be looked up");
    expect(strict.code).toBe(3);
  });

  it("says which database is damaged, reads the rest, and fails under --strict", async () => {
    const built = buildImage({
      layers: [
        await buildLayer({ "etc/os-release": "ID=rhel\nVERSION_ID=9\n", "var/lib/rpm/rpmdb.sqlite": "damaged" }),
      ],
    });
    const damaged = folder.write("damaged.tar", await ociArchive(built));

    const { code, stdout } = await runPlimsoll(["scan", damaged, "--db", db]);
    const strict = await runPlimsoll(["scan", damaged, "--db", db, "--strict"]);

    expect(code).toBe(0);
    expect(stdout).toContain("coverage: partial");
    expect(stdout).toContain("var/lib/rpm/rpmdb.sqlite:");
    expect(strict.code).toBe(3);
  });

  it.each([
    [["scan"], "missing required argument 'source'"],
    [["scan", "a", "b"], "too many arguments"],
    [["scna", "a"], "unknown command 'scna'"],
    [["scan", "a", "--strct"], "unknown option '--strct'"],
    [["scan", "a", "-o", "xml"], '"xml" is no format'],
    [["scan", "a", "--fail-on", "bad"], '--fail-on: "bad"'],
    [["scan", "a", "--color", "pink"], "pink"],
    [["scan", "a", "--config", "/nonexistent/p.json"], "cannot be read"],
  ])("ends with exit code 2 for %j", async (words, message) => {
    const { code, stdout, stderr } = await runPlimsoll(words);

    expect(code).toBe(2);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
  });

  it.each([
    ["./no-such-file.tar", "there is no such file"],
    ["docker-archive:/nonexistent/image.tar", "/nonexistent/image.tar"],
    ["registry:127.0.0.1:1/app:1", "127.0.0.1:1"],
  ])("ends with exit code 3 when %s cannot be read", async (source, message) => {
    const { code, stdout, stderr } = await runPlimsoll(["scan", source, "--db", db]);

    expect(code).toBe(3);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
  });

  it("scans without remembering where the database cannot be", async () => {
    const { code, stdout, stderr } = await runPlimsoll(["index", image, "--db", join(image, "in-a-file.db")]);

    expect(code).toBe(0);
    expect(stdout).toContain("libssl3");
    expect(stderr).toContain("nothing will be remembered");
  });

  it("reads no registry under --offline", async () => {
    const { code, stderr } = await runPlimsoll(["scan", "registry:127.0.0.1:1/app:1", "--db", db, "--offline"]);

    expect(code).toBe(3);
    expect(stderr).toContain("--offline");
  });

  it("takes settings from the file and lets flags win", async () => {
    const config = folder.write("plimsoll.json", JSON.stringify({ db, failOn: "high+" }));

    const fromFile = await runPlimsoll(["scan", image, "--config", config]);
    const overruled = await runPlimsoll(["scan", image, "--config", config, "--fail-on", "critical"]);
    const fromEnvironment = await runPlimsoll(["scan", image, "--config", config], {
      env: { PLIMSOLL_FAIL_ON: "critical" },
    });

    expect([fromFile.code, overruled.code, fromEnvironment.code]).toEqual([1, 0, 0]);
  });

  it("colours when told to", async () => {
    expect((await scan("--color", "always")).stdout).toContain("\u001b[");
    expect((await scan()).stdout).not.toContain("\u001b[");
  });
});

describe("plimsoll scan --fail-on", () => {
  const debian = { "etc/os-release": "ID=debian\nVERSION_ID=12\n" };
  const status = "Package: a\nStatus: install ok installed\nArchitecture: all\nVersion: 1\n";
  const write = async (name: string, files: Record<string, string>) =>
    folder.write(name, await ociArchive(buildImage({ layers: [await buildLayer(files)] })));

  it.each([
    ["packages that no detector reads", { ...debian, "srv/app.jar": "PK" }, "not assessed (1 of java, 1 of dpkg)"],
    [
      "a distribution that no loaded feed covers",
      { "etc/os-release": "ID=debian\nVERSION_ID=7\n", "var/lib/dpkg/status": status },
      "no loaded feed covers debian:7",
    ],
    [
      "a distribution that is not known",
      { "etc/os-release": "ID=nosuch\nVERSION_ID=1\n", "var/lib/dpkg/status": status },
      "no distribution whose advisories are known",
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

  it("has judged where it found something, however incomplete the rest", async () => {
    const files = {
      ...debian,
      "srv/app.jar": "PK",
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
    expect(stderr).toContain("--fail-on: 1 findings");
  });
});

describe("plimsoll scan of an Alpine image", () => {
  const place = () => ["--db", join(folder.path, "alpine.db")];
  const secfixes = {
    "4.16.2-r0": ["CVE-2022-26356 XSA-397", "CVE-2022-26357"],
    "4.16.10-r0": ["CVE-2022-26356 XSA-397"],
    "4.16.0p1-r3": ["CVE-2022-0001"],
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
    ]);
  });

  it("counts the findings of Unknown severity that a gate does not judge, and judges them for unknown+", async () => {
    const severe = await runPlimsoll(["scan", alpine, ...place(), "--fail-on", "high+"]);
    const any = await runPlimsoll(["scan", alpine, ...place(), "--fail-on", "unknown+"]);

    expect(severe.code).toBe(0);
    expect(severe.stderr).toContain("--fail-on did not judge 3 findings of Unknown severity");
    expect(severe.stdout).toContain("gate: not judged by --fail-on: 3 findings of Unknown severity, 0 undecided");
    expect(any.code).toBe(1);
    expect(any.stdout).not.toContain("gate: not judged");
  });

  it("shows and explains aliases, and writes them beside the contract's report", async () => {
    const table = await runPlimsoll(["scan", alpine, ...place()]);
    const explained = await runPlimsoll(["explain", alpine, "XSA-397", ...place()]);
    const json = JSON.parse((await runPlimsoll(["scan", alpine, ...place(), "-o", "json"])).stdout);

    expect(table.stdout).toMatch(/^xen-libs .* 4\.16\.10-r0 +Unknown +CVE-2022-26356 \[XSA-397\]$/m);
    expect(explained.stdout).toContain("(CVE-2022-26356, XSA-397): affected");
    expect(explained.stdout).toContain("lasting-fix: 4.16.2-r0 is affected as well: fixed in 4.16.10-r0");
    expect(Object.values(json.enrichments["application/vnd.plimsoll.aliases+json"][0])).toEqual([["XSA-397"]]);
  });
});

describe("plimsoll index", () => {
  it("lists packages with their sources, and the contract's index report", async () => {
    const table = await runPlimsoll(["index", image, "--db", db]);
    const json = JSON.parse((await runPlimsoll(["index", image, "--db", db, "-o", "json"])).stdout);

    expect(table.stdout).toMatch(/^libssl3 +3\.0\.11-1~deb12u1 +amd64 +openssl +var\/lib\/dpkg\/status$/m);
    expect(json.success).toBe(true);
    expect(json.state).toBe("IndexFinished");
    expect(Object.keys(json.packages)).toHaveLength(2);
  });

  it("says in JSON what was looked at, as a scan does", async () => {
    const indexed = JSON.parse((await runPlimsoll(["index", image, "--db", db, "-o", "json"])).stdout);
    const scanned = JSON.parse((await scan("-o", "json")).stdout);

    const { feeds: _, undecided: __, ...coverage } = scanned.enrichments["application/vnd.plimsoll.coverage+json"][0];
    expect(indexed.coverage).toEqual(coverage);
    expect(indexed.coverage).toMatchObject({ status: "complete", databases: [{ packages: 2 }], unassessed: [] });
  });
});

describe("plimsoll explain", () => {
  const explain = (...words: string[]) => runPlimsoll(["explain", image, ...words, "--db", db]);

  it.each([
    [["CVE-2024-0001"], ["libssl3 3.0.11-1~deb12u1", "fixed in 3.0.11-1~deb12u2", "brought by layer sha256:"]],
    [
      ["CVE-2024-0003", "--package", "openssl"],
      ["not affected", "vendor"],
    ],
    [["CVE-1999-0001", "--package", "zlib1g"], ["no advisory speaks of it"]],
    [["CVE-2024-0001", "--package", "bash"], ["no such package"]],
  ])("answers %j", async (words, expected) => {
    const { code, stdout } = await explain(...words);

    expect(code).toBe(0);
    for (const text of expected) expect(stdout).toContain(text);
  });

  it("writes as JSON that the kind of a package is not assessed, and the evidence of it", async () => {
    const path = "app/lib/log4j-core-2.14.1.jar";
    const layers = await Promise.all(
      [{ "etc/os-release": debianRelease }, { [path]: "" }].map((tree) => buildLayer(tree)),
    );
    const withJar = folder.write("jar.tar", await ociArchive(await buildImage({ layers })));
    const words = ["CVE-2021-44228", "--package", "log4j-core", "-o", "json", "--db", db];

    const { code, stdout } = await runPlimsoll(["explain", withJar, ...words]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      vulnerability: "CVE-2021-44228",
      package: "log4j-core",
      answer: "not-assessed",
      packages: [],
      problems: [],
      unassessed: [{ kind: "java", count: 1, evidence: [{ path, layer: layers[1]?.digest }] }],
    });
  });
});

describe("plimsoll db", () => {
  it("keeps the data of the last good update when a feed is cut in half", async () => {
    const cut = folder.write("cut.json", tracker.slice(0, tracker.length / 2));

    const update = await runPlimsoll(["db", "update", "--db", db, "--feed", `debian=${cut}`]);
    const after = await scan();

    expect(update.code).toBe(3);
    expect(update.stderr).toContain("cut.json");
    expect(update.stderr).toContain("the data of its last good update stays");
    expect(after.stdout).toContain("3 findings");
  });

  it("reads what it can of a feed and says what it could not", async () => {
    const odd = folder.write("odd.json", '{"a": {"CVE-1": {"releases": []}, "CVE-2": {"releases": {}}}}');

    const { code, stderr } = await runPlimsoll([
      "db",
      "update",
      "--db",
      join(folder.path, "odd.db"),
      "--feed",
      `debian=${odd}`,
    ]);

    expect(code).toBe(0);
    expect(stderr).toContain("debian: 1 record could not be read");
    expect(stderr).toContain(`debian: ${odd}: a.CVE-1.releases: expected an object, found an array`);
  });

  it("lists the records that a feed lacks, and fails for them under --strict as long as they are missing", async () => {
    const odd = folder.write(
      "drop.json",
      '{"a": {"CVE-1": {"releases": []}, "CVE-2": {"releases": {"trixie": {"status": "open"}}}}}',
    );
    const place = ["--db", join(folder.path, "drop.db")];
    const update = ["db", "update", ...place, "--feed", `debian=${odd}`];

    const lenient = await runPlimsoll(update);
    const unchanged = await runPlimsoll([...update, "--strict"]);
    const status = await runPlimsoll(["db", "status", ...place]);

    expect(lenient.code).toBe(0);
    expect(lenient.stdout).toBe("debian: 1 advisories, 1 new, 0 gone, 1 record dropped\n");
    expect(unchanged.code).toBe(3);
    expect(unchanged.stdout).toBe("debian: up to date\n");
    expect(unchanged.stderr).toContain("--strict: debian lacks 1 record that could not be read");
    expect(status.stdout).toMatch(/^debian +1 .* 1$/m);
    expect(status.stdout).toContain("debian: 1 record could not be read and is missing");
    expect(status.stdout).toContain(`  ${odd}: a.CVE-1.releases: expected an object, found an array`);
  });

  it("skips a feed that another process is updating, and goes on at once when that is killed", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const place = ["--db", join(folder.path, "killed.db")];
    const program = new URL("../packages/server/src/plimsoll.ts", import.meta.url).pathname;
    const hanging = ["db", "update", ...place, "--feed", `debian=http://127.0.0.1:${port}/`];
    const child = spawn(process.execPath, ["--conditions=plimsoll-source", program, ...hanging]);
    await once(silent, "request");

    const update = ["db", "update", ...place, "--feed", `debian=${folder.write("later.json", tracker)}`];
    const skipped = await runPlimsoll(update);
    child.kill("SIGKILL");
    await once(child, "exit");
    silent.closeAllConnections();
    silent.close();
    const after = await runPlimsoll(update);

    expect(skipped.code).toBe(5);
    expect(skipped.stderr).toMatch(
      new RegExp(`debian: another process is updating this feed \\(process ${child.pid}, since \\d\\d:\\d\\d UTC\\)`),
    );
    expect([after.code, after.stderr]).toEqual([0, ""]);
    expect(after.stdout).toContain("debian: 4 advisories, 4 new");
  });

  it("refuses feeds it does not know and feeds without a place", async () => {
    const unknown = await runPlimsoll(["db", "update", "--db", db, "--feed", "debain=x"]);
    const placeless = await runPlimsoll(["db", "update", "--db", db, "--feed", "debian"]);

    expect([unknown.code, placeless.code]).toEqual([2, 2]);
    expect(unknown.stderr).toContain('there is no feed "debain"');
  });

  it("carries advisories to another machine", async () => {
    const file = join(folder.path, "advisories.ndjson.gz");
    const other = join(folder.path, "other.db");

    const exported = await runPlimsoll(["db", "export", file, "--db", db]);
    const imported = await runPlimsoll(["db", "import", file, "--db", other]);
    const scanned = await runPlimsoll(["scan", image, "--db", other]);

    expect([exported.code, imported.code]).toEqual([0, 0]);
    expect(existsSync(file)).toBe(true);
    expect(scanned.stdout).toContain("3 findings");
  });

  it("says what is loaded", async () => {
    const { stdout } = await runPlimsoll(["db", "status", "--db", db]);

    expect(stdout).toMatch(/^debian +4 +2026-11-21T12:00:00.000Z/m);
  });

  it("refuses a file that is no database", async () => {
    const { code, stderr } = await runPlimsoll([
      "db",
      "status",
      "--db",
      folder.write("text.db", "this is no database, at all\n".repeat(99)),
    ]);

    expect(code).toBe(4);
    expect(stderr).toContain("text.db");
  });
});

describe("plimsoll version compare", () => {
  it.each([
    ["dpkg", "1.0~rc1", "1.0", "1.0~rc1 < 1.0\n"],
    ["rpm", "1:1-1", "2-1", "1:1-1 > 2-1\n"],
    ["pep440", "1.0", "1.0.0", "1.0 = 1.0.0\n"],
  ])("%s %s %s", async (scheme, a, b, expected) => {
    expect((await runPlimsoll(["version", "compare", scheme, a, b])).stdout).toBe(expected);
  });

  it("names the schemes when one is unknown, and the text when a version is malformed", async () => {
    const unknown = await runPlimsoll(["version", "compare", "deb", "1", "2"]);
    const malformed = await runPlimsoll(["version", "compare", "apk", "x.y", "2"]);

    expect([unknown.code, malformed.code]).toEqual([2, 2]);
    expect(unknown.stderr).toContain("dpkg");
    expect(malformed.stderr).toContain("x.y");
  });
});

describe("plimsoll completion", () => {
  it.each(["bash", "zsh", "fish"])("prints a script for %s", async (shell) => {
    const { code, stdout } = await runPlimsoll(["completion", shell]);

    expect(code).toBe(0);
    expect(stdout).toContain("explain");
    if (shell === "bash") expect(spawnSync("bash", ["-n"], { input: stdout }).status).toBe(0);
  });
});

describe("plimsoll --help and --version", () => {
  it("end well", async () => {
    expect((await runPlimsoll(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runPlimsoll(["scan", "--help"])).stdout).toContain("docker-archive:FILE");
    expect((await runPlimsoll(["--help"])).code).toBe(0);
  });
});
