import { createEngine, dpkg, linux } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import type { ImageSource } from "@plimsoll/core/image";
import type { BlobLayer } from "@plimsoll/core/internal";
import { buildTar, digestOf, streamBytes } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { nodeReaders } from "./adapters/platform/node-readers.ts";
import { createIndexer } from "./indexer.ts";
import type { LayerRecord } from "./values/layer-record.ts";

const engine = createEngine({ ecosystems: [linux, dpkg] });

function layerNamed(name: string): BlobLayer {
  const bytes = buildTar({ name, content: name });
  const digest = digestOf(bytes);
  return {
    kind: "blob",
    digest,
    mediaType: "application/vnd.oci.image.layer.v1.tar",
    open: () => streamBytes(bytes, 512),
    reopens: true,
    expected: { digest },
  };
}

function sourceOf(layers: readonly BlobLayer[]): ImageSource {
  const image = { reference: "image", manifestDigest: digestOf(Uint8Array.of(1)), layers };
  return { name: "image", open: async () => ({ images: [image], [Symbol.asyncDispose]: async () => {} }) };
}

async function drain(images: AsyncIterable<unknown>): Promise<void> {
  for await (const _image of images);
}

describe("createIndexer", () => {
  it("reads the next layer while the findings of the one before are stored", async () => {
    const layers = ["a", "b", "c"].map(layerNamed);
    const stored: Digest[] = [];
    const allRead = Promise.withResolvers<void>();
    let read = 0;
    const cache = {
      find: async () => undefined,
      async put({ digest }: LayerRecord) {
        await allRead.promise; // nothing is stored before everything is read
        stored.push(digest);
      },
    };
    const indexer = createIndexer({ engine, cache, readers: nodeReaders(engine), layersAtOnce: 1 });
    const onEvent = ({ kind }: { readonly kind: string }) => {
      if (kind === "layer-read" && ++read === layers.length) allRead.resolve();
    };

    await drain(indexer.index(sourceOf(layers), { onEvent }));

    expect(stored).toEqual(layers.map(({ digest }) => digest));
  });

  it("ends with the failure of a layer that cannot be stored", async () => {
    const cache = {
      find: async () => undefined,
      put: async () => {
        throw new Error("the disk is full");
      },
    };
    const indexer = createIndexer({ engine, cache, readers: nodeReaders(engine), layersAtOnce: 1 });

    await expect(drain(indexer.index(sourceOf(["a", "b"].map(layerNamed))))).rejects.toThrow("the disk is full");
  });
});
