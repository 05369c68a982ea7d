/** The commands beside `scan` as a user meets them: real archives, a real database file, real feeds from files. */

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buildImage, buildLayer, type Tree } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { makeAsar } from "../packages/core/src/ecosystems/npm/fixtures/make-asar.ts";
import { openCommandWorld } from "./support/command-world.ts";
import { plimsollWords } from "./support/killed-program.ts";
import { runPlimsoll, testNow } from "./support/run-plimsoll.ts";
import { debianRelease, debianTracker, ociArchive } from "./support/sample-image.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db, image, tracker } = world;
const scan = (...flags: string[]) => runPlimsoll(["scan", image, "--db", db, ...flags]);

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

    const {
      feeds: _,
      undecided: __,
      end_of_life: ___,
      enrichers: ____,
      ...coverage
    } = scanned.enrichments["application/vnd.plimsoll.coverage+json"][0];
    expect(indexed.coverage).toEqual(coverage);
    expect(indexed.coverage).toMatchObject({ status: "complete", databases: [{ packages: 2 }], unassessed: [] });
  });
});

describe("plimsoll explain", () => {
  const explain = (...words: string[]) => runPlimsoll(["explain", image, ...words, "--db", db]);

  it.each([
    [["CVE-2024-0001"], ["libssl3 3.0.11-1~deb12u1", "fixed in 3.0.11-1~deb12u2", "added by layer sha256:"]],
    [
      ["CVE-2024-0003", "--package", "openssl"],
      ["not affected", "vendor"],
    ],
    [["CVE-1999-0001", "--package", "zlib1g"], ["no advisory mentions it"]],
    [["CVE-2024-0001", "--package", "bash"], ["no such package"]],
  ])("answers %j", async (words, expected) => {
    const { code, stdout } = await explain(...words);

    expect(code).toBe(0);
    for (const text of expected) expect(stdout).toContain(text);
  });

  const unknownSource = "purl:pkg:deb/debian/libssl3@3.0.11-1?distro=debian-12";
  it.each([
    ["ends with 0 for an answer", image, db, 0, ""],
    ["ends with 4 without advisory data", image, join(folder.path, "other.db"), 4, "no advisory data"],
    [
      "ends with 3 for an open answer",
      unknownSource,
      db,
      3,
      `plimsoll: --strict: whether CVE-2024-0001 affects ${unknownSource} could not be decided (undecided)\n`,
    ],
  ])("with --strict %s", async (_, source, place, code, message) => {
    const found = await runPlimsoll(["explain", source, "CVE-2024-0001", "--db", place, "--strict", "--quiet"]);

    expect(found.code).toBe(code);
    expect(found.stderr).toContain(message);
  });

  it("writes as JSON that the kind of a package is not assessed, and the evidence of it", async () => {
    const path = "app/resources/lodash-4.17.20.asar";
    const trees: Tree[] = [{ "etc/os-release": debianRelease }, { [path]: makeAsar({ "main.js": "" }) }];
    const layers = await Promise.all(trees.map((tree) => buildLayer(tree)));
    const withAsar = folder.write("asar.tar", await ociArchive(await buildImage({ layers })));
    const words = ["CVE-2021-23337", "--package", "lodash", "-o", "json", "--db", db];

    const { code, stdout } = await runPlimsoll(["explain", withAsar, ...words]);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      vulnerability: "CVE-2021-23337",
      package: "lodash",
      answer: "not-assessed",
      packages: [],
      problems: [],
      unassessed: [{ kind: "npm", count: 1, evidence: [{ path, layer: layers[1]?.digest }] }],
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
    expect(update.stderr).toContain("the data of its last good update are kept: ");
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
    expect(stderr).toContain("debian: 1 problem: records, or parts of records, could not be read and are missing");
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
    expect(lenient.stdout).toBe("debian: 1 advisory, 1 new, 0 gone, 1 problem\n");
    expect(unchanged.code).toBe(3);
    expect(unchanged.stdout).toBe("debian: up to date\n");
    expect(unchanged.stderr).toContain(
      "--strict: debian has 1 problem: records, or parts of records, could not be read and are missing",
    );
    expect(status.stdout).toMatch(/^debian +1 advisory .* 1$/m);
    expect(status.stdout).toContain(
      "debian: 1 problem: records, or parts of records, could not be read and are missing",
    );
    expect(status.stdout).toContain(`  ${odd}: a.CVE-1.releases: expected an object, found an array`);
  });

  it("counts the problems of a record apart from the records that failed", async () => {
    const releases = { trixie: { status: "open" }, bookworm: 7, bullseye: 8 };
    const odd = folder.write("parts.json", JSON.stringify({ a: { "CVE-1": { releases } } }));
    const place = ["--db", join(folder.path, "parts.db")];

    const update = await runPlimsoll(["db", "update", ...place, "--feed", `debian=${odd}`]);
    const status = await runPlimsoll(["db", "status", ...place]);

    expect(update.stdout).toBe("debian: 1 advisory, 1 new, 0 gone, 2 problems\n");
    expect(status.stdout).toMatch(/^debian +1 advisory .* 2$/m);
    expect(status.stdout).toContain("debian: 1 record: 1 read, 0 withdrawn, 0 failed");
  });

  it("says what became of every record of a feed, and warns of a source of which nothing could be used", async () => {
    const affected = (ecosystem: string) => [{ package: { ecosystem, name: "a" }, versions: ["1"] }];
    folder.write("android/ASB-1.json", JSON.stringify({ id: "ASB-1", affected: affected("Android") }));
    folder.write("android/README.md", "# hello");
    const php = folder.write("php/a/b/GHSA-1.yaml", "reference: composer://a/b\nbranches: {m: {versions: ['<2']}}");
    const feeds = ["--feed", `osv=${join(folder.path, "android")}`, "--feed", `php=${join(php, "../../..")}`];
    const place = ["--db", join(folder.path, "accounts.db")];

    const update = await runPlimsoll(["db", "update", ...place, ...feeds]);
    const strict = await runPlimsoll(["db", "update", ...place, ...feeds, "--strict"]);
    const status = await runPlimsoll(["db", "status", ...place]);

    expect(update.code).toBe(0);
    expect(update.stdout).toContain("php: 1 advisory, 1 new, 0 gone\n");
    expect(update.stdout).toContain("osv: 0 advisories, 0 new, 0 gone, 2 skipped\n");
    expect(update.stderr).toContain("osv: no advisory came of 2 records: 0 read, 0 withdrawn, 1 skipped (");
    expect(strict.code).toBe(3);
    expect(strict.stderr).toContain("--strict: osv: no record of the source could be used");
    expect(status.stdout).toContain("osv: warning: no record of the source could be used");
    expect(status.stdout).toContain("php: 1 record: 1 read, 0 withdrawn, 0 failed");
    const json = await runPlimsoll(["db", "status", ...place, "-o", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({
      exists: true,
      feeds: [
        { name: "osv", stored: 0, is_empty_of_use: true, records: { records: 2, read: 0 }, problems: { count: 0 } },
        { name: "php", kind: "vulnerability", stored: 1, records: { records: 1, read: 1, withdrawn: 0, failed: 0 } },
      ],
      failures: [],
    });
    expect(status.stdout).toMatch(/^ {2}other-ecosystem: .*; the first is .*ASB-1\.json \(Android\)$/m);
  });

  it("skips a feed that another process is updating, and goes on at once when that is killed", async () => {
    const silent = createServer(() => {}).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const place = ["--db", join(folder.path, "killed.db")];
    const hanging = ["db", "update", ...place, "--feed", `debian=http://127.0.0.1:${port}/`];
    const child = spawn(process.execPath, [...plimsollWords, ...hanging]);
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
    const placeless = await runPlimsoll(["db", "update", "--db", db, "--feed", "debian="]);
    const both = await runPlimsoll(["db", "update", "--db", db, "--all", "--feed", "debian=x"]);

    expect([unknown.code, placeless.code, both.code]).toEqual([2, 2, 2]);
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

    expect(stdout).toMatch(/^debian +4 advisories +2026-11-21T12:00:00.000Z/m);
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

describe("completion for bash", () => {
  it.each([
    [["sc"], "scan"],
    [["scan", "nginx", "-o", "cy"], "cyclonedx"],
    [["scan", "nginx", "--fail-on", "h"], "high+"],
    [["scan", "--db", "db", "--al"], "--allow-incomplete"],
    [["db", "e"], "export"],
    [["version", "compare", "r"], "rpm"],
    [["completion", "z"], "zsh"],
    [["scan", "--config", ""], ""],
    [["im"], "image import"],
    [["import", "re"], "registry"],
    [["image", "x", "--f"], "--fail-on --format"],
    [["image", "x", "-f", "t"], "table template"],
    [["scan", "x", "--fail-on=h"], "--fail-on=high+"],
    [["scan", "x", "--fail-on", "=", "h"], "high+"],
    [["scan", "x", "--fail-on", "high+,f"], "high+,fixable"],
    [["scan", "x", "--fail-on", "=", "high+,f"], "high+,fixable"],
    [["scan", "x", "--fail-on=high+,f"], "--fail-on=high+,fixable"],
    [["scan", "x", "--color", "="], "auto always never"],
    [["scan", "x", "--fail-on", "=", "high+", "--al"], "--allow-incomplete"],
    [["scan", "--db", "sqlite", ":", "/x", "--al"], "--allow-incomplete"],
    [["serve", "--mode", "all,in"], "all,indexer"],
    [["db", "update", "--feed", "d"], "debian="],
    [["db", "update", "--feed", "=", "d"], "debian="],
    [["db", "update", "--feed", "debian", "="], ""],
    [["db", "update", "--feed", "debian", "=", "/x"], ""],
    [["db", "update", "--feed", "debian", "=", "/x", "--of"], "--offline"],
  ])("completes %j with %j", async (words, expected) => {
    const { stdout } = await runPlimsoll(["completion", "bash"]);
    const asked = words.map((word) => `'${word}'`).join(" ");
    const script = `${stdout}\nCOMP_WORDS=(plimsoll ${asked}) COMP_CWORD=${words.length}; _plimsoll; echo "\${COMPREPLY[*]}"`;

    expect(spawnSync("bash", ["-c", script], { encoding: "utf8" }).stdout.trim()).toBe(expected);
  });
});

describe("completion for fish", () => {
  it.each([
    ["aliases as commands", /^complete -c plimsoll -n '__fish_use_subcommand' -f -a 'scan image /m],
    ["the flags of an alias", /^complete -c plimsoll -n '__fish_seen_subcommand_from scan image' -l fail-on /m],
    ["lists with commas", / -l mode -x -a '\(__fish_complete_list , "string split , all,indexer,[a-z,]+"\)'$/m],
    ["names of feeds before files", / -l feed -r -a '(?:[a-z-]+= )*debian=(?: [a-z-]+=)*'$/m],
  ])("has %s", async (_, line) => {
    expect((await runPlimsoll(["completion", "fish"])).stdout).toMatch(line);
  });
});

describe("what people type", () => {
  it.each([
    [[], 0, "Usage: plimsoll [options] [command]"],
    [["db"], 0, "Usage: plimsoll db"],
    [["version"], 0, "0."],
  ])("plimsoll %j prints on standard output", async (words, expected, text) => {
    const { code, stdout, stderr } = await runPlimsoll(words);

    expect({ code, stderr }).toEqual({ code: expected, stderr: "" });
    expect(stdout).toContain(text);
  });

  it.each([
    [["scn"], "unknown command 'scn'; did you mean scan?"],
    [["scan", "--severity", "high", "x"], "--show high+ shows only such findings"],
    [["scan", "-s", "high", "x"], "--show high+ shows only such findings"],
    [["scan", "--output-file", "a.json", "x"], "-o json=FILE writes a result to a file"],
    [["scan", "--ignore-unfixed", "x"], "--show fixable shows only what has a fix"],
    [["fs", "/"], "unknown command 'fs': run plimsoll scan dir:/\n"],
    [["rootfs", "-q", "x"], "unknown command 'rootfs': run plimsoll scan dir:x\n"],
    [["filesystem", "/x"], "run plimsoll scan dir:/x\n"],
    [["dir", "dir:x"], "run plimsoll scan dir:x\n"],
    [["fs"], "run plimsoll scan dir:PATH\n"],
    [["help", "fs"], "run plimsoll scan dir:PATH\n"],
    [["container", "nginx"], "run plimsoll scan nginx\n"],
    [["nginx:1.27"], "unknown command 'nginx:1.27': to scan it, run plimsoll scan nginx:1.27\n"],
    [["update"], "unknown command 'update': run plimsoll db update\n"],
    [["repo", "x"], "unknown command 'repo': plimsoll looks for vulnerable packages of images"],
    [["db", "check"], "unknown command 'check': run plimsoll db status\n"],
    [["scan", "image", "nginx"], "got 2: image, nginx: run plimsoll scan nginx\n"],
    [["index", "fs", "/x"], "run plimsoll index dir:/x\n"],
    [["explain", "image", "nginx", "CVE-2024-1"], "run plimsoll explain nginx CVE-2024-1\n"],
    [["scan", "a", "b"], "too many arguments for 'scan'. Expected 1 argument but got 2: a, b.\n"],
    [
      ["db", "update", "-f", "json"],
      "unknown option '-f': only commands about images write in several formats: plimsoll help",
    ],
    [["-f", "json", "scan", "x"], "unknown option '-f': flags stand behind the command: plimsoll scan -f json SOURCE"],
    [["constructor"], "unknown command 'constructor'\n"],
    [
      ["scan", "a", "--fail-on", "critical", "--fail-on", "epss>0.5"],
      "--fail-on is given twice, as critical and epss>0.5: one filter has all terms, with commas between them",
    ],
    [["scan", "singularity:app.sif", "--db", ":memory:"], "Singularity images are not read yet"],
  ])("plimsoll %j says what is meant here", async (words, text) => {
    const { code, stderr } = await runPlimsoll(words);

    expect(code).toBe(2);
    expect(stderr).toContain(text);
  });

  it("plimsoll db status and export create nothing", async () => {
    const db = join(folder.path, "none.db");

    const status = await runPlimsoll(["db", "status", "--db", db]);
    const exported = await runPlimsoll(["db", "export", join(folder.path, "out.gz"), "--db", db]);

    expect([status.code, exported.code]).toEqual([0, 4]);
    expect(status.stdout).toContain("(does not exist yet)");
    expect([existsSync(db), existsSync(join(folder.path, "out.gz"))]).toEqual([false, false]);
    expect(await runPlimsoll(["db", "status", "--db", db, "--strict"])).toMatchObject({
      code: 4,
      stderr: "plimsoll: --strict: no feed is loaded: run plimsoll db update\n",
    });
  });

  it("plimsoll db status --strict fails for what is old, incomplete or failed", async () => {
    const db = join(folder.path, "strict.db");
    const now = testNow;
    const tracker = folder.write("tracker.json", debianTracker({ openssl: { "CVE-2024-0001": { urgency: "high" } } }));
    const update = (place: string) => runPlimsoll(["db", "update", "--db", db, "--feed", `debian=${place}`], { now });
    const status = (at: number) => runPlimsoll(["db", "status", "--db", db, "--strict"], { now: at });

    await update(tracker);
    expect(await status(now)).toMatchObject({ code: 0, stderr: "" });
    expect(await status(now + 8 * 86_400_000)).toMatchObject({
      code: 4,
      stderr: `plimsoll: --strict: debian was last checked at ${new Date(now).toISOString()}: run plimsoll db update\n`,
    });
    await update(join(folder.path, "none.json"));
    expect(await status(now)).toMatchObject({
      code: 3,
      stderr: "plimsoll: --strict: debian: the last update failed\n",
    });
  });
});

describe("plimsoll --help and --version", () => {
  it("end well", async () => {
    expect((await runPlimsoll(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect((await runPlimsoll(["scan", "--help"])).stdout).toContain("docker-archive:FILE");
    expect((await runPlimsoll(["--help"])).code).toBe(0);
  });
});
