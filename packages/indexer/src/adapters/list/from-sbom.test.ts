import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { layerChecking } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSource } from "../parse-source.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sboms-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const document = '{"bomFormat":"CycloneDX","components":[{"type":"library","name":"a","purl":"pkg:npm/a@1"}]}';

/** The document as `bzip2` and `xz` compress it. */
const bzip2 =
  "QlpoOTFBWSZTWZgep5IAACufgBAEoBBNAABKOq/eKiAAQRTyGpgI0aBjSGMAAAAA7Er0Dq8AR5CIlGGnsy0DuJQZR+WUsmq7ckpDDFVNPCkXuTBCe6Nc683SmTcxlYdTftg6oefxdyRThQkJgep5IA==";
const xz =
  "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4ABaAFZdAD2IiEcz+0cz8JD+kw4JfaYOgPh5LWUIWKWFBNI7ZZaihuyeaCJAuw1FC+ujulkvZiC9ciJHycLPLQjb2yVbI2/6sIhqSE52+JJRlUvRzr04sKenVdxgAAAA6D4HLgiXBO8AAXJbIyY2wR+2830BAAAAAARZWg==";

async function open(name: string, bytes: Uint8Array, choice = "") {
  const file = join(folder, name);
  await writeFile(file, bytes);
  const source = await parseSource(`sbom:${file}${choice}`);
  await using opened = await source.open(layerChecking());
  const [image] = opened.images;
  return { source: source.name, digest: image?.manifestDigest, packages: Object.values(image?.listed?.packages ?? {}) };
}

describe("fromSbom", () => {
  it.each([
    ["gzip", gzipSync(document)],
    ["zstd", zstdCompressSync(document)],
    ["bzip2", Buffer.from(bzip2, "base64")],
    ["xz", Buffer.from(xz, "base64")],
  ])("reads a document that is compressed by %s like the document itself", async (compression, bytes) => {
    const plain = await open("plain", Buffer.from(document));

    const found = await open(compression, bytes);

    expect(found).toEqual({ ...plain, source: `sbom:${join(folder, compression)}` });
    expect(found.packages.map(({ name }) => name)).toEqual(["a"]);
  });

  it("reads the attestation about the chosen image, of a file of any name", async () => {
    const about = (name: string, sha256: string) =>
      JSON.stringify({
        ...{ subject: [{ digest: { sha256 } }], predicateType: "https://cyclonedx.org/bom" },
        predicate: { bomFormat: "CycloneDX", components: [{ type: "library", name, purl: `pkg:npm/${name}@1` }] },
      });
    const lines = Buffer.from(`${about("a", "0a")}\n${about("b", "0b")}\n`);

    const chosen = await open("attestations.jsonl", lines, "@sha256:0b");
    const named = await open("app@sha256:0c", Buffer.from(document));

    expect(chosen.packages.map(({ name }) => name)).toEqual(["b"]);
    expect(named.packages.map(({ name }) => name)).toEqual(["a"]);
    await expect(open("attestations.jsonl", lines)).rejects.toThrow(
      /choose one with sbom:.*attestations\.jsonl@DIGEST/,
    );
  });

  it("says which document is damaged", async () => {
    const cut = gzipSync(`${document}${" ".repeat(9000)}`).subarray(0, -9);

    await expect(open("cut", cut)).rejects.toMatchObject({
      code: "unsupported_source",
      message: expect.stringContaining(join(folder, "cut")),
    });
  });
});
