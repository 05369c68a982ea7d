/** What the command says of words, files and ports that are no good: what, where, what to do. */
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const { folder, db, image } = world;
const at = (name: string) => join(folder.path, name);
const file = folder.write("file.txt", "text");
const otherGzip = folder.write("other.gz", gzipSync("text"));
for (const each of ["folder", "keyless/registry-secret"]) mkdirSync(at(each), { recursive: true });

describe("plimsoll help", () => {
  it.each([
    [["help", "scan"], "Usage: plimsoll scan", "Exit codes:"],
    [["help", "image"], "Usage: plimsoll scan", "Exit codes:"],
    [["help", "db", "update"], "Usage: plimsoll db update", "Exit codes:"],
    [["db", "help", "update"], "Usage: plimsoll db update", "--feed"],
    [["help", "version", "compare"], "Usage: plimsoll version compare", "<scheme>"],
    [["help", "db"], "Usage: plimsoll db", "import"],
    [["help"], "Usage: plimsoll [options]", "operate a registry"],
  ])("%j", async (words, ...expected) => {
    const { code, stdout, stderr } = await runPlimsoll(words);

    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const text of expected) expect(stdout).toContain(text);
  });
});

describe("words that are wrong", () => {
  it.each([
    [["help", "scann"], "unknown command 'scann'; did you mean scan?", "plimsoll"],
    [["help", "db", "statu"], "unknown command 'statu'; did you mean status?", "plimsoll db"],
    [["db", "help", "statu"], "unknown command 'statu'; did you mean status?", "plimsoll db"],
    [["db", "statu"], "unknown command 'statu'; did you mean status?", "plimsoll db"],
    [["scan"], "missing required argument 'source'", "plimsoll scan"],
    [
      ["db", "update", "--feed", "osv=a", "--feed", "osv=b"],
      "--feed: osv is given twice, with a and b: an update reads all of a feed from one place",
      "plimsoll db update",
    ],
    [
      ["db", "update", "--feed", "kev", "--feed", "kev=b"],
      "--feed: kev is given twice, with its own address and b",
      "plimsoll db update",
    ],
    [["import", "registry", "https://old"], "required option '--token-file", "plimsoll import registry"],
    [
      ["import", "registry", "old", "--token-file", file],
      "url: expected an address such as",
      "plimsoll import registry",
    ],
    [
      ["import", "registry", "https://a:b@old", "--token-file", file],
      "expected the address of a registry without",
      "plimsoll import registry",
    ],
    [["import", "registry", "https://old", "--token-file", at("none")], "--token-file", "plimsoll import registry"],
    [["image", "--platfrom", "x", "y"], "unknown option '--platfrom'; did you mean --platform?", "plimsoll scan"],
    [
      ["scan", image, "--platform", "bogus"],
      '--platform: expected os/architecture[/variant], found "bogus"',
      "plimsoll scan",
    ],
    [["index", image, "--platform", "linux"], "--platform: expected os/", "plimsoll index"],
    [["explain", image, "CVE-1", "--platform", "a/b/c/d"], "--platform: expected os/", "plimsoll explain"],
    [["report", "localhost:1/a/b", "--platform", "bogus"], "--platform: expected os/", "plimsoll report"],
    [["report", "localhost:1/a/b", "--wait", "long"], "--wait: expected a number of seconds", "plimsoll report"],
    [["version", "compare", "deb", "1", "2"], '"deb" is not a version scheme', "plimsoll version compare"],
    [["serve", "--port", "x"], "--port: expected a port number", "plimsoll serve"],
    [["serve", "--port", "65535"], "healthPort is missing: there is no port after 65535", "plimsoll serve"],
    [["serve", "--port", "7000", "--health-port", "7000"], "port and healthPort are both 7000", "plimsoll serve"],
  ])("%j", async (words, message, command) => {
    const { code, stderr } = await runPlimsoll(words);

    expect(code).toBe(2);
    expect(stderr).toContain(`plimsoll: ${message}`);
    expect(stderr).toContain(`plimsoll: see ${command} --help\n`);
  });

  it.each([
    [
      "PLIMSOLL_LAYER_NETWORKS",
      "bogus",
      'layerNetworks: expected addresses and networks such as 10.0.0.0/8, found "bogus"',
    ],
    ["PLIMSOLL_ALLOWED_INTERNAL_HOSTS", "10.0.0.0/99", "allowedInternalHosts: expected addresses and networks"],
    ["PLIMSOLL_STORAGE", file, `storage: ${file}: expected a folder`],
    ["PLIMSOLL_STORAGE", join(file, "blobs"), "expected a folder, found a file"],
    ["PLIMSOLL_DATABASE", "postgres:/u:sesame@db/plimsoll", "database: expected sqlite:PATH, a path or postgres://"],
    ["PLIMSOLL_DATABASE", '"postgres://u:sesame@db/plimsoll"', "database: expected sqlite:PATH, a path or postgres://"],
    ["PLIMSOLL_PLATFORM", "bogus", "--platform: expected os/"],
  ])("%s=%s", async (name, value, message) => {
    const words = name === "PLIMSOLL_PLATFORM" ? ["scan", image] : ["serve", "--data", at("data"), "--port", "0"];
    const { code, stderr } = await runPlimsoll(words, { env: { [name]: value, PLIMSOLL_OFFLINE: "1" } });

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
    expect(stderr).not.toContain("sesame");
  });
});

