import { join } from "node:path";
import { fromOciArchive, openScanner } from "@plimsoll/scanner";
import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage, ociArchive } from "./support/sample-image.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db, image } = world;
const upgraded = await debianImage(["libssl3 3.0.11-1~deb12u2 openssl", "curl 7.88.1-10 curl"]);
const other = folder.write("other.tar", await ociArchive(upgraded));

const affected = (...words: string[]) => runPlimsoll(["affected", ...words, "--db", db]);

describe("plimsoll affected", () => {
  it("knows no image before one was scanned, and a gate cannot judge", async () => {
    const { code, stdout, stderr } = await affected("CVE-2024-0001");
    const gated = await affected("CVE-2024-0001", "--fail-on", "high+");

    expect([code, stderr]).toEqual([0, "plimsoll: no image was scanned with this database yet\n"]);
    expect(stdout).toContain("0 of 0 indexed images");
    expect(gated.code).toBe(3);
    expect(gated.stderr).toContain("--fail-on could not judge: no image was scanned");
  });

  it("says which of the scanned images have it, with package, versions and status", async () => {
    await runPlimsoll(["scan", image, "--db", db]);
    await runPlimsoll(["index", other, "--db", db]);

    const json = await affected("cve-2024-0001", "-o", "json");
    const table = await affected("CVE-2024-0001");
    const lines = await affected("CVE-2024-0001", "-o", "ndjson");

    expect([json.code, json.stderr]).toEqual([0, ""]);
    const answer = JSON.parse(json.stdout);
    expect(answer).toMatchObject({
      vulnerability: "CVE-2024-0001",
      known: true,
      indexed_images: 2,
      outdated_images: 0,
    });
    expect(answer.uncovered).toEqual([]);
    expect(answer.images).toMatchObject([
      {
        image: `${image} app:1 (linux/amd64)`,
        names: [`${image} app:1 (linux/amd64)`],
        packages: [
          {
            package: "libssl3",
            installed: "3.0.11-1~deb12u1",
            fixed_in: "3.0.11-1~deb12u2",
            status: "affected",
            vulnerability: "CVE-2024-0001",
            severity: "High",
          },
        ],
      },
    ]);
    expect(table.stdout).toContain("1 of 2 indexed images");
    expect(table.stdout).toMatch(/libssl3 +3\.0\.11-1~deb12u1 +3\.0\.11-1~deb12u2 +High +affected +20/);
    expect(
      lines.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ package: "libssl3" }]);
  });

  it.each([
    ["CVE-2024-0002", 2],
    ["CVE-2023-45853", 1],
    ["CVE-2024-0003", 0],
  ])("finds %s in %i of the images, as a scan does", async (vulnerability, count) => {
    const { stdout } = await affected(vulnerability, "-o", "json");

    expect(JSON.parse(stdout).images).toHaveLength(count);
  });

  it("says so where no loaded feed speaks of it", async () => {
    const { code, stdout, stderr } = await affected("CVE-1999-0001");
    const strict = await affected("CVE-1999-0001", "--strict");

    expect([code, stderr]).toEqual([0, "plimsoll: no loaded feed mentions CVE-1999-0001\n"]);
    expect(stdout).toContain("0 of 2 indexed images");
    expect(strict.code).toBe(3);
  });

  it("lets a gate fail by what is found, and takes out what statements say", async () => {
    const vex = folder.write(
      "affected.openvex.json",
      JSON.stringify({
        "@context": "https://openvex.dev/ns/v0.2.0",
        author: "A",
        statements: [
          {
            vulnerability: "CVE-2024-0001",
            products: ["pkg:deb/debian/libssl3"],
            status: "not_affected",
            justification: "component_not_present",
          },
        ],
      }),
    );

    const gated = await affected("CVE-2024-0001", "--fail-on", "high+");
    const lower = await affected("CVE-2024-0001", "--fail-on", "critical");
    const stated = await affected("CVE-2024-0001", "--fail-on", "high+", "--vex", vex);

    expect(gated.code).toBe(1);
    expect(gated.stderr).toContain("--fail-on: 1 finding in");
    expect(lower).toMatchObject({ code: 0, stderr: "" });
    expect(stated).toMatchObject({ code: 0, stderr: "" });
    expect(stated.stdout).toContain("0 of 2 indexed images");
  });

  it("looks at what a name stood for last", async () => {
    const moving = folder.write("moving.tar", await ociArchive(await debianImage(["zlib1g 1:1.2.13.dfsg-1 zlib"])));
    await runPlimsoll(["scan", moving, "--db", db]);
    const before = JSON.parse((await affected("CVE-2023-45853", "-o", "json")).stdout);
    folder.write("moving.tar", await ociArchive(upgraded));
    await runPlimsoll(["scan", moving, "--db", db]);

    const after = JSON.parse((await affected("CVE-2023-45853", "-o", "json")).stdout);
    const both = JSON.parse((await affected("CVE-2024-0002", "-o", "json")).stdout);

    expect(before.images.map((each: { image: string }) => each.image)).toEqual([
      `${image} app:1 (linux/amd64)`,
      `${moving} app:1 (linux/amd64)`,
    ]);
    expect(after.images).toHaveLength(1);
    expect(after.indexed_images).toBe(2);
    expect(both.images.map((each: { names: string[] }) => each.names.length).toSorted()).toEqual([1, 2]);
  });

  it.each([[" "], [""]])("refuses %j as a vulnerability", async (word) => {
    expect((await affected(word)).code).toBe(2);
  });

  it("says that packages cannot be judged, which no advisory leads to", async () => {
    const purl = "pkg:deb/debian/libcurl4@7.88.1-10?distro=debian-12";
    const bom = {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      components: [{ type: "library", name: "libcurl4", purl }],
    };
    const own = join(folder.path, "undecided.db");
    await runPlimsoll(["index", `sbom:${folder.write("curl.cdx.json", JSON.stringify(bom))}`, "--db", own]);

    const { code, stdout, stderr } = await runPlimsoll(["affected", "CVE-2024-0001", "-o", "json", "--db", own]);

    expect([code, JSON.parse(stdout).undecided_packages]).toEqual([0, 1]);
    expect(stderr).toContain("1 package of these images cannot be judged, since facts about it are not known");
  });

  it("is a question of the library as well", async () => {
    await using scanner = await openScanner({ db: join(folder.path, "library.db") });
    for await (const { report } of scanner.indexAll(fromOciArchive(image))) expect(report.success).toBe(true);

    const answer = await scanner.affected("CVE-2024-0001");

    expect(answer).toMatchObject({ isKnown: false, indexedCount: 1, outdatedCount: 0, images: [] });
    expect(answer.feeds).toEqual([{ ecosystem: "debian:12", covered: false }]);
  });
});
