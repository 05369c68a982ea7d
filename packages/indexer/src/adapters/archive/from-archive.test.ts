import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Bytes, fromArchiveStream, type ScanError } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import type { OpenSourceOptions, SourceImage } from "@plimsoll/core/internal";
import {
  type BuiltImage,
  type BuiltLayer,
  buildImage,
  buildIndex,
  buildLayer,
  compress,
  describeBlob,
  digestOf,
  dockerArchiveTree,
  type LayerCompression,
  layerChecking,
  ociLayoutTree,
  packTree,
  type Tree,
} from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromArchive, fromDockerArchive, fromOciArchive } from "./from-archive.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "archives-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const arm64 = { os: "linux", architecture: "arm64" };

async function buildApp(name = "app"): Promise<BuiltImage> {
  const plain = await buildLayer({ "etc/os-release": `NAME=${name}\n` }, "plain");
  const gzip = await buildLayer({ "usr/bin/app": name, "etc/.wh.old": "" }, "gzip");
  return buildImage({ layers: [plain, gzip, await buildLayer({ etc: { symbolicLink: "usr/etc" } }, "zstd")] });
}

async function saveTree(tree: Tree, compression: LayerCompression = "plain"): Promise<string> {
  const path = join(folder, "image.tar");
  await writeFile(path, compress(await packTree(tree), compression));
  return path;
}

/** Bytes in pieces of an awkward size. */
async function* inPieces(bytes: Uint8Array): Bytes {
  for (let at = 0; at < bytes.length; at += 777) yield bytes.subarray(at, at + 777);
}

/** Opens, and reads the layers that are left to read. */
async function read(source: ImageSource, opening: Partial<OpenSourceOptions> = {}): Promise<readonly SourceImage[]> {
  const full = { ...layerChecking(), ...opening };
  await using opened = await source.open(full);
  for (const { layers } of opened.images) {
    for (const layer of layers) if (layer.kind === "blob") await full.readLayer(layer);
  }
  return opened.images;
}

/** From a file and as a stream: the answer has to be the same. */
async function readBoth(
  tree: Tree,
  opening: Partial<OpenSourceOptions> = {},
  ref?: string,
): Promise<readonly SourceImage[]> {
  const options = ref === undefined ? {} : { ref };
  const stored = await read(fromArchive(await saveTree(tree), options), opening);
  const streamed = await read(fromArchiveStream(inPieces(await packTree(tree)), options), opening);
  expect(streamed.map(summarize)).toEqual(stored.map(summarize));
  return stored;
}

function summarize({ manifestDigest, platform, layers }: SourceImage): unknown {
  return { manifestDigest, platform, layers: layers.map(({ digest }) => digest) };
}

/** How both ways fail. */
async function failBoth(tree: Tree, opening: Partial<OpenSourceOptions> = {}): Promise<readonly unknown[]> {
  const path = await saveTree(tree);
  const attempts = [fromArchive(path), fromArchiveStream(inPieces(await packTree(tree)))];
  return Promise.all(attempts.map((source) => read(source, opening).catch((error: unknown) => error)));
}

function failure(code: ScanError["code"], message = ""): unknown {
  return expect.objectContaining({ name: "ScanError", code, message: expect.stringContaining(message) });
}

function digests(layers: readonly BuiltLayer[]): readonly string[] {
  return layers.map(({ digest }) => digest);
}

function reversed(tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).reverse());
}

describe("fromOciArchive", () => {
  it.each<LayerCompression>(["plain", "gzip", "zstd"])(
    "reads an archive that is %s as a whole",
    async (compression) => {
      const image = await buildApp();
      const path = await saveTree(ociLayoutTree({ "1.0": image }), compression);

      const [found] = await read(fromOciArchive(path));

      expect(found).toMatchObject({ reference: "1.0", manifestDigest: image.digest, platform: image.platform });
      expect(found?.layers.map(({ digest }) => digest)).toEqual(digests(image.layers));
      expect(found?.layers.map(({ kind }) => kind)).toEqual(Array(3).fill(compression === "plain" ? "blob" : "read"));
    },
  );

  it("gives layers of a plain archive with all that is promised of them, as often as wanted", async () => {
    const image = await buildApp();
    await using opened = await fromOciArchive(await saveTree(ociLayoutTree({ "": image }))).open(layerChecking());
    const layers = opened.images[0]?.layers ?? [];
    expect(layers).toMatchObject(
      image.layers.map(({ digest, diffId, bytes, mediaType }) => ({
        kind: "blob",
        reopens: true,
        mediaType,
        expected: { digest, diffId, sizeBytes: bytes.length },
      })),
    );
    for (const layer of [...layers, ...layers]) if (layer.kind === "blob") await layerChecking().readLayer(layer);
  });

  it("refuses docker's form", async () => {
    const path = await saveTree(dockerArchiveTree({ "app:1": await buildApp() }));
    await expect(read(fromOciArchive(path))).rejects.toEqual(failure("unsupported_source", "index.json"));
  });
});

