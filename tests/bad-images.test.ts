/** What the command answers to images that are damaged or mean harm: a clear line, the right exit code, nothing lost. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  type BuiltLayer,
  buildImage,
  buildLayer,
  buildTar,
  digestOf,
  ociLayoutTree,
  openRegistryServer,
  packTree,
} from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { programWords } from "./support/killed-program.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage, debianRelease, dpkgStatus, ociArchive } from "./support/sample-image.ts";
import { tempFolder } from "./support/temp-folder.ts";

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());
const db = join(folder.path, "plimsoll.db");

const tarGzip = "application/vnd.oci.image.layer.v1.tar+gzip";

function rawLayer(bytes: Uint8Array, diffId = digestOf(bytes)): BuiltLayer {
  return { bytes, digest: digestOf(bytes), mediaType: tarGzip, diffId };
}

async function scanLayers(name: string, ...layers: BuiltLayer[]) {
  const file = folder.write(`${name}.tar`, await ociArchive(buildImage({ layers })));
  return runPlimsoll(["index", file, "--db", db]);
}

describe("a damaged image", () => {
  it("with a truncated layer fails and says so", async () => {
    const whole = await buildLayer({ "var/lib/dpkg/status": dpkgStatus("a 1") });
    const cut = whole.bytes.subarray(0, whole.bytes.length - 20);

    const { code, stdout, stderr } = await scanLayers("truncated", rawLayer(cut, whole.diffId));

    expect(code).toBe(3);
    expect(stdout).toBe("");
    expect(stderr).toContain("layer_truncated");
  });

  it("with a layer of another digest fails and names both", async () => {
    const layer = await buildLayer({ a: "1" });
    const other = await buildLayer({ a: "2" });
    const tree = ociLayoutTree({ "app:1": buildImage({ layers: [layer] }) });
    const swapped = { ...tree, [`blobs/${layer.digest.replace(":", "/")}`]: other.bytes };
    const file = folder.write("digest.tar", await packTree(swapped));

    const { code, stderr } = await runPlimsoll(["index", file, "--db", db]);

    expect(code).toBe(3);
    expect(stderr).toMatch(/digest_mismatch|size_mismatch/);
    expect(stderr).toContain(layer.digest);
  });

  it("with a wrong diff id fails, whether the layer is known or not", async () => {
    const layer = await buildLayer({ a: "wrong diff id" });
    const lying = rawLayer(layer.bytes, digestOf(new Uint8Array([1])));

    const fresh = await scanLayers("diff-id", lying);
    await scanLayers("diff-id-right", layer);
    const known = await scanLayers("diff-id-again", lying);

    expect([fresh.code, known.code]).toEqual([3, 3]);
    expect(fresh.stderr).toContain("digest_mismatch");
    expect(known.stderr).toContain("digest_mismatch");
  });

  it("with something else than a tar inside fails", async () => {
    const { code, stderr } = await scanLayers("text", rawLayer(gzipSync("this is no archive ".repeat(99))));

    expect(code).toBe(3);
    expect(stderr).toContain("malformed_archive");
  });

  it.each([
    ["bzip2", "BZh91AY&SY"],
    ["xz", "\u00fd7zXZ\u0000"],
  ])("with a layer in %s fails and names it", async (compression, magic) => {
    const bytes = Buffer.concat([Buffer.from(magic, "latin1"), Buffer.alloc(600, 7)]);

    const { code, stderr } = await scanLayers(compression, rawLayer(bytes));

    expect(code).toBe(3);
    expect(stderr).toContain(compression);
    expect(stderr).toContain("unsupported_compression");
  });
});

describe("an image that means harm", () => {
  it("as a gzip bomb is given up by its ratio, in bounded memory", async () => {
    const image = buildImage({ layers: [rawLayer(bombLayer())] });
    const bomb = folder.write("bomb.tar", await ociArchive(image));
    const measured = programWords(new URL("support/measured-command.ts", import.meta.url));

    const { status, stderr, stdout } = spawnSync(process.execPath, [...measured, "index", bomb, "--db", db], {
      encoding: "utf8",
    });

    expect(stderr).toContain("layer_ratio");
    expect(status).toBe(3);
    expect(Number(stdout)).toBeLessThan(300e6);
  });

  it("with paths that climb out is read without them", async () => {
    const outside = join(folder.path, "climbed");
    const tar = buildTar(
      { name: `${"../".repeat(20)}${outside}`, content: "out" },
      { name: "../etc/os-release", content: debianRelease },
      { name: "var/lib/dpkg/status", content: dpkgStatus("a 1") },
    );

    const { code, stdout } = await scanLayers("climb", rawLayer(gzipSync(tar), digestOf(tar)));

    expect(code).toBe(0);
    expect(existsSync(outside)).toBe(false);
    expect(stdout).toContain("distribution: none found");
    expect(stdout).toMatch(/^a +1/m);
  });

  it("with control characters in names cannot speak to the terminal", async () => {
    const status = `Package: a\u001b[2J\nStatus: install ok installed\nArchitecture: all\nVersion: 1\n`;

    const { stdout } = await scanLayers("control", await buildLayer({ "var/lib/dpkg/status": status }));

    expect(stdout).not.toContain("\u001b");
  });
});

describe("a registry", () => {
  it("is scanned with its known layers fetched once", async () => {
    const image = await debianImage(["libssl3 3.0.11-1 openssl"]);
    await using registry = await openRegistryServer();
    registry.put("app", image, "1");
    const words = ["index", `registry:${registry.host}/app:1`, "--db", join(folder.path, "registry.db")];

    const first = await runPlimsoll(words);
    const fetched = registry.requests.filter(({ path }) => path.includes("/blobs/")).length;
    const again = await runPlimsoll(words);
    const fetchedAgain = registry.requests.filter(({ path }) => path.includes("/blobs/")).length - fetched;

    expect(first.code).toBe(0);
    expect(again.stdout).toBe(first.stdout);
    expect(fetchedAgain).toBeLessThan(fetched);
  });
});

/** A member of 1 GiB of zeros that compresses to 1 MB. */
function bombLayer(): Uint8Array {
  const header = buildTar({ name: "zeros", fields: { 124: "10000000000\0" } }).subarray(0, 512);
  const block = gzipSync(Buffer.alloc(64 * 1024 ** 2));
  return Buffer.concat([gzipSync(header), ...Array.from({ length: 16 }, () => block)]);
}
