/** An index of published Java archives: built from a folder, and used by scans of an application whose archives say nothing of themselves. */
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { makeZip } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianTracker } from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const data = tempFolder();
afterAll(() => data[Symbol.dispose]());

/** Archives of a Quarkus application. But for the last, whose artifact repeats its group, neither names nor contents say where the group ends. */
const archives = [
  "org.example.db:driver:42.7.1",
  "io.example:example-api:1.0.0.Final",
  "com.example:example-jdbc:12.2.0.jre11",
  "example:example:1.5",
].map((coordinates) => {
  const [group = "", artifact = "", version = ""] = coordinates.split(":");
  const place = `${group.replaceAll(".", "/")}/${artifact}/${version}/${artifact}-${version}.jar`;
  return { group, artifact, version, place, bytes: makeZip({ "A.class": coordinates }) };
});

const path = (name: string) => join(data.path, name);
const purls = archives.map(({ group, artifact, version }) => `pkg:maven/${group}/${artifact}@${version}`).toSorted();

function put(name: string, bytes: Uint8Array): void {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), bytes);
}

beforeAll(() => {
  put("root/etc/os-release", Buffer.from("ID=wolfi\n"));
  for (const { group, artifact, version, place, bytes } of archives) {
    put(`repository/${place}`, bytes);
    put(`root/opt/quarkus-app/lib/main/${group}.${artifact}-${version}.jar`, bytes);
  }
});

/** The purls of packages that an SBOM of the application has, with the flags. */
async function purlsWith(db: string, ...flags: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runPlimsoll(["sbom", `dir:${path("root")}`, "-o", "cyclonedx", "--db", path(db), ...flags]);
  const { components = [] } = JSON.parse(stdout) as { readonly components?: readonly { readonly purl?: string }[] };
  return components.flatMap(({ purl }) => (purl?.startsWith("pkg:maven/") ? [purl] : [])).toSorted();
}

describe("plimsoll db java-index build", () => {
  it("makes an index that identifies every archive; without one, no group is made up", async () => {
    const built = await runPlimsoll(["db", "java-index", "build", path("repository"), "-o", path("index.db")]);

    expect(built).toEqual({ code: 0, stdout: `${path("index.db")}: 4 archives\n`, stderr: "" });
    expect(await purlsWith("a.db", "--java-index", path("index.db"))).toEqual(purls);
    const withGroup = (await purlsWith("a.db")).filter((purl) => purl.split("/").length > 2);
    expect(withGroup).toEqual(["pkg:maven/example/example@1.5"]);
  });

  it("puts the index beside the database, where scans find it and db status shows it", async () => {
    await runPlimsoll(["db", "java-index", "build", path("repository"), "--db", path("b.db")]);

    const status = await runPlimsoll(["db", "status", "--db", path("b.db")]);

    expect(existsSync(path("b.db.java-index"))).toBe(true);
    expect(status.stdout).toMatch(/^java index: .*b\.db\.java-index, 4 archives, 0\.\d MB$/m);
    expect(await purlsWith("b.db")).toEqual(purls);
  });

  it("is named for a question about images that were scanned with it", async () => {
    const [db, index] = [path("asked.db"), path("index.db")];
    put("tracker.json", Buffer.from(debianTracker({ openssl: { "CVE-2024-0001": { urgency: "high" } } })));
    await runPlimsoll(["db", "update", "--db", db, "--feed", `debian=${path("tracker.json")}`]);
    await purlsWith("asked.db", "--java-index", index);
    const ask = (...words: string[]) => runPlimsoll(["affected", "CVE-2026-0001", "--db", db, "--strict", ...words]);

    expect((await ask()).stderr).toContain("with another index of Java archives");
    expect((await ask("--java-index", index)).stderr).not.toContain("index of Java archives");
  });

  it("lists what it cannot identify", async () => {
    put("unknown/a.jar", makeZip({ "A.class": "" }));

    const built = await runPlimsoll(["db", "java-index", "build", path("unknown"), "-o", path("unknown.db")]);

    expect(built).toEqual({
      code: 0,
      stdout: `${path("unknown.db")}: 0 archives\n`,
      stderr:
        "plimsoll: 1 archive could not be identified\nplimsoll: a.jar: group, artifact and version are not known\n" +
        "plimsoll: the Java index has no archive, so it identifies none\n",
    });
    const strict = await runPlimsoll([
      "db",
      "java-index",
      "build",
      path("unknown"),
      "-o",
      path("unknown.db"),
      "--strict",
    ]);
    expect([strict.code, strict.stderr]).toEqual([
      3,
      expect.stringContaining("--strict: the Java index has no archive"),
    ]);
  });

  it("fails for a missing folder", async () => {
    const built = await runPlimsoll(["db", "java-index", "build", path("none"), "-o", path("none.db")]);

    expect([built.code, built.stderr]).toEqual([
      3,
      expect.stringContaining(`the folder ${path("none")} cannot be read`),
    ]);
  });
});

describe("plimsoll db update --feed java-index", () => {
  const update = (db: string, place: string) =>
    runPlimsoll(["db", "update", "--db", path(db), "--feed", `java-index${place}`]);

  it("fetches the index alone, and says when it is up to date", async () => {
    copyFileSync(path("index.db"), path("source.db"));

    const ran = [await update("c.db", `=${path("source.db")}`), await update("c.db", `=${path("source.db")}`)];
    const status = await runPlimsoll(["db", "status", "--db", path("c.db")]);

    expect(ran.map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, expect.stringMatching(/^java-index: 4 archives, 0\.\d MB, in .*c\.db\.java-index\n$/)],
      [0, "java-index: up to date\n"],
    ]);
    expect(existsSync(path("c.db"))).toBe(false);
    expect(status.stdout).toContain(`from ${path("source.db")}, changed 2026-11-21T12:00:00.000Z`);
    expect(await purlsWith("c.db")).toEqual(purls);
  });

  it.each([
    ["without a place", "", 2, "this feed has no address of its own"],
    ["with a place that is missing", "=/missing/index.db", 3, "there is no file or folder /missing/index.db"],
    ["with a registry that is not reached", "=registry:localhost:1/index:1", 3, "java-index: "],
  ])("fails %s", async (_, place, code, message) => {
    const ran = await update("d.db", place);

    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe("plimsoll scan --java-index", () => {
  it.each([
    ["is missing", "none.db", "there is no such file"],
    ["is no index", "root/etc/os-release", 'expected "SQLite format 3"'],
  ])("fails if the file %s", async (_, file, message) => {
    const ran = await runPlimsoll(["sbom", `dir:${path("root")}`, "--db", path("e.db"), "--java-index", path(file)]);

    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining(message)]);
  });
});
