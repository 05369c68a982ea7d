import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildImage, buildLayer } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll, testNow } from "./support/run-plimsoll.ts";
import { debianImage, debianTracker, ociArchive } from "./support/sample-image.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db, image } = world;
const upgraded = await debianImage(["libssl3 3.0.11-1~deb12u2 openssl", "curl 7.88.1-10 curl"]);
const other = folder.write("other.tar", await ociArchive(upgraded));

const diff = (...words: string[]) => runPlimsoll(["diff", ...words, "--db", db]);

describe("plimsoll diff", () => {
  it("says which packages and findings differ between two images", async () => {
    const { code, stdout, stderr } = await diff(image, other, "-o", "json");
    const { packages, findings, before, after } = JSON.parse(stdout);

    expect([code, stderr]).toEqual([0, ""]);
    expect([before.source, after.source]).toEqual([image, other]);
    expect(packages).toMatchObject({
      added: [{ name: "curl", version: "7.88.1-10" }],
      removed: [{ name: "zlib1g", version: "1:1.2.13.dfsg-1" }],
      changed: [{ before: { version: "3.0.11-1~deb12u1" }, after: { name: "libssl3", version: "3.0.11-1~deb12u2" } }],
    });
    expect(findings.added).toEqual([]);
    expect(findings.removed).toMatchObject([
      { vulnerability: "CVE-2024-0001", package: "libssl3", severity: "High", cause: "fixed" },
      { vulnerability: "CVE-2023-45853", package: "zlib1g", cause: "package-removed" },
    ]);
    expect(findings.changed).toMatchObject([{ before: { vulnerability: "CVE-2024-0002" } }]);
  });

  it("shows tables, markdown and lines of JSON", async () => {
    const table = await diff(other, image);
    const markdown = await diff(other, image, "-o", "markdown");
    const lines = await diff(other, image, "-o", "ndjson", "--show", "high+");

    expect(table.stdout).toContain("packages: 1 added, 1 removed, 1 changed");
    expect(table.stdout).toMatch(
      /added +CVE-2024-0001 +libssl3 +3\.0\.11-1~deb12u1 +3\.0\.11-1~deb12u2 +High +the package has/,
    );
    expect(markdown.stdout).toContain("| added | CVE-2024-0001 | libssl3 | 3.0.11-1&#126;deb12u1 |");
    const kinds = lines.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(kinds.filter(({ kind }) => kind === "finding")).toMatchObject([{ change: "added", severity: "High" }]);
  });

  it("says in every format what each side covers, and which findings it cannot decide", async () => {
    const purls = folder.write("less.txt", "pkg:deb/debian/libssl3@3.0.11-1~deb12u1?arch=amd64&distro=debian-12\n");
    const outputs = await Promise.all(
      ["table", "json", "ndjson", "markdown"].map((format) => diff(image, `purl:${purls}`, "-o", format)),
    );
    const [table = "", json = "", lines = "", markdown = ""] = outputs.map(({ stdout }) => stdout);

    expect(table).toMatch(
      /^before: .*\n {8}coverage: complete, .*\nafter: .*\n {8}coverage: partial, .* 1 undecided package/m,
    );
    expect(table).toMatch(/removed +CVE-2024-0001 +libssl3 .* the other side cannot decide it/);
    expect(markdown).toMatch(/^- Before: .*\n {2}- Coverage: complete.*\n- After: .*\n {2}- Coverage: partial/m);
    for (const text of [json, lines.split("\n")[0] ?? ""]) {
      expect(JSON.parse(text)).toMatchObject({
        before: { coverage: { status: "complete" } },
        after: { coverage: { status: "partial", undecided_packages: [{ fact: "source" }] } },
      });
    }
    expect(JSON.parse(json).findings.removed[0]).toMatchObject({ vulnerability: "CVE-2024-0001", cause: "undecided" });
  });

  it("names licences and dependencies that changed, in every format", async () => {
    const module = (name: string, more: object) => ({
      [`app/node_modules/${name}/package.json`]: JSON.stringify({ name, version: "1.0.0", ...more }),
    });
    const imageOf = async (file: string, license: string, needs: readonly string[]) => {
      const dependencies = Object.fromEntries(needs.map((each) => [each, "1"]));
      const tree = { ...module("redis", { license, dependencies }), ...module("old", {}), ...module("now", {}) };
      return folder.write(file, await ociArchive(await buildImage({ layers: [await buildLayer(tree)] })));
    };
    const before = await imageOf("licensed-1.tar", "BSD-3-Clause", ["old"]);
    const after = await imageOf("licensed-2.tar", "SSPL-1.0", ["now"]);
    const [table, json, lines, markdown] = await Promise.all(
      ["table", "json", "ndjson", "markdown"].map((format) => diff(before, after, "-o", format)),
    );

    expect(table?.stdout).toMatch(/^licenses: 1 changed\n.*\nredis +BSD-3-Clause +SSPL-1\.0$/m);
    expect(table?.stdout).toMatch(/^dependencies: 1 changed\n.*\nredis +old +now$/m);
    expect(JSON.parse(json?.stdout ?? "")).toMatchObject({
      licenses: [{ package: "redis", before: "BSD-3-Clause", after: "SSPL-1.0" }],
      dependencies: [{ package: "redis", added: ["now"], removed: ["old"] }],
    });
    expect(lines?.stdout).toContain('{"kind":"license","package":"redis","before":"BSD-3-Clause","after":"SSPL-1.0"}');
    expect(markdown?.stdout).toContain("## Dependencies: 1 changed\n\n| package | no longer needs | needs now |");
  });

  it("lets what is new fail a gate, and nothing else", async () => {
    const worse = await diff(other, image, "--fail-on", "high+");
    const better = await diff(image, other, "--fail-on", "high+");

    expect(worse.code).toBe(1);
    expect(worse.stderr).toContain("--fail-on: 1 new finding in");
    expect(better).toMatchObject({ code: 0, stderr: "" });
  });

  it("compares with a report of earlier, which needs no image", async () => {
    const report = join(folder.path, "report.json");
    await runPlimsoll(["scan", image, "--db", db, "-o", `json=${report}`]);

    const byContent = await diff(report, other, "-o", "json");
    const same = await runPlimsoll(["diff", `report:${report}`, report]);

    expect(JSON.parse(byContent.stdout).findings.removed).toHaveLength(2);
    expect(JSON.parse(byContent.stdout).before.source).toBe(`report:${report}`);
    expect(same.stdout).toContain("findings: 0 added, 0 removed, 0 changed");
    expect(same.stderr).toBe("");
    expect(readFileSync(report, "utf8")).toContain("manifest_hash");
  });

  it("reads a report in UTF-16, and does not judge by exploits that nothing was loaded about", async () => {
    const report = join(folder.path, "windows.json");
    await runPlimsoll(["scan", image, "--db", db, "-o", `json=${report}`]);
    writeFileSync(report, `\ufeff${readFileSync(report, "utf8")}`, "utf16le");

    const judged = await runPlimsoll(["diff", report, report, "--fail-on", "exploited"]);
    const allowed = await runPlimsoll(["diff", report, report, "--fail-on", "exploited", "--allow-incomplete"]);

    expect([judged.code, allowed.code]).toEqual([3, 0]);
    expect(judged.stderr).toContain("its report was made without the catalog of exploited vulnerabilities");
  });

  it("compares what was known at two times", async () => {
    const later = testNow + 40 * 86_400_000;
    const own = join(folder.path, "dates.db");
    const update = (name: string, text: string, now: number) =>
      runPlimsoll(["db", "update", "--db", own, "--feed", `debian=${folder.write(name, text)}`], { now });
    await update("1.json", debianTracker({ openssl: { "CVE-2024-0001": { urgency: "high" } } }), testNow);
    await update("2.json", debianTracker({ openssl: { "CVE-2024-0009": { urgency: "high" } } }), later);
    const run = (...words: string[]) => runPlimsoll([...words, "--db", own], { now: later + 1 });
    const [then, before] = [new Date(testNow + 1).toISOString(), new Date(testNow - 1).toISOString()];

    const changed = await run("diff", image, "--as-of", then, "-o", "json");
    const same = await run("diff", image, image, "--as-of", then, "-o", "json");
    const tooEarly = await run("diff", image, "--as-of", before);
    const scanned = await run("scan", image, "--as-of", then, "-o", "ndjson");
    const explained = await run("explain", image, "CVE-2024-0001", "--as-of", then);
    const scanTooEarly = await run("scan", image, "--as-of", before);
    const explainTooEarly = await run("explain", image, "CVE-2024-0001", "--as-of", before);

    const { findings, before: side } = JSON.parse(changed.stdout);
    expect(side.as_of).toBe(then);
    expect(findings.added).toMatchObject([{ vulnerability: "CVE-2024-0009", cause: "advisory-added" }]);
    expect(findings.removed).toMatchObject([{ vulnerability: "CVE-2024-0001", cause: "advisory-withdrawn" }]);
    expect(JSON.parse(same.stdout).findings).toEqual({ added: [], removed: [], changed: [] });
    expect(scanned.stdout).toContain('"vulnerability":"CVE-2024-0001"');
    expect(scanned.stdout).not.toContain("CVE-2024-0009");
    expect(explained.stdout).toContain("CVE-2024-0001: affected");
    for (const { code, stderr } of [tooEarly, scanTooEarly, explainTooEarly]) {
      expect(code).toBe(4);
      expect(stderr).toContain(`the advisories of debian:12 are known since ${new Date(testNow).toISOString()}`);
    }
  });

  it.each([
    [[image], "expected two sources, or one and --as-of DATE"],
    [[image, other, "--as-of", "yesterday"], "--as-of: expected a day"],
    [[image, "report:/none/x.json"], "/none/x.json"],
    [[image, other, "--platform", "all"], "--platform: diff compares single images"],
  ])("refuses %j", async (words, message) => {
    const { code, stderr } = await diff(...words);

    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
