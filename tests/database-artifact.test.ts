import { createHash } from "node:crypto";
/** Advisory databases in a real registry: pushed by the command on one machine, taken in on another. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { buildJavaIndex, pushArtifact } from "@plimsoll/indexer";
import { buildTar, digestOf, makeZip, streamBytes } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { firstUser, type RegistryProcess, startRegistry } from "./support/registry-process.ts";
import { type Ran, runPlimsoll } from "./support/run-plimsoll.ts";
import { tempFolder } from "./support/temp-folder.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const data = tempFolder();
afterAll(() => data[Symbol.dispose]());

let registry: RegistryProcess;
beforeAll(async () => {
  registry = await startRegistry(data.path);
});
afterAll(() => registry[Symbol.asyncDispose]());

const login = ["--username", firstUser.username, "--password-stdin"];
const asUser = { stdin: Buffer.from(firstUser.password) };
const reference = (tag = "latest") => `${registry.host}/alice/advisories:${tag}`;
const push = (db = world.db, tag?: string) => runPlimsoll(["db", "push", reference(tag), "--db", db, ...login], asUser);
const take = (db: string, from = reference(), ...words: string[]) =>
  runPlimsoll(["db", "update", "--from", from, "--db", db, ...login, ...words], asUser);
const digestIn = ({ stdout }: Ran) => /sha256:[0-9a-f]{64}/.exec(stdout)?.[0];

describe("the index of Java archives in a registry", () => {
  const reference = () => `${registry.host}/alice/java-index:1`;
  const update = () =>
    runPlimsoll(["db", "update", "--feed", `java-index=registry:${reference()}`, "--db", indexed(), ...login], asUser);
  const indexed = () => join(data.path, "indexed.db");

  /** Pushes an index in the form of another scanner. */
  async function pushIndex(group: string, mediaType: string): Promise<void> {
    const jars = join(data.path, `repository-${group}`, "repository", group, "a/1.0");
    mkdirSync(jars, { recursive: true });
    writeFileSync(join(jars, "a-1.0.jar"), makeZip({ "A.class": group }));
    const output = join(data.path, `${group}.db`);
    await buildJavaIndex({ folder: join(data.path, `repository-${group}`), output });
    const bytes = gzipSync(
      buildTar({ name: "metadata.json", content: "{}" }, { name: "trivy-java.db", content: readFileSync(output) }),
    );
    const digest = digestOf(bytes);
    const file = { mediaType, digest, sizeBytes: bytes.length, open: () => streamBytes(bytes, 65_536) };
    const artifactType = "application/vnd.aquasec.trivy.config.v1+json";
    const credentials = { find: async () => ({ kind: "basic", ...firstUser }) as const };
    await pushArtifact(reference(), { artifactType, file, annotations: {} }, { credentials });
  }

  it("is fetched when it has changed, and identifies archives", async () => {
    const jar = join(data.path, "app.jar");
    writeFileSync(jar, makeZip({ "A.class": "second" }));
    const listed = async () =>
      (await runPlimsoll(["sbom", `file:${jar}`, "--db", indexed(), "-o", "cyclonedx"])).stdout;
    await pushIndex("first", "application/vnd.aquasec.trivy.javadb.layer.v1.tar+gzip");
    const first = await update();
    const before = await listed();
    await pushIndex("second", "application/vnd.aquasec.trivy.javadb.layer.v1.tar+gzip");

    const [second, third] = [await update(), await update()];

    expect([first.stderr, first.stdout, second.stdout, third.stdout]).toEqual([
      "",
      expect.stringMatching(/^java-index: 1 archive, 0\.\d MB, in /),
      expect.stringMatching(/^java-index: 1 archive, 0\.\d MB, in /),
      "java-index: up to date\n",
    ]);
    expect([before.includes("pkg:maven/second/a@1.0"), (await listed()).includes("pkg:maven/second/a@1.0")]).toEqual([
      false,
      true,
    ]);
  });

  it("is refused if it is another artifact", async () => {
    await pushIndex("third", "application/vnd.aquasec.trivy.db.layer.v1.tar+gzip");

    const ran = await update();

    expect([ran.code, ran.stderr]).toEqual([3, expect.stringContaining("expected a file of the type")]);
  });
});

