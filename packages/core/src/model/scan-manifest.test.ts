import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import type { Json } from "./json-value.ts";
import { parseManifest, toManifestJson } from "./scan-manifest.ts";

const hash = `sha256:${"a".repeat(64)}`;
const layerHash = `sha512:${"b".repeat(128)}`;
const uri = "https://registry.example/v2/x/blobs/1?signature=secret";
const withLayer = (members: { readonly [name: string]: Json }): Json => ({
  hash,
  layers: [{ hash: layerHash, uri, ...members }],
});

function failureOf(json: Json): ScanError {
  try {
    parseManifest(json);
  } catch (error) {
    if (error instanceof ScanError) return error;
  }
  throw new Error("the manifest was accepted");
}

describe("parseManifest", () => {
  it("reads digests, addresses, headers and media types", () => {
    const headers = { Authorization: ["Bearer a"], "x-many": ["1", "2"], empty: [] };

    const manifest = parseManifest(withLayer({ headers, media_type: "application/x-tar", other: 1 }));

    expect(manifest).toEqual({
      digest: hash,
      layers: [{ digest: layerHash, uri, headers, mediaType: "application/x-tar" }],
    });
    expect(parseManifest(toManifestJson(manifest))).toEqual(manifest);
  });

  it.each<[string, Json]>([
    ["no layers", { hash }],
    ["null instead of layers", { hash, layers: null }],
    ["an empty array", { hash, layers: [] }],
  ])("takes %s for an image without layers", (_, json) => {
    expect(parseManifest(json)).toEqual({ digest: hash, layers: [] });
  });

  it.each<[string, Json, string]>([
    ["an array", [], "malformed_manifest"],
    ["a text", "x", "malformed_manifest"],
    ["no hash", { layers: [] }, "malformed_manifest"],
    ["a hash that is a number", { hash: 1 }, "malformed_manifest"],
    ["an empty hash", { hash: "" }, "malformed_digest"],
    ["a short hash", { hash: "sha256:ab" }, "malformed_digest"],
    ["an upper-case hash", { hash: hash.toUpperCase() }, "malformed_digest"],
    ["BLAKE3", { hash: `blake3:${"a".repeat(64)}` }, "unsupported_digest"],
    ["layers that are an object", { hash, layers: {} }, "malformed_manifest"],
    ["a layer that is null", { hash, layers: [null] }, "malformed_manifest"],
    ["a layer without hash", { hash, layers: [{ uri }] }, "malformed_manifest"],
    ["a layer without uri", { hash, layers: [{ hash: layerHash }] }, "malformed_manifest"],
    ["too many layers", { hash, layers: Array(4097).fill({ hash: layerHash, uri }) }, "malformed_manifest"],
    ["an empty uri", withLayer({ uri: "" }), "malformed_manifest"],
    ["a relative uri", withLayer({ uri: "/v2/x" }), "malformed_manifest"],
    ["a uri without host", withLayer({ uri: "http://" }), "malformed_manifest"],
    ["a file uri", withLayer({ uri: "file:///etc/passwd" }), "malformed_manifest"],
    ["a uri with user information", withLayer({ uri: "https://u:secret@host/" }), "malformed_manifest"],
    ["a huge uri", withLayer({ uri: `http://a/${"x".repeat(20_000)}` }), "malformed_manifest"],
    ["headers that are an array", withLayer({ headers: [] }), "malformed_manifest"],
    ["a header that is a text", withLayer({ headers: { a: "secret" } }), "malformed_manifest"],
    ["a header name with a blank", withLayer({ headers: { "a b": [] } }), "malformed_manifest"],
    ["an empty header name", withLayer({ headers: { "": [] } }), "malformed_manifest"],
    ["a line break in a value", withLayer({ headers: { a: ["secret\r\nb: 1"] } }), "malformed_manifest"],
    ["a host header", withLayer({ headers: { Host: ["metadata"] } }), "malformed_manifest"],
    ["a framing header", withLayer({ headers: { "Transfer-Encoding": ["chunked"] } }), "malformed_manifest"],
    ["a media type that is a number", withLayer({ media_type: 1 }), "malformed_manifest"],
  ])("refuses %s", (_, json, code) => {
    expect(failureOf(json).code).toBe(code);
  });

  it("does not show addresses in messages", () => {
    expect(failureOf(withLayer({ uri: "https://u:secret@host/" })).message).not.toContain("secret");
    expect(failureOf(withLayer({ uri: "s3://bucket?key=secret" })).message).not.toContain("secret");
  });

  it("does not show header values in messages", () => {
    expect(failureOf(withLayer({ headers: { a: ["secret\n"] } })).message).not.toContain("secret");
    expect(failureOf(withLayer({ headers: { a: "secret" } })).message).not.toContain("secret");
  });

  it("keeps a header named __proto__ as a header", () => {
    const json = JSON.parse(
      `{"hash":"${hash}","layers":[{"hash":"${layerHash}","uri":"${uri}","headers":{"__proto__":["x"]}}]}`,
    );

    const [layer] = parseManifest(json).layers;

    expect(Object.entries(layer?.headers ?? {})).toEqual([["__proto__", ["x"]]]);
  });
});