describe("fromDockerArchive", () => {
  it.each<LayerCompression>(["plain", "gzip", "zstd"])(
    "reads an archive that is %s as a whole",
    async (compression) => {
      const image = await buildApp();
      const path = await saveTree(dockerArchiveTree({ "app:1.0": image }), compression);

      const [found] = await read(fromDockerArchive(path));

      expect(found).toMatchObject({
        reference: "app:1.0",
        manifestDigest: image.config.digest,
        platform: image.platform,
      });
      expect(found?.layers.map(({ digest }) => digest)).toEqual(image.layers.map(({ diffId }) => diffId));
    },
  );

  it("takes the manifest of a layout in the same archive", async () => {
    const image = await buildApp();
    const names = image.layers.map(({ digest }) => `blobs/${digest.replace(":", "/")}`);
    const config = `blobs/${image.config.digest.replace(":", "/")}`;
    const manifest = JSON.stringify([{ Config: config, RepoTags: ["app:1"], Layers: names }]);
    const tree = {
      ...ociLayoutTree({ other: buildIndex([await buildApp("other"), image]) }),
      "manifest.json": manifest,
    };

    const [found] = await readBoth(tree);

    expect(found).toMatchObject({ reference: "app:1", manifestDigest: image.digest });
    expect(found?.layers.map(({ digest }) => digest)).toEqual(digests(image.layers));
  });

  it.each([
    ["lists none", [], undefined],
    ["has null for none", null, undefined],
    ["is not in the index, which has null", [], '{"schemaVersion":2,"manifests":null}'],
  ])("takes the layers of docker's form where the manifest of the layout %s", async (_, none, index) => {
    const image = await buildApp();
    const blob = (digest: string) => `blobs/${digest.replace(":", "/")}`;
    const { mediaType, digest: config, bytes } = image.config;
    const listed = { schemaVersion: 2, config: { mediaType, digest: config, size: bytes.length }, layers: none };
    const empty = Buffer.from(JSON.stringify(listed));
    const digest = digestOf(empty);
    const blobs = Object.fromEntries(image.layers.map((layer) => [blob(layer.digest), layer.bytes]));
    const tree = { ...ociLayoutTree({ "1": { ...image, layers: [], bytes: empty, digest } }), ...blobs };
    const layers = image.layers.map(({ digest }) => blob(digest));
    const manifest = JSON.stringify([{ Config: blob(image.config.digest), RepoTags: ["app:1"], Layers: layers }]);

    const written = index === undefined ? tree : { ...tree, "index.json": index };
    const [found] = await readBoth({ ...written, "manifest.json": manifest });

    expect(found).toMatchObject({ reference: "app:1", manifestDigest: image.config.digest });
    expect(found?.layers.map(({ digest }) => digest)).toEqual(digests(image.layers));
    // its digest would be another one without the index
    expect(await failBoth({ ...tree, "index.json": "{", "manifest.json": manifest })).toEqual(
      Array(2).fill(failure("malformed_image", "index.json: expected JSON")),
    );
  });

  it("follows links between members, as older docker wrote them for layers that are the same", async () => {
    const image = await buildApp();
    const tree = dockerArchiveTree({ "app:1": image });
    const [first, second, third] = image.layers.map(({ diffId }) => diffId.slice("sha256:".length));
    const {
      [`${first}/layer.tar`]: one,
      [`${second}/layer.tar`]: two,
      [`${third}/layer.tar`]: three,
      ...others
    } = tree;
    if (one === undefined || two === undefined || three === undefined) throw new Error("layers are missing");
    const linked = {
      ...others,
      [`${first}/layer.tar`]: { symbolicLink: "../first.tar" },
      "first.tar": one,
      [`${second}/layer.tar`]: { hardLink: "second.tar" },
      "second.tar": { symbolicLink: "./x/../third-name" },
      "third-name": two,
      [`${third}/layer.tar`]: three,
    };
    const [found] = await readBoth(linked);
    expect(found?.layers).toHaveLength(3);
  });

  it("reads configurations that are named as kaniko does", async () => {
    const image = await buildApp();
    const layers = image.layers.map(({ digest, bytes }) => [`${digest.slice(7)}.tar.gz`, bytes] as const);
    const manifest = [{ Config: image.config.digest, RepoTags: ["app"], Layers: layers.map(([name]) => name) }];
    const [found] = await readBoth({
      [image.config.digest]: image.config.bytes,
      ...Object.fromEntries(layers),
      "manifest.json": JSON.stringify(manifest),
    });
    expect(found?.manifestDigest).toBe(image.config.digest);
  });

  it("chooses among several images by name, in any of its spellings", async () => {
    const [one, two] = [await buildApp("one"), await buildApp("two")];
    const tree = dockerArchiveTree({ "team/one:1": one, "docker.io/library/two:latest": two });

    expect((await readBoth(tree, {}, "docker.io/team/one:1"))[0]?.manifestDigest).toBe(one.config.digest);
    expect((await readBoth(tree, {}, "two"))[0]?.manifestDigest).toBe(two.config.digest);
    expect(await failBoth(tree)).toEqual(
      Array(2).fill(failure("unsupported_source", "team/one:1, docker.io/library/two:latest")),
    );
    await expect(readBoth(tree, {}, "three")).rejects.toEqual(failure("not_found", "team/one:1"));
  });
});