describe("an advisory database in a registry", () => {
  it("is taken in on another machine, and judges there as here", async () => {
    const other = join(data.path, "other.db");
    const pushed = await push();

    const taken = await take(other);
    const [here, there] = [
      await runPlimsoll(["scan", world.image, "--db", world.db, "-o", "json"]),
      await runPlimsoll(["scan", world.image, "--db", other, "-o", "json"]),
    ];

    expect([pushed.code, pushed.stderr]).toEqual([0, ""]);
    expect(pushed.stdout).toBe(`${reference()}@${digestIn(pushed)}\n`);
    expect(taken.stdout).toContain(`${digestIn(pushed)}: 1 feed changed\n`);
    expect(taken.stdout).toContain("debian");
    expect([there.code, there.stdout]).toEqual([here.code, here.stdout]);
  });

  it("has one digest however often the same data are pushed, and is fetched once", async () => {
    const other = join(data.path, "again.db");
    const [first, second] = [await push(), await push(world.db, "second")];
    await take(other);
    const before = registry.process.log.length;

    const again = await take(other, reference("second"));

    expect(digestIn(second)).toBe(digestIn(first));
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining(`${digestIn(first)}: up to date\n`)]);
    expect(registry.process.log.slice(before).join("\n")).not.toMatch(/"GET[^\n]*blobs/);
  });

  it("is exactly the one that a digest names, whatever the tag leads to by now", async () => {
    const first = await push();
    const newer = join(data.path, "newer.db");
    copyFileSync(world.db, newer);
    const tracker = world.folder.write("newer.json", world.tracker.replaceAll("CVE-2024-0001", "CVE-2024-9999"));
    await runPlimsoll(["db", "update", "--db", newer, "--feed", `debian=${tracker}`]);
    await push(newer);
    const other = join(data.path, "exact.db");

    const taken = await take(other, `${registry.host}/alice/advisories@${digestIn(first)}`);
    const explained = await runPlimsoll(["explain", world.image, "CVE-2024-0001", "--db", other, "-o", "json"]);

    expect(taken.code).toBe(0);
    expect(JSON.parse(explained.stdout)).toMatchObject({ answer: "affected" });
    expect((await take(other)).stdout).toContain("1 feed changed");
  });

  it.each<[string, () => Promise<Ran>, number, string]>([
    ["a push of nothing", () => push(join(data.path, "none.db")), 4, "there is no database to push"],
    [
      "a push to a digest",
      () => runPlimsoll(["db", "push", `a.example/b@sha256:${"0".repeat(64)}`, "--db", world.db]),
      2,
      "expected a tag",
    ],
    ["a push without a password", () => runPlimsoll(["db", "push", reference(), "--db", world.db]), 3, "log in"],
    [
      "a repository that is not there",
      () => take(join(data.path, "x.db"), `${registry.host}/alice/none:1`),
      3,
      "has no",
    ],
    [
      "feeds of their own besides",
      () => take(join(data.path, "x.db"), reference(), "--feed", "debian=/x"),
      2,
      "--from and --feed",
    ],
    ["no network", () => take(join(data.path, "x.db"), reference(), "--offline"), 3, "--offline"],
  ])("refuses %s with a clear error", async (_, run, code, message) => {
    const refused = await run();

    expect([refused.code, refused.stderr]).toEqual([code, expect.stringContaining(message)]);
  });
});

describe("what a registry answers instead of a database", () => {
  const digestText = `sha256:${"0".repeat(64)}`;
  const manifest = (more: object) => ({
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    artifactType: "application/vnd.plimsoll.advisories.v1",
    config: { mediaType: "application/vnd.oci.empty.v1+json", digest: digestText, size: 2 },
    layers: [{ mediaType: "application/octet-stream", digest: digestText, size: 7 }],
    ...more,
  });

  /** A manifest of a file that is what its digest says. */
  const fileOf = (content: Uint8Array, size = content.length) => {
    const digest = `sha256:${createHash("sha256").update(content).digest("hex")}`;
    return manifest({ layers: [{ mediaType: "application/octet-stream", digest, size }] });
  };
  const beginning = (version: number) =>
    gzipSync(`{"format":"plimsoll-advisories","version":${version},"updaters":[]}\n`);
  const page = Buffer.from("<html>");

  it.each<[string, object, string, content?: Uint8Array]>([
    ["an image", manifest({ artifactType: undefined }), "expected an artifact of the type"],
    ["several files", manifest({ layers: [...manifest({}).layers, ...manifest({}).layers] }), "expected an artifact"],
    ["a file of another digest", manifest({}), "expected a file with the digest"],
    ["cut off on its way", fileOf(beginning(1), 999), "999 bytes", beginning(1)],
    ["cut off before it was pushed", fileOf(beginning(1)), "the snapshot is incomplete", beginning(1)],
    ["of a later version", fileOf(beginning(99)), "found 99: use a newer release", beginning(99)],
    ["of an earlier version", fileOf(beginning(0)), "found 0: export or push it again with this release", beginning(0)],
    ["no database", fileOf(page), "expected a snapshot", page],
  ])(
    "is refused where it is %s, and changes nothing",
    async (_, answered, message, content = Buffer.from("1234567")) => {
      await using server = await serve((path) => (path.includes("/manifests/") ? JSON.stringify(answered) : content));
      const db = join(data.path, "kept.db");
      copyFileSync(world.db, db);

      const refused = await runPlimsoll(["db", "update", "--from", `${server.host}/a:1`, "--db", db]);
      const status = await runPlimsoll(["db", "status", "--db", db]);

      expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining(message)]);
      expect(status.stdout).toContain("debian");
    },
  );
});

async function serve(answer: (path: string) => string | Uint8Array) {
  const server = createServer(({ url = "" }, response) => {
    response.setHeader("content-type", "application/vnd.oci.image.manifest.v1+json");
    response.end(answer(url));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  };
}
