import { createHash } from "node:crypto";
import { type BuiltBlob, openRegistryServer } from "@plimsoll/testing";
import { afterAll, describe, expect, it } from "vitest";
import { openCommandWorld } from "./support/command-world.ts";
import { runPlimsoll } from "./support/run-plimsoll.ts";
import { debianImage } from "./support/sample-image.ts";

const world = await openCommandWorld();
afterAll(() => world[Symbol.dispose]());
const image = await debianImage(["zlib1g 1:1.2.13.dfsg-1 zlib"]);
const openVex = "application/vnd.openvex+json";
const id = "CVE-2023-45853";

function blobOf(document: object, mediaType: string): BuiltBlob {
  const bytes = Buffer.from(JSON.stringify(document));
  return {
    bytes,
    mediaType,
    digest: `sha256:${createHash("sha256").update(bytes).digest("hex")}` as BuiltBlob["digest"],
  };
}

const vexOf = (product: string, status: string) => ({
  "@context": "https://openvex.dev/ns/v0.2.0",
  author: "Ada",
  timestamp: "2026-01-02T00:00:00Z",
  statements: [{ vulnerability: { name: id }, products: [product], status, justification: "component_not_present" }],
});

/** A registry with the image, and documents that are attached to it. */
async function serve(...documents: readonly object[]) {
  const registry = await openRegistryServer();
  registry.put("team/app", image, "1");
  for (const document of documents) {
    const blob = blobOf(document, openVex);
    registry.putBlob("team/app", blob);
    const layers = [{ mediaType: openVex, digest: blob.digest, size: blob.bytes.length }];
    registry.refer(
      "team/app",
      image.digest,
      blobOf({ schemaVersion: 2, layers }, "application/vnd.oci.image.manifest.v1+json"),
    );
  }
  const run = (command: string, ...words: readonly string[]) =>
    runPlimsoll([command, `${registry.host}/team/app:1`, ...words, "--db", world.db]);
  return {
    run,
    digests: documents.map((each) => blobOf(each, openVex).digest),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

const ofImage = vexOf(`pkg:oci/app@${image.digest}`, "not_affected");
const ofPackage = vexOf("pkg:deb/debian/zlib1g", "not_affected");

describe("plimsoll scan with attached VEX documents", () => {
  it("leaves them alone unless it is told to read them", async () => {
    await using registry = await serve(ofImage);

    const { stdout, stderr } = await registry.run("scan", "-o", "ndjson");

    expect(stdout).toContain('"kind":"finding"');
    expect(stdout).not.toContain('"kind":"suppressed"');
    expect(stderr).toBe("");
  });

  it.each([
    ["the image", ofImage],
    ["a package", ofPackage],
  ])("takes out what is stated of %s, and says by which document", async (_, document) => {
    await using registry = await serve(document);

    const { stdout, code } = await registry.run("scan", "--attached-vex", "-o", "ndjson", "--fail-on", "unknown+");

    expect(code).toBe(0);
    expect(stdout).not.toContain('"kind":"finding"');
    expect(stdout).toContain(`attached ${registry.digests[0]}: statements[0]`);
    expect(stdout).toContain("Ada");
  });

  it("applies nothing that is stated of another image", async () => {
    await using registry = await serve(vexOf(`pkg:oci/app@sha256:${"0".repeat(64)}`, "not_affected"));

    const { stdout, stderr } = await registry.run("scan", "--attached-vex", "-o", "ndjson");

    expect(stdout).toContain('"kind":"finding"');
    expect(stderr).toBe("");
  });

  it("lets statements that are given count before attached ones, whatever their dates", async () => {
    await using registry = await serve(ofImage);
    const earlier = { ...vexOf("pkg:deb/debian/zlib1g", "affected"), timestamp: "2020-01-02T00:00:00Z" };
    const given = world.folder.write("given.json", JSON.stringify(earlier));

    const { stdout } = await registry.run("scan", "--attached-vex", "--vex", given, "-o", "ndjson");

    expect(stdout).toContain('"kind":"finding"');
  });

  it("says what it could not read, and takes nothing out by it", async () => {
    await using registry = await serve({ not: "a document" }, { ...ofImage, statements: 7 });

    const { stdout, stderr } = await registry.run("scan", "--attached-vex", "-o", "ndjson");

    expect(stdout).toContain('"kind":"finding"');
    expect(stderr.split("\n").filter((line) => line.includes("no statement of the document is applied"))).toHaveLength(
      2,
    );
  });

  it("says of another source that nothing is attached to it", async () => {
    const { stderr } = await runPlimsoll(["scan", world.image, "--attached-vex", "--db", world.db, "-o", "ndjson"]);

    expect(stderr).toContain("is not an image in a registry, so it cannot have attached documents");
  });
});

describe("plimsoll explain with attached VEX documents", () => {
  it("says which document takes a finding out", async () => {
    await using registry = await serve(ofImage);

    const { stdout } = await registry.run("explain", id, "--attached-vex");

    expect(stdout).toContain(`${id}: suppressed`);
    expect(stdout).toContain(`attached ${registry.digests[0]}: statements[0]`);
  });
});
