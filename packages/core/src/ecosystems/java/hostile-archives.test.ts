import { makeZip } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { defaultLimits } from "../../bytes/limits.ts";
import { FileInspection } from "../../layer/file-inspection.ts";
import type { Finding } from "../../plugins/finding.ts";
import { ArchiveBudget, defaultArchiveLimits } from "../../zip/archive-budget.ts";
import { createJavaDetector } from "./detector.ts";
import { manifest, nest, pom, pomXml } from "./fixtures/make-jar.ts";

const jar = makeZip(pom("g", "a", "1"));

/** The findings up to the end, or up to the problem that ends the reading of the outermost archive. */
function detect(bytes: Uint8Array, limits = {}): { readonly found: readonly Finding[]; readonly error?: Finding } {
  const inspection = new FileInspection([createJavaDetector()], defaultLimits);
  const [path, mode] = ["x.jar", 0o644];
  const budget = new ArchiveBudget(path, bytes.length, { ...defaultArchiveLimits, ...limits });
  inspection.inspect(
    { path, kind: "file", sizeBytes: bytes.length, mode },
    { path, contentPath: path, mode, bytes, budget },
  );
  const found = Object.values(inspection.findings(() => true)).flat();
  const error = found.find(
    (each) =>
      each.kind === "problem" &&
      (each.code === "memory_limit" || /^x\.jar: (?:not read|expected a zip)/.test(each.message)),
  );
  return error === undefined ? { found } : { found: found.filter((each) => each !== error), error };
}

const packagesOf = (found: readonly Finding[]) =>
  found.flatMap((finding) => (finding.kind === "package" ? [finding.package.name] : []));
const problemsOf = (found: readonly Finding[]) =>
  found.flatMap((finding) => (finding.kind === "problem" ? [finding.message] : []));

/** Changes an entry of the directory. Its flags, method, CRC, sizes and offset are at 8, 10, 16, 20, 24 and 42 bytes from its start. */
function changeEntry(archive: Uint8Array, name: string, change: (view: DataView, at: number) => void): Uint8Array {
  const bytes = Uint8Array.from(archive);
  const at = Buffer.from(bytes).lastIndexOf(name) - 46;
  change(new DataView(bytes.buffer), at);
  return bytes;
}

describe("an archive that is made to be slow or large", () => {
  it.each([
    ["nested archives", nest(4, jar), { maxDepth: 3 }, "more than 3 nested archives (maxDepth)"],
    ["more nested archives than any application", nest(40, jar), {}, "more than 16 nested archives (maxDepth)"],
    [
      "entries in all directories together",
      makeZip({ "b.jar": makeZip({ a: "", b: "", c: "" }), c: "" }),
      { maxEntries: 4 },
      "more than 4 entries (maxEntries)",
    ],
    ["archives", makeZip({ "b.jar": jar, "c.jar": jar, "d.jar": jar }), { maxParts: 4 }, "(maxParts)"],
    [
      "bytes in all archives together",
      makeZip({ "b.jar": nest(2, makeZip({ x: "x".repeat(9000) }, { method: "stored" })) }),
      { maxBytes: 9_100 },
      "more than 9100 bytes of content (maxBytes)",
    ],
    [
      "bytes for its size",
      makeZip({ "b.jar": makeZip({ x: "x".repeat(90_000) }, { method: "stored" }) }),
      { ratioFromBytes: 50_000 },
      "bytes of content (maxRatio)",
    ],
    [
      "bytes that are open at once",
      nest(3, makeZip({ x: "x".repeat(9000) }, { method: "stored" })),
      { maxOpenBytes: 9_100 },
      "more than 9100 bytes of nested archives (maxOpenBytes)",
    ],
  ])("ends with a problem that names the limit: %s", (_, bytes, limits, message) => {
    const { error } = detect(bytes, limits);

    expect(error).toMatchObject({ code: "memory_limit", message: expect.stringContaining(message) });
    expect(error).toMatchObject({ message: expect.stringMatching(/^x\.jar: not read to its end/) });
  });

  it("keeps the findings before the limit", () => {
    const { found, error } = detect(makeZip({ ...pom("g", "own", "1"), "b.jar": nest(40, jar) }));

    expect(packagesOf(found)[0]).toBe("g:own");
    expect(error).toBeDefined();
  });

  it("frees the memory of one archive before the next", () => {
    const inner = makeZip({ x: "x".repeat(9000) }, { method: "stored" });
    const { found, error } = detect(makeZip({ "b.jar": inner, "c.jar": inner, "d.jar": inner }), {
      maxOpenBytes: 10_000,
    });

    expect([packagesOf(found), error]).toEqual([["x", "b", "c", "d"], undefined]);
  });

  it("is read although it claims a false number of entries or false sizes", () => {
    const claimed = Buffer.from(makeZip({ ...pom("g", "a", "1") }));
    claimed.writeUInt16LE(0xffff, claimed.length - 22 + 8);
    claimed.writeUInt16LE(0xffff, claimed.length - 22 + 10);
    const large = changeEntry(makeZip({ "b.jar": jar }), "b.jar", (view, at) =>
      view.setUint32(at + 24, 60_000_000, true),
    );

    expect(packagesOf(detect(Uint8Array.from(claimed)).found)).toEqual(["g:a"]);
    expect(problemsOf(detect(large).found)).toEqual([expect.stringContaining("x.jar: b.jar: expected 60000000 bytes")]);
  });

  it("is read up to the limit if it has more than a million entries", () => {
    const one = makeZip({ "": "" });
    const entry = Buffer.from(one).subarray(one.length - 22 - 46, one.length - 22);
    const end = Buffer.from(one.subarray(-22));
    end.writeUInt32LE(46 * 1_000_001, 12);
    const bytes = Buffer.concat([one.subarray(0, one.length - 22 - 46), ...Array(1_000_001).fill(entry), end]);

    expect(detect(bytes).error).toMatchObject({ code: "memory_limit", message: expect.stringContaining("maxEntries") });
  });

  it("is refused if two entries share bytes", () => {
    const two = makeZip({ "b.jar": jar, "c.jar": jar });
    const bytes = changeEntry(two, "c.jar", (view, at) => view.setUint32(at + 42, 0, true));

    expect(detect(bytes).error).toMatchObject({
      code: "malformed_archive",
      message: expect.stringContaining("overlaps another"),
    });
  });
});