describe("fromArchive", () => {
  it("does not care about the order of members", async () => {
    const image = await buildApp();
    await readBoth(reversed(ociLayoutTree({ "1.0": image })));
    await readBoth(reversed(dockerArchiveTree({ "app:1.0": image })));
  });

  it("does not care about leading dots, folders, forks of macOS and what else lies around", async () => {
    const entries = Object.entries(ociLayoutTree({ "1.0": await buildApp() })).flatMap(([name, entry]) => [
      [`./${name.replace(/[^/]*$/, "._$&")}`, "Mac OS X"],
      [`./${name}`, entry],
    ]);
    await readBoth({
      "./": { folder: true },
      "./.DS_Store": "x",
      "./README": "{ no JSON",
      ...Object.fromEntries(entries),
    });
  });

  it("chooses by platform", async () => {
    const [amd, arm] = [await buildApp(), buildImage({ layers: [await buildLayer({ a: "b" })], platform: arm64 })];
    const unknown = { os: "unknown", architecture: "unknown" };
    const attestation = { ...describeBlob(amd.config), mediaType: amd.mediaType, platform: unknown };
    const tree = ociLayoutTree({ multi: buildIndex([buildIndex([amd]), arm], [attestation]) });
    const windows = { os: "windows", architecture: "amd64" };

    expect((await readBoth(tree, { platform: arm64 })).map(summarize)).toMatchObject([{ manifestDigest: arm.digest }]);
    expect((await readBoth(tree, { preferredPlatform: arm64 })).map(summarize)).toMatchObject([{ platform: arm64 }]);
    expect(await readBoth(tree, { platform: "all" })).toHaveLength(2);
    expect(await failBoth(tree, { platform: windows })).toEqual(
      Array(2).fill(failure("no_such_platform", "linux/amd64, linux/arm64")),
    );
    expect(await failBoth(tree)).toEqual(
      Array(2).fill(failure("no_such_platform", "choose one of linux/arm64, linux/amd64")),
    );
  });

  it("takes a lone image unless another platform is asked for", async () => {
    for (const tree of [ociLayoutTree({ "": await buildApp() }), dockerArchiveTree({ "app:1": await buildApp() })]) {
      expect(await readBoth(tree, { preferredPlatform: arm64 })).toHaveLength(1);
      expect(await failBoth(tree, { platform: arm64 })).toEqual(
        Array(2).fill(failure("no_such_platform", "linux/amd64")),
      );
    }
  });

  it("names layers that are not part of the image", async () => {
    const image = await buildApp();
    const [layer] = image.layers;
    if (layer === undefined) throw new Error("no layer");
    const foreign = { ...layer, mediaType: "application/vnd.oci.image.layer.nondistributable.v1.tar+gzip" };
    const odd = { ...layer, mediaType: "application/x-other" };
    const [found] = await readBoth(ociLayoutTree({ "": buildImage({ layers: [foreign, odd, layer] }) }));
    expect(found?.layers).toMatchObject([
      { kind: "foreign", message: expect.stringContaining("not kept") },
      { kind: "foreign", message: expect.stringContaining("application/x-other") },
      { kind: "blob" },
    ]);
  });

  it("does not read what is larger than a document may be", async () => {
    const tree = { ...ociLayoutTree({ "": await buildApp() }), "index.json": `{"x":"${"x".repeat(4 * 1024 ** 2)}"}` };
    expect(await failBoth(tree)).toEqual(Array(2).fill(failure("malformed_image", "4194304")));
  });

  it.each<[string, ScanError["code"], string, (image: BuiltImage) => Tree | Promise<Tree>]>([
    ["no image", "unsupported_source", "manifest.json", () => ({ "notes.txt": "hello" })],
    ["an index of nothing", "malformed_image", "none", () => ({ "index.json": '{"schemaVersion":2,"manifests":[]}' })],
    [
      "a missing layer",
      "malformed_image",
      "layer sha256:",
      (image) => without(ociLayoutTree({ "": image }), image.layers[1]),
    ],
    [
      "a missing manifest",
      "malformed_image",
      "document sha256:",
      (image) => without(ociLayoutTree({ "": image }), image),
    ],
    ["a corrupt manifest", "digest_mismatch", "sha256:", (image) => corrupt(ociLayoutTree({ "": image }), image)],
    [
      "a corrupt configuration",
      "digest_mismatch",
      "sha256:",
      (image) => corrupt(ociLayoutTree({ "": image }), image.config),
    ],
    [
      "a corrupt layer",
      "digest_mismatch",
      "sha256:",
      (image) => corrupt(ociLayoutTree({ "": image }), image.layers[0]),
    ],
    [
      "a wrong diff id",
      "digest_mismatch",
      "sha256:",
      (image) => ociLayoutTree({ "": withDiffIds(image, ["00", "11", "22"]) }),
    ],
    ["too few diff ids", "malformed_image", "3 layers", (image) => ociLayoutTree({ "": withDiffIds(image, ["00"]) })],
    [
      "too few diff ids, docker",
      "malformed_image",
      "3 layers",
      (image) => dockerArchiveTree({ "": withDiffIds(image, ["00"]) }),
    ],
    ["a wrong diff id, docker", "digest_mismatch", "sha256:", (image) => wrongDockerLayer(image)],
    ["a layer link that leads out", "malformed_image", "leads out", (image) => linkLayer(image, "../../../etc/passwd")],
    ["an absolute layer link", "malformed_image", "leads out", (image) => linkLayer(image, "/etc/passwd")],
    ["a layer link in a circle", "malformed_image", "40 links", (image) => linkLayer(image, "layer.tar")],
    ["a dangling layer link", "malformed_image", "not there", (image) => linkLayer(image, "nothing")],
    ["manifest.json that is no list", "malformed_image", "array", () => ({ "manifest.json": "{}" })],
    ["manifest.json without layers", "malformed_image", "Config", () => ({ "manifest.json": "[{}]" })],
  ])("ends %s in %s", async (_name, code, message, damage) => {
    const errors = await failBoth(await damage(await buildApp()));
    expect(errors).toEqual(Array(2).fill(failure(code, message)));
  });

  it("says which file is no archive", async () => {
    for (const content of ["", "<html>not an archive</html>", "x".repeat(2000)]) {
      const path = join(folder, "odd.tar");
      await writeFile(path, content);
      await expect(read(fromArchive(path))).rejects.toEqual(failure("malformed_archive", path));
    }
    await expect(read(fromArchive(join(folder, "none.tar")))).rejects.toEqual(failure("not_found", "none.tar"));
    await expect(read(fromArchive(folder))).rejects.toEqual(failure("unsupported_source", "expected a file"));
    await expect(read(fromArchive("/dev/zero"))).rejects.toEqual(failure("unsupported_source"));
  });

  it.each(["plain", "gzip"] as const)("reads the layers of a %s archive again", async (compression) => {
    const image = await buildApp();
    const path = await saveTree(dockerArchiveTree({ "": image }), compression);
    const reading = layerChecking();
    await using opened = await fromArchive(path).open(reading);

    const read = await Promise.all(
      (opened.images[0]?.layers ?? []).map((layer) => {
        const bytes = layer.kind === "read" ? layer.again : layer;
        return bytes && "open" in bytes ? reading.readLayer(bytes) : undefined;
      }),
    );

    expect(read.map((each) => each?.diffId)).toEqual(opened.images[0]?.layers.map(({ digest }) => digest));
  });

  it("gives layers of a stream only once", async () => {
    const archive = inPieces(await packTree(ociLayoutTree({ "": await buildApp() })));
    await using opened = await fromArchiveStream(archive).open(layerChecking());

    expect(opened.images[0]?.layers.map((layer) => [layer.kind, "again" in layer])).toEqual(
      Array(3).fill(["read", false]),
    );
  });

  it("notices that an archive is cut off", async () => {
    const whole = await packTree(ociLayoutTree({ "": await buildApp() }));
    for (const length of [100, 700, whole.length - 3000]) {
      const path = join(folder, "cut.tar");
      await writeFile(path, whole.subarray(0, length));
      await expect(read(fromArchive(path))).rejects.toEqual(failure("malformed_archive"));
      await expect(read(fromArchiveStream(inPieces(whole.subarray(0, length))))).rejects.toEqual(
        failure("malformed_archive"),
      );
    }
  });

  it("stops at its limits", async () => {
    const tree = ociLayoutTree({ "": await buildApp() });
    const limits = (changed: Parameters<typeof layerChecking>[0]) => ({ limits: layerChecking(changed).limits });
    const bomb = compress(await packTree({ zeros: new Uint8Array(4_000_000) }), "gzip");

    expect(await failBoth(tree, limits({ maxEntries: 3 }))).toEqual(Array(2).fill(failure("entry_limit")));
    expect(await failBoth(tree, limits({ maxLayers: 2 }))).toEqual(Array(2).fill(failure("entry_limit", "3")));
    const tight = limits({ maxRatio: 100, ratioFromBytes: 1_000_000 });
    await expect(read(fromArchiveStream(inPieces(bomb)), { ...tight, readLayer: drain })).rejects.toEqual(
      failure("layer_ratio"),
    );
  });

  it("stops when its signal does", async () => {
    const tree = ociLayoutTree({ "": await buildApp() });
    const signal = AbortSignal.abort();
    expect(await failBoth(tree, { signal })).toEqual(Array(2).fill(failure("aborted")));
  });

  it("lets go of a stream whatever happens", async () => {
    const bytes = await packTree(ociLayoutTree({ "": await buildApp() }));
    let ended = 0;
    async function* watched(source: Uint8Array): Bytes {
      try {
        yield* inPieces(source);
      } finally {
        ended++;
      }
    }
    await read(fromArchiveStream(watched(bytes)));
    await read(fromArchiveStream(watched(bytes)), { signal: AbortSignal.abort() }).catch(() => {});
    await read(fromArchiveStream(watched(Buffer.from("x".repeat(5000))))).catch(() => {});
    expect(ended).toBe(3);
  });
});

