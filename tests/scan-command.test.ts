import { readFileSync } from "node:fs";
import { join } from "node:path";
import { coverageEnrichment } from "@plimsoll/core/internal";
import { buildImage, buildLayer } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { Interruption } from "../packages/server/src/cli/io.ts";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll, testNow } from "./support/run-plimsoll.ts";
import { ociArchive } from "./support/sample-image.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db, image } = world;
const scan = (...flags: string[]) => runPlimsoll(["scan", image, "--db", db, ...flags]);

describe("plimsoll scan", () => {
  it("prints a row per finding, coverage and the age of the data", async () => {
    const { code, stdout, stderr } = await scan();

    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toContain("distribution: Debian GNU/Linux 12 (bookworm)");
    expect(stdout).toMatch(/^CVE-2024-0001 +libssl3 +3\.0\.11-1~deb12u1 +3\.0\.11-1~deb12u2 +High$/m);
    expect(stdout).toMatch(/^CVE-2023-45853 +zlib1g +1:1\.2\.13\.dfsg-1 +no fix +Medium$/m);
    expect(stdout).toContain("3 findings (1 High, 1 Medium, 1 Negligible)");
    expect(stdout).toContain("coverage: complete, 2 of 2 layers read, 2 packages in 1 database");
    expect(stdout).toContain(`debian:12 covered by data of ${new Date(testNow).toISOString()}`);
  });

  it("keeps one row per finding within 80 columns", async () => {
    const { stdout } = await runPlimsoll(["scan", image, "--db", db, "--color", "never"], { columns: 80 });

    const table = stdout.split("\n").filter((line) => /^(?:CVE|VULN)/.test(line));
    expect(table.map((line) => line.split(/ {2,}/))).toEqual([
      ["VULNERABILITY", "PACKAGE", "INSTALLED", "FIXED IN", "SEVERITY"],
      ["CVE-2024-0001", "libssl3", "3.0.11-1~deb12u1", "3.0.11-1~deb12u2", "High"],
      ["CVE-2023-45853", "zlib1g", "1:1.2.13.dfsg-1", "no fix", "Medium"],
      ["CVE-2024-0002", "libssl3", "3.0.11-1~deb12u1", "no fix", "Negligible"],
    ]);
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it.each([
    ["SIGINT", 130, "interrupted"],
    ["SIGTERM", 143, "asked to stop"],
  ] as const)("ends with the code of %s when it is stopped, and says so", async (name, expected, message) => {
    const signal = AbortSignal.abort(new Interruption(name));

    const { code, stderr } = await runPlimsoll(["scan", image, "--db", db], { signal });

    expect({ code, stderr }).toEqual({ code: expected, stderr: `plimsoll: ${message}\n` });
  });

  it.each([
    ["image", image, "--db", db, "-f", "json"],
    ["image", image, "--db", db, "--format", "json"],
  ])("is what others call %s %s", async (...words) => {
    const { code, stdout } = await runPlimsoll(words);

    expect(code).toBe(0);
    expect(JSON.parse(stdout).manifest_hash).toMatch(/^sha256:/);
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
    ["high+", 1, "--fail-on: 1 finding in"],
    ["high+,fixable", 1, "(high+,fixable)"],
    ["low,medium,fixable", 0, ""],
    ["medium,fixable", 1, "--fail-on: 1 finding in"],
    ["critical", 0, ""],
    ["negligible+", 1, "--fail-on: 3 findings"],
  ])("ends with the gate's verdict for --fail-on %s", async (filter, expected, reason) => {
    const { code, stderr } = await scan("--fail-on", filter);

    expect(code).toBe(expected);
    expect(stderr).toContain(reason);
  });

  it("shows only what --show asks for and says how much it hides, while JSON stays whole", async () => {
    const { stdout } = await scan("--show", "high+");

    expect(stdout).toContain("1 finding (1 High); 2 more not shown");
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

  it("says that a distribution gets no security fixes any more, from the day after the last on", async () => {
    const last = Date.UTC(2028, 5, 30, 23);
    const atTime = (now: number, format: string) => runPlimsoll(["scan", image, "--db", db, "-o", format], { now });

    const [during, after] = [await atTime(last, "table"), await atTime(last + 3_600_000, "table")];
    const lines = (await atTime(last + 3_600_000, "ndjson")).stdout.split("\n");
    const report = JSON.parse((await atTime(last, "json")).stdout);

    const message = "end of life: the last security fixes for Debian GNU/Linux 12 (bookworm) came on 2028-06-30";
    expect(during.stdout).not.toContain("end of life");
    expect(after.stdout).toContain(message);
    expect(JSON.parse(lines[0] ?? "").distributions).toEqual([
      { did: "debian", version_id: "12", ended: "2028-06-30" },
    ]);
    expect(report.enrichments[coverageEnrichment][0].end_of_life).toEqual([
      { distribution_id: expect.any(String), day: "2028-06-30" },
    ]);
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
    expect(lenient.stdout).toContain("advisories: none, as no package is of a distribution or language that has them");
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
    [["scan", "a", "-o", "xml"], '"xml" is not a format'],
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
    expect(stderr).toContain("the result will not be stored");
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
