import { describe, expect, it } from "vitest";
import { documentsOf, parseAttachedInSlices, predicatesOf, readableDocuments, vexKind } from "./attached-artifacts.ts";

const mediaType = "application/vnd.openvex+json";

describe("documentsOf", () => {
  it.each([
    ["without a size", { mediaType, digest: "sha256:a" }],
    ["with a negative size", { mediaType, digest: "sha256:a", size: -1 }],
    ["of another kind", { mediaType: "application/vnd.cyclonedx.v2+xml", digest: "sha256:a", size: 1 }],
  ])("leaves out a document %s", (_, layer) => {
    const layers = [layer, { mediaType, digest: "sha256:b", size: 2 }];

    expect(documentsOf(JSON.stringify({ layers }), vexKind)).toEqual([
      { digest: "sha256:b", sizeBytes: 2, isAttested: false },
    ]);
  });
});

describe("readableDocuments", () => {
  it("stops at the document that exceeds the limit of the kind", () => {
    const documents = [3, 2, 1].map((sizeBytes) => ({ digest: `sha256:${sizeBytes}`, sizeBytes, isAttested: false }));

    const { documents: read, refused } = readableDocuments(documents, { mostBytes: 4 });

    expect(read.map(({ sizeBytes }) => sizeBytes)).toEqual([3]);
    expect(refused?.digest).toBe("sha256:2");
  });

  it("stops at 500 documents, however short they are, and says so", () => {
    const documents = Array.from({ length: 501 }, (_, number) => ({
      ...{ digest: `sha256:${number}`, sizeBytes: 1, isAttested: false },
    }));

    const { documents: read, refused } = readableDocuments(documents, { mostBytes: 4096 });

    expect(read).toHaveLength(500);
    expect(refused).toEqual({ digest: "sha256:500", reason: "more than 500 documents are attached" });
  });
});

describe("parseAttachedInSlices", () => {
  const encode = (value: unknown) =>
    new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));
  const stored = { name: "doc", kind: vexKind, isAttested: true };
  const parse = (value: unknown) => parseAttachedInSlices({ ...stored, bytes: encode(value) }, () => {});
  const predicate = { "@context": "https://openvex.dev/ns/v0.2.0", text: "é?>".repeat(200_000) };
  const statement = { predicateType: "https://openvex.dev/ns", predicate };
  const base64 = Buffer.from(encode(statement)).toString("base64");
  const wrapped = base64.replaceAll(/.{76}/g, "$&\n");

  it.each([
    ["a statement", statement],
    ["an envelope", { payload: base64 }],
    ["an envelope in the other alphabet", { payload: base64.replaceAll("+", "-").replaceAll("/", "_") }],
    ["an envelope with lines", { payload: wrapped }],
    ["a statement of another kind", { ...statement, predicateType: "https://slsa.dev/provenance/v1" }],
  ])("finds the predicates that predicatesOf finds in %s", async (_, attestation) => {
    const found = await parse(attestation);

    const expected = predicatesOf({ ...stored, bytes: encode(attestation) });
    expect(found).toEqual(expected.map((each) => JSON.parse(new TextDecoder().decode(each))));
  });

  const about = (hex: string, author: string) => {
    return { ...statement, predicate: { author }, subject: [{ name: "app", digest: { sha256: hex } }] };
  };
  const several = [about("aa", "one"), { predicateType: "https://slsa.dev/provenance/v1" }, about("bb", "two")];

  it.each([
    ["one a line", several.map((each) => JSON.stringify(each)).join("\n")],
    ["in a list", several],
    ["as GitHub's API answers", { attestations: several.map((bundle) => ({ bundle, repository_id: 1 })) }],
  ])("reads all of several attestations %s, or those about an image", async (_, attestations) => {
    const bytes = encode(attestations);

    const all = await parse(attestations);
    const one = await parseAttachedInSlices({ ...stored, bytes, about: ["sha256:bb"] }, () => {});

    expect([all, one]).toEqual([[{ author: "one" }, { author: "two" }], [{ author: "two" }]]);
  });

  it.each([
    ["a bundle", { dsseEnvelope: { payload: Buffer.from(encode(about("aa", "unsigned"))).toString("base64") } }],
    ["a list", { attestations: [about("aa", "unsigned")] }],
  ])("reads the payload of an envelope, not %s beside it, which its signatures are not about", async (_, beside) => {
    const payload = Buffer.from(encode(about("aa", "signed"))).toString("base64");

    expect(await parse({ payload, ...beside })).toEqual([{ author: "signed" }]);
  });

  it.each([
    ["no JSON", "{", "doc: expected JSON"],
    ["no object", "7", "doc: expected an object"],
    ["nothing", "[]", "doc: expected 1 to 1000 documents in its list, found 0"],
    ["a payload that is no base64", { payload: "%" }, "doc: expected a payload in base64"],
    ["no predicate", { predicateType: "openvex" }, "doc: expected a predicate, found none"],
  ])("refuses an attestation with %s", async (_, attestation, message) => {
    await expect(parse(attestation)).rejects.toThrow(message);
  });

  it("pauses while it parses a document", async () => {
    const bytes = encode(Array.from({ length: 100_000 }, (_, number) => ({ number })));
    let pauses = 0;

    await parseAttachedInSlices({ bytes, name: "doc", kind: vexKind, isAttested: false }, () => void pauses++);

    expect(pauses).toBeGreaterThan(20);
  });
});