describe("a damaged part", () => {
  const whole = { "b.jar": jar, "c.jar": makeZip(pom("g", "c", "1")), ...manifest({ "Implementation-Version": "3" }) };

  it.each([
    ["a truncated archive", makeZip({ ...whole, "b.jar": jar.slice(0, 100) }), "x.jar:b.jar: expected a zip archive"],
    ["an archive that is text", makeZip({ ...whole, "b.jar": "no archive" }), "x.jar:b.jar: expected a zip archive"],
    [
      "an encrypted one",
      changeEntry(makeZip(whole), "b.jar", (view, at) => view.setUint16(at + 8, 1, true)),
      "x.jar: b.jar: expected an entry without password",
    ],
    [
      "a wrong CRC",
      changeEntry(makeZip(whole), "b.jar", (view, at) => view.setUint32(at + 16, 1, true)),
      "x.jar: b.jar: the content does not have the CRC",
    ],
    [
      "another compression",
      changeEntry(makeZip(whole), "b.jar", (view, at) => view.setUint16(at + 10, 14, true)),
      "x.jar: b.jar: expected method 0",
    ],
  ])("is left out with a problem: %s", (_, bytes, message) => {
    const { found, error } = detect(bytes);

    expect([packagesOf(found), error]).toEqual([["x", "g:c"], undefined]);
    expect(problemsOf(found)).toEqual([expect.stringContaining(message)]);
  });

  const entities = `<!DOCTYPE project [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><project><version>&b;</version></project>`;
  it.each([
    ["its own entities", entities, "found a document type declaration"],
    ["a missing end", "<project><version>1", "unclosed tag"],
    ["a page of HTML", "<html></html>", "found <html>, not <project>"],
    ["elements without end", `<project>${"<a>".repeat(200)}`, "nested more than 100 deep"],
    [
      "properties without end",
      `<project><properties>${Array.from({ length: 10_001 }, (_, at) => `<p${at}/>`).join("")}`,
      "more than 10000 properties",
    ],
    ["more bytes than any has", `<project>${" ".repeat(5 * 1024 ** 2)}</project>`, "expected at most"],
  ])("keeps the path's coordinates and the rest of the archive if a pom.xml has %s", (_, text, message) => {
    const bytes = makeZip({ "META-INF/maven/g/x/pom.xml": text, "c.jar": jar });

    const { found, error } = detect(bytes);

    expect([packagesOf(found), error]).toEqual([["g:x", "g:a"], undefined]);
    expect(problemsOf(found)).toEqual([expect.stringContaining(message)]);
    expect(problemsOf(found)).toEqual([expect.stringMatching(/^x\.jar: META-INF\/maven\/g\/x\/pom\.xml: /)]);
  });

  it("has no version if the properties of a pom.xml refer to each other in a circle", () => {
    const many = "${b}".repeat(200);
    const bytes = makeZip(
      pomXml("g", "x", `<version>\${a}</version><properties><a>${many}</a><b>${many}</b></properties>`),
    );

    expect(detect(bytes).found).toMatchObject([{ kind: "package", package: { name: "g:x", version: "" } }]);
  });

  it("uses only the name of an archive if the manifest cannot be read", () => {
    const bytes = changeEntry(makeZip(whole), "META-INF/MANIFEST.MF", (view, at) => view.setUint16(at + 8, 1, true));

    const { found } = detect(bytes);

    expect(packagesOf(found)).toEqual(["x", "g:a", "g:c"]);
    expect(problemsOf(found)).toEqual([
      expect.stringContaining("META-INF/MANIFEST.MF: expected an entry without password"),
    ]);
  });
});