/** Reads everything and refuses it. */
const drain: OpenSourceOptions["readLayer"] = async (layer) => {
  for await (const _chunk of layer.open());
  throw new Error("nothing should be read to its end");
};

function nameOf({ digest }: { readonly digest: string }): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function without(tree: Tree, blob: { readonly digest: string } | undefined): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([name]) => blob === undefined || name !== nameOf(blob)));
}

function corrupt(tree: Tree, blob: { readonly digest: string; readonly bytes: Uint8Array } | undefined): Tree {
  if (blob === undefined) return tree;
  const bytes = Uint8Array.from(blob.bytes);
  bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
  return { ...tree, [nameOf(blob)]: bytes };
}

function withDiffIds(image: BuiltImage, starts: readonly string[]): BuiltImage {
  const diffIds = starts.map((start) => `sha256:${start.padEnd(64, "0")}`);
  return buildImage({ layers: image.layers, config: { rootfs: { type: "layers", diff_ids: diffIds } } });
}

async function wrongDockerLayer(image: BuiltImage): Promise<Tree> {
  const other = await buildLayer({ other: "layer" });
  const name = `${image.layers[0]?.diffId.slice("sha256:".length)}/layer.tar`;
  return { ...dockerArchiveTree({ "": image }), [name]: other.bytes };
}

function linkLayer(image: BuiltImage, target: string): Tree {
  const name = `${image.layers[0]?.diffId.slice("sha256:".length)}/layer.tar`;
  return { ...dockerArchiveTree({ "": image }), [name]: { symbolicLink: target } };
}