describe("files that cannot be used", () => {
  const noFolder = "cannot be written: its folder does not exist; create it, or name another place";
  const isFolder = "it is a folder, and a file is expected";
  const noFile = "cannot be read: there is no such file; check its name";
  const inFile = "a part of its path is a file and not a folder";

  it.each([
    [["scan", image, "-o", `json=${at("none/a.json")}`], 2, `-o: ${at("none/a.json")} ${noFolder}`],
    [["index", image, "-o", `json=${at("folder")}`], 2, isFolder],
    [["explain", image, "CVE-1", "-o", `json=${join(file, "a.json")}`], 2, inFile],
    [["report", "localhost:1/a/b", "-o", `json=${at("none/a.json")}`], 2, noFolder],
    [["scan", image, "--config", at("none.yaml")], 2, `--config: ${at("none.yaml")} ${noFile}`],
    [["scan", image, "--config", at("folder")], 2, isFolder],
    [["scan", at("none.tar")], 3, "there is no such file or folder"],
    [["db", "export", at("none/a.gz")], 3, `${at("none/a.gz")} ${noFolder} [not_found]`],
    [["db", "export", at("folder")], 2, isFolder],
    [["db", "export", join(file, "a.gz")], 3, inFile],
    [["db", "import", at("none.gz")], 3, `${at("none.gz")} ${noFile} [not_found]`],
    [["db", "import", at("folder")], 2, isFolder],
    [["db", "import", file], 3, `${file}: expected a snapshot compressed with gzip or zstd; nothing was changed`],
    [
      ["db", "import", otherGzip],
      3,
      `${otherGzip}: expected the header of a snapshot, found "text"; nothing was changed`,
    ],
    [["db", "status", "--db", at("folder")], 4, "cannot be"],
    [["db", "status", "--db", "sqlite3:a.db"], 2, "expected sqlite:PATH, a path or postgres://"],
    [["db", "update", "--db", join(file, "a.db")], 4, "cannot create the folder of the database"],
    [["db", "update", "--db", "/proc/no/a.db"], 4, "cannot create the folder of the database"], // Linux makes no folders there
  ])("%j", async (words, expected, message) => {
    const place = words.includes("--db") || words[0] === "report" ? [] : ["--db", db];
    const { code, stderr } = await runPlimsoll([...words, ...place]);

    expect({ code, stderr }).toEqual({ code: expected, stderr: expect.stringContaining(message) });
    expect(stderr).not.toMatch(/\bE[A-Z]{4,}\b/);
    expect([existsSync(at("none")), existsSync(at("none.gz"))]).toEqual([false, false]);
  });

  it.each([
    [["--tls-certificate", at("none.pem"), "--tls-key", file], `tlsCertificate: ${at("none.pem")} ${noFile}`],
    [["--tls-certificate", file, "--tls-key", at("folder")], `tlsKey: ${at("folder")} cannot be read: ${isFolder}`],
    [
      ["--tls-certificate", file, "--tls-key", file],
      "tlsCertificate, tlsKey: expected a certificate chain and the key",
    ],
    [["--data", at("keyless")], `the key of the registry, ${at("keyless/registry-secret")}`],
  ])("plimsoll serve %j", async (words, message) => {
    const place = words.includes("--data") ? [] : ["--data", at("data")];
    const env = { PLIMSOLL_OFFLINE: "1" };
    const { code, stderr } = await runPlimsoll(["serve", "--port", "0", ...place, ...words], { env });

    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(message) });
  });

  it("warns of a variable that no setting has, whatever the command", async () => {
    const { stderr } = await runPlimsoll(["admin", "verify", "--data", at("none")], { env: { PLIMSOLL_DATABSE: "x" } });

    expect(stderr).toMatch(
      /^plimsoll: warning: no setting has the variable PLIMSOLL_DATABSE; PLIMSOLL_DATABASE is similar\n/,
    );
  });

  it("names the setting of a broker's certificates", async () => {
    const broker = {
      AMQP_URIS: "amqp://localhost",
      AMQP_EXCHANGE: "x",
      AMQP_ROUTING_KEY: "x",
      BROKER_CA: at("none.pem"),
    };
    const settings = {
      ...broker,
      NOTIFICATION_CALLBACK: "http://localhost/notifier/api/v1/notification/",
      OFFLINE: "1",
    };
    const env = Object.fromEntries(Object.entries(settings).map(([name, value]) => [`PLIMSOLL_${name}`, value]));
    const { code, stderr } = await runPlimsoll(["serve", "--port", "0", "--data", at("data")], { env });

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`brokerCa: ${at("none.pem")} ${noFile}`),
    });
  });
});

