import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isText, kindByContent, kindByTypes } from "./manifest-kind.ts";

const oci = "application/vnd.oci.image.manifest.v1+json";
const docker = "application/vnd.docker.distribution.manifest.v2+json";
const ociConfig = "application/vnd.oci.image.config.v1+json";
const empty = "application/vnd.oci.empty.v1+json";

describe("kindByTypes", () => {
  it.each([
    { what: "an image", config: ociConfig, layers: ["application/vnd.oci.image.layer.v1.tar+gzip"], kind: "image" },
    {
      what: "layers of an image alone",
      config: empty,
      layers: ["text/plain", "application/vnd.oci.image.layer.v1.tar"],
      kind: "image",
    },
    {
      what: "a foreign layer",
      config: empty,
      layers: ["application/vnd.docker.image.rootfs.foreign.diff.tar.gzip"],
      kind: "image",
    },
    { what: "no layers", config: ociConfig, layers: [], kind: "artifact" },
    { what: "no type of an image", config: empty, layers: ["application/octet-stream"], kind: "artifact" },
    { what: "the configuration of an image", config: ociConfig, layers: ["application/octet-stream"], kind: undefined },
    {
      what: "that with a parameter",
      config: `${ociConfig.toUpperCase()}; a=b`,
      layers: ["text/plain"],
      kind: undefined,
    },
    { what: "a configuration that Docker takes", config: "application/octet-stream", layers: ["a/b"], kind: undefined },
    { what: "Docker's manifest", mediaType: docker, config: empty, layers: ["a/b"], kind: undefined },
  ])("tells the kind of a manifest with $what", ({ mediaType = oci, config, layers, kind }) => {
    expect(kindByTypes({ mediaType, configType: config, layerTypes: layers })).toBe(kind);
  });
});

describe("kindByContent", () => {
  it("takes a manifest that runtimes read in another way for an image", () => {
    const config = { mediaType: "application/vnd.acme", digest: "sha256:0" };
    const plain = { config, layers: [{ mediaType: "a/b", digest: "sha256:1" }] };

    expect(kindByContent(JSON.stringify(plain), oci).kind).toBe("artifact");
    expect(kindByContent(JSON.stringify({ ...plain, Config: { ...config, mediaType: ociConfig } }), oci).kind).toBe(
      "image",
    );
  });
});

/** The header of a tar archive without a byte that is not printable. */
function textHeader(checksum?: string): Buffer {
  const header = Buffer.from('{"a":"'.padEnd(512, "x"), "latin1");
  header.fill(" ", 148, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(checksum ?? sum.toString(8).padStart(6, "0"), 148, "latin1");
  return header;
}

describe("isText", () => {
  it.each([
    { what: "JSON", head: Buffer.from('{"critical":{}}'), is: true },
    { what: "a long text", head: Buffer.from("a text\r\n\t".repeat(80)).subarray(0, 512), is: true },
    { what: "nothing", head: Buffer.alloc(0), is: true },
    { what: "an empty archive", head: Buffer.alloc(512), is: false },
    { what: "gzip", head: gzipSync("a"), is: false },
    { what: "bzip2", head: Buffer.from("BZh91AY&SY"), is: false },
    { what: "a text that is the header of an archive", head: textHeader(), is: false },
    { what: "a text with another number in place of its checksum", head: textHeader("000001"), is: true },
  ])("says whether a layer is text: $what", ({ head, is }) => {
    expect(isText(head)).toBe(is);
  });
});
