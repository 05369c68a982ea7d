import { type BuiltImage, type BuiltIndex, blobsOf, buildImage, buildIndex, describeBlob } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { ScanError } from "../errors.ts";
import { parseDigest } from "../model/digest.ts";
import type { Descriptor } from "../model/image-manifest.ts";
import { findImages, type ImageChoice, type ImageStore } from "./find-images.ts";

function storeOf(...roots: readonly (BuiltImage | BuiltIndex)[]): ImageStore<never> & { readonly read: string[] } {
  const blobs = new Map(roots.flatMap(blobsOf).map((blob) => [blob.digest, blob.bytes]));
  const read: string[] = [];
  return {
    read,
    readDocument: async ({ digest }) => {
      read.push(digest);
      const bytes = blobs.get(digest);
      if (bytes === undefined) throw new ScanError("not_found", `there is no ${digest}`);
      return bytes;
    },
    toLayer: () => {
      throw new Error("no layers here");
    },
  };
}

function descriptorOf(root: BuiltImage | BuiltIndex): Descriptor {
  const { mediaType, digest, size } = describeBlob(root);
  return { mediaType, digest, sizeBytes: size, annotations: {} };
}

async function find(
  root: BuiltImage | BuiltIndex,
  choice: Partial<ImageChoice> = {},
  store = storeOf(root),
): Promise<unknown> {
  const images = await findImages([descriptorOf(root)], store, {
    choice: { limits: { maxLayers: 10 }, ...choice },
    reference: "app",
  });
  return images.map(({ manifestDigest }) => manifestDigest);
}

const linux = (architecture: string, variant?: string) => ({
  os: "linux",
  architecture,
  variant: variant || undefined,
});
const imageFor = (architecture: string, variant?: string) =>
  buildImage({ layers: [], platform: linux(architecture, variant) });
const [amd, arm, armV6, armV7] = [imageFor("amd64"), imageFor("arm64"), imageFor("arm", "v6"), imageFor("arm", "v7")];

describe("findImages", () => {
  it.each<[string, Partial<ImageChoice>, readonly BuiltImage[]]>([
    ["the platform", { platform: linux("arm64") }, [arm]],
    ["the nearest variant", { platform: linux("arm", "v7") }, [armV7]],
    ["an older variant of the same line", { platform: linux("arm", "v6") }, [armV6]],
    ["the preferred platform", { preferredPlatform: linux("amd64") }, [amd]],
    ["the platform over the preferred one", { platform: linux("arm64"), preferredPlatform: linux("amd64") }, [arm]],
    ["all", { platform: "all" }, [amd, arm, armV6, armV7]],
  ])("takes %s of an index", async (_name, choice, images) => {
    expect(await find(buildIndex([amd, arm, armV6, armV7]), choice)).toEqual(images.map(({ digest }) => digest));
  });

  it("reads only the chosen manifest when the index has platforms", async () => {
    const index = buildIndex([amd, arm]);
    const store = storeOf(index);
    await find(index, { platform: linux("arm64") }, store);
    expect(store.read).toEqual([index.digest, arm.digest, arm.config.digest]);
  });

  it("reads platforms from configurations when the index has none, and no document twice", async () => {
    const index = buildIndex([], [describeBlob(amd), describeBlob(arm)]);
    const store = storeOf(index, amd, arm);
    expect(await find(index, { platform: linux("arm64") }, store)).toEqual([arm.digest]);
    expect(new Set(store.read).size).toBe(store.read.length);
  });

  it("counts a manifest once that is listed twice", async () => {
    expect(await find(buildIndex([amd, buildIndex([amd])]))).toEqual([amd.digest]);
  });

  it("does not need the manifests of other platforms", async () => {
    const index = buildIndex([amd, arm]);
    expect(
      await find(
        index,
        { platform: linux("amd64") },
        storeOf(buildIndex([]), index.members[0] as BuiltImage, { ...index, members: [] }),
      ),
    ).toEqual([amd.digest]);
  });

  it.each<[string, BuiltImage | BuiltIndex, Partial<ImageChoice>, ScanError["code"], string]>([
    [
      "an absent platform",
      buildIndex([amd, arm]),
      { platform: linux("s390x") },
      "no_such_platform",
      "linux/amd64, linux/arm64",
    ],
    ["no choice", buildIndex([amd, arm]), {}, "no_such_platform", "app is for several platforms"],
    ["another platform than the only one", amd, { platform: linux("arm64") }, "no_such_platform", "linux/amd64"],
    ["an empty index", buildIndex([]), {}, "malformed_image", "none"],
    [
      "an index of attestations",
      buildIndex([], [{ ...describeBlob(amd), platform: { os: "unknown", architecture: "unknown" } }]),
      {},
      "malformed_image",
      "none",
    ],
    [
      "an index of something else",
      buildIndex([], [{ ...describeBlob(amd), mediaType: "text/plain" }]),
      {},
      "unsupported_media_type",
      "text/plain",
    ],
    ["indexes without end", nest(amd, 6), {}, "malformed_image", "nested indexes"],
    ["very many manifests", crowd(), {}, "malformed_image", "more than 1000"],
    [
      "old manifests",
      buildIndex(
        [],
        [{ ...describeBlob(amd), mediaType: "application/vnd.docker.distribution.manifest.v1+prettyjws" }],
      ),
      {},
      "not_found",
      "there is no",
    ],
  ])("refuses %s", async (_name, root, choice, code, message) => {
    await expect(find(root, choice)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });
});

function nest(image: BuiltImage, depth: number): BuiltIndex {
  const index = buildIndex([image]);
  return depth === 0 ? index : buildIndex([nest(image, depth - 1)]);
}

function crowd(): BuiltIndex {
  const digest = (index: number) => parseDigest(`sha256:${index.toString(16).padStart(64, "0")}`);
  return buildIndex(
    [],
    Array.from({ length: 1001 }, (_, index) => ({ ...describeBlob(amd), digest: digest(index) })),
  );
}