describe("plimsoll db import of what is no snapshot", () => {
  const source = join(folder.path, "whole.gz");

  it.each([
    ["text", () => file],
    ["another file in gzip", () => otherGzip],
    ["nothing", () => at("none.gz")],
  ])("makes no database for %s", async (_, named) => {
    const { code } = await runPlimsoll(["db", "import", named(), "--db", at("made/new.db")]);

    expect([code, existsSync(at("made"))]).toEqual([3, false]);
  });

  it("keeps what is loaded when the file breaks off", async () => {
    await runPlimsoll(["db", "export", source, "--db", db]);
    const half = folder.write("half.gz", readFileSync(source).subarray(0, -20));
    const before = await runPlimsoll(["db", "status", "--db", db]);

    const { code, stderr } = await runPlimsoll(["db", "import", half, "--db", db]);

    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/half\.gz: the snapshot is damaged .*; nothing was changed/),
    ]);
    expect(await runPlimsoll(["db", "status", "--db", db])).toEqual(before);
  });
});

describe("ports and addresses that cannot be listened on", () => {
  const serve = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runPlimsoll(["serve", "--data", at("data"), ...words], { env: { PLIMSOLL_OFFLINE: "1", ...env } });

  it("names the setting of a port that another program has", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const taken = String((other.address() as AddressInfo).port);

    const ran = [
      await serve(["--port", taken]),
      await serve(["--port", "0", "--health-port", taken]),
      await serve(["--port", "0"], { PLIMSOLL_SCANNER_PORT: taken }),
    ];
    other.close();

    const message = (setting: string) =>
      `plimsoll: ${setting}: another program listens on 127.0.0.1:${taken}: stop it, or choose another port\n`;
    expect(ran.map(({ code }) => code)).toEqual([3, 3, 3]);
    for (const [index, setting] of ["port", "healthPort", "scannerPort"].entries())
      expect(ran[index]?.stderr).toBe(message(setting)); // before anything else was done
  });

  it("says that an address is none of this machine", async () => {
    const { code, stderr } = await serve(["--host", "192.0.2.1", "--port", "0"]);

    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringContaining("host: 192.0.2.1 is not an address of this machine"),
    });
  });
});
