import { parseImageReference } from "@plimsoll/core/image";
import { sbomKind, vexKind } from "@plimsoll/core/internal";
import {
  type BuiltBlob,
  buildImage,
  buildIndex,
  buildLayer,
  describeBlob,
  digestOf,
  openRegistryServer,
  type RegistryServer,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { readAttachedDocuments } from "./attached-documents.ts";

const image = buildImage({ layers: [await buildLayer({ "etc/os-release": "NAME=app\n" })] });
const index = buildIndex([image]);
const openVex = "application/vnd.openvex+json";
const dsse = "application/vnd.dsse.envelope.v1+json";
const retry = { attempts: 1 };

const blobOf = (content: string | object, mediaType: string): BuiltBlob => {
  const bytes = Buffer.from(typeof content === "string" ? content : JSON.stringify(content));
  return { bytes, mediaType, digest: digestOf(bytes) };
};

/** An artifact with one document. */
function artifactOf(registry: RegistryServer, document: BuiltBlob, size = document.bytes.length): BuiltBlob {
  registry.putBlob("team/app", document);
  const layers = [{ ...describeBlob(document), size }];
  return blobOf(
    { schemaVersion: 2, artifactType: document.mediaType, layers },
    "application/vnd.oci.image.manifest.v1+json",
  );
}

const tagOf = (digest: string) => digest.replace(":", "-");

async function read(registry: RegistryServer, kind = vexKind, name = "team/app:1") {
  const reference = parseImageReference(`${registry.host}/${name}`);
  const found = await readAttachedDocuments(reference, image.digest, { kind, registry: { retry } });
  const texts = found.documents.map(({ bytes }) => Buffer.from(bytes).toString());
  return { ...found, texts, messages: found.problems.map(({ message }) => message) };
}

async function serve(): Promise<RegistryServer> {
  const registry = await openRegistryServer();
  registry.put("team/app", index, "1");
  return registry;
}

describe("readAttachedDocuments", () => {
  it("reads documents that refer to the image, and to the index that it was named by", async () => {
    await using registry = await serve();
    registry.refer("team/app", image.digest, artifactOf(registry, blobOf("of the image", openVex)));
    registry.refer("team/app", index.digest, artifactOf(registry, blobOf("of the index", openVex)));

    const { texts, digests, messages } = await read(registry);

    expect(texts).toEqual(["of the image", "of the index"]);
    expect(digests).toEqual([image.digest, index.digest]);
    expect(messages).toEqual([]);
  });

  it("reads what is listed under a tag where the registry lists nothing", async () => {
    await using registry = await serve();
    const artifact = artifactOf(registry, blobOf("listed", openVex));
    registry.putManifest("team/app", artifact.digest, artifact);
    const list = blobOf(
      { schemaVersion: 2, manifests: [describeBlob(artifact)] },
      "application/vnd.oci.image.index.v1+json",
    );
    registry.putManifest("team/app", tagOf(image.digest), list);

    expect((await read(registry)).texts).toEqual(["listed"]);
  });

  it("reads attestations of the kind under the tags of cosign, and no others", async () => {
    await using registry = await serve();
    const attest = (predicateType: string) => {
      const statement = { predicateType, predicate: { of: predicateType } };
      return blobOf({ payload: Buffer.from(JSON.stringify(statement)).toString("base64") }, dsse);
    };
    registry.putManifest(
      "team/app",
      `${tagOf(image.digest)}.att`,
      artifactOf(registry, attest("https://openvex.dev/ns")),
    );
    registry.putManifest("team/app", `${tagOf(index.digest)}.att`, artifactOf(registry, attest("https://slsa.dev/v1")));

    expect((await read(registry)).texts).toEqual(['{"of":"https://openvex.dev/ns"}']);
  });

  it("leaves out documents of other kinds, and of other images", async () => {
    await using registry = await serve();
    registry.refer("team/app", image.digest, artifactOf(registry, blobOf("a signature", "application/x-signature")));
    registry.refer("team/app", digestOf(Buffer.from("other")), artifactOf(registry, blobOf("other", openVex)));

    expect((await read(registry)).texts).toEqual([]);
    expect((await read(registry, sbomKind)).texts).toEqual([]);
  });

  it("asks once where the image is named by its digest", async () => {
    await using registry = await serve();
    registry.refer("team/app", image.digest, artifactOf(registry, blobOf("a", openVex)));

    const { digests, texts } = await read(registry, vexKind, `team/app@${image.digest}`);

    expect([digests, texts]).toEqual([[image.digest], ["a"]]);
  });

  it("stops at 50 artifacts, and says so", async () => {
    await using registry = await serve();
    for (let at = 0; at < 51; at++)
      registry.refer("team/app", image.digest, artifactOf(registry, blobOf(`${at}`, openVex)));

    const { texts, messages } = await read(registry);

    expect(texts).toHaveLength(50);
    expect(messages).toEqual(["attached VEX document: more than 50 artifacts are attached"]);
  });

  it("stops at documents that are too large together, and says so", async () => {
    await using registry = await serve();
    const large = artifactOf(registry, blobOf("large", openVex), vexKind.mostBytes);
    registry.refer("team/app", image.digest, artifactOf(registry, blobOf("small", openVex)));
    registry.refer("team/app", image.digest, large);

    const { texts, messages } = await read(registry);

    expect(texts).toEqual(["small"]);
    expect(messages).toEqual(["attached VEX document: the attached documents are larger than 4 MiB"]);
  });

  it.each<[what: string, damage: (registry: RegistryServer) => void]>([
    ["a registry that fails", (registry) => registry.fail({ kind: "status", path: "referrers", status: 500 })],
    ["a document that fails", (registry) => registry.fail({ kind: "status", path: "blobs", status: 403 })],
    ["a damaged document", (registry) => registry.fail({ kind: "corrupt", path: "blobs" })],
  ])("says what it could not read: %s", async (_, damage) => {
    await using registry = await serve();
    registry.refer("team/app", image.digest, artifactOf(registry, blobOf("a", openVex)));
    damage(registry);

    const { texts, problems } = await read(registry);

    expect(texts).toEqual([]);
    expect(problems).toMatchObject([
      { code: "attached_vex", message: expect.stringMatching(/^attached VEX document: /) },
    ]);
  });

  it("says that an attestation is none", async () => {
    await using registry = await serve();
    registry.refer("team/app", image.digest, artifactOf(registry, blobOf("[7]", dsse)));

    const { texts, messages } = await read(registry);

    expect([texts, messages]).toEqual([[], ["attached VEX document: attestation: [0]: expected an object"]]);
  });
});
