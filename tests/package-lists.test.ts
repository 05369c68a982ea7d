import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db, image } = world;

const openssl = "pkg:deb/debian/libssl3@3.0.11-1~deb12u1?arch=amd64&distro=debian-12&upstream=openssl";

function findings(stdout: string): readonly string[] {
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  return lines.filter(({ kind }) => kind === "finding").map((each) => `${each.vulnerability} ${each.package}`);
}

describe("plimsoll scan of lists of packages", () => {
  it.each([["cyclonedx"], ["spdx"]])("finds in an SBOM as %s what it finds in the image", async (format) => {
    const list = join(folder.path, `${format}.json`);
    await runPlimsoll(["sbom", image, "--db", db, "-o", `${format}=${list}`]);
    const ofImage = await runPlimsoll(["scan", image, "--db", db, "-o", "ndjson"]);

    const named = await runPlimsoll(["scan", `sbom:${list}`, "--db", db, "-o", "ndjson"]);
    const bare = await runPlimsoll(["scan", list, "--db", db, "-o", "ndjson"]);
    const piped = await runPlimsoll(["scan", "sbom:-", "--db", db, "-o", "ndjson"], { stdin: readFileSync(list) });

    expect(findings(ofImage.stdout)).not.toEqual([]);
    for (const { stdout, code } of [named, bare, piped]) {
      expect(code).toBe(0);
      expect(findings(stdout)).toEqual(findings(ofImage.stdout));
    }
  });

  it("judges packages by their package URLs, and explains", async () => {
    const { stdout } = await runPlimsoll([
      "scan",
      `purl:${openssl},pkg:npm/lodash@4.17.20`,
      "--db",
      db,
      "-o",
      "ndjson",
    ]);
    const listed = folder.write("purls.txt", `# ours\n${openssl}\n`);
    const ofFile = await runPlimsoll(["scan", `purl:${listed}`, "--db", db, "-o", "ndjson", "--fail-on", "high+"]);
    const explained = await runPlimsoll(["explain", openssl, "CVE-2024-0001", "--db", db]);

    expect(findings(stdout)).toEqual(["CVE-2024-0001 libssl3", "CVE-2024-0002 libssl3"]);
    expect(ofFile.code).toBe(1);
    expect(explained.stdout).toContain("CVE-2024-0001: affected");
  });

  it("says which release is at its end, and which other prefixes read a file that is no archive of images", async () => {
    const two = ["8", "9"].map((release) => `pkg:deb/debian/a@1?distro=debian-${release}&upstream=a`).join(",");
    const text = folder.write("text.pex", "no archive");

    const ended = await runPlimsoll(["index", `purl:${two}`, "--db", db]);
    const wrong = await runPlimsoll(["index", text, "--db", db]);

    for (const release of ["debian 8", "debian 9"])
      expect(ended.stdout).toContain(`the last security fixes for ${release} came on`);
    expect(wrong.stderr).toContain(
      "expected an archive of images (tar, or compressed with gzip, zstd, xz or bzip2; sbom: reads a bill of materials, file: ",
    );
  });

  it("refuses what is no list", async () => {
    const broken = folder.write("broken.json", '{"bomFormat": "CycloneDX"');
    const runs = [
      await runPlimsoll(["scan", broken, "--db", db]),
      await runPlimsoll(["scan", "pkg:npm/lodash", "--db", db]),
    ];

    expect(runs.map(({ code }) => code)).toEqual([3, 3]);
    expect(runs[1]?.stderr).toContain("expected a version to judge by");
  });
});
