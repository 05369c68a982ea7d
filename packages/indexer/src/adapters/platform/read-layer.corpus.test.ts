import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { defaultLimits } from "@plimsoll/core";
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type LayerContents, type ReadLayerOptions, readLayer, survives } from "@plimsoll/core/internal";
import { concatBytes, findCorpus, streamBytes } from "@plimsoll/testing";
import * as tarStream from "tar-stream";
import { beforeAll, describe, expect, it } from "vitest";
import { nodeDecompressors } from "./decompressors.ts";
import { nodeHasher } from "./node-readers.ts";

const corpus = findCorpus();

function read(bytes: Uint8Array, options: Partial<ReadLayerOptions> = {}): Promise<LayerContents> {
  return readLayer({
    open: () => streamBytes(bytes, 65_536),
    reopens: true,
    expected: {},
    wants: () => true,
    decompressors: nodeDecompressors,
    createHasher: nodeHasher,
    limits: defaultLimits,
    ...options,
  });
}

function load(path: string): Uint8Array {
  return new Uint8Array(readFileSync(`${corpus}/data/${path}`));
}

/** The members of a tar file, read by another reader than ours. */
async function untar(archive: Uint8Array): Promise<ReadonlyMap<string, Uint8Array>> {
  const members = new Map<string, Uint8Array>();
  const extract = tarStream.extract();
  extract.end(archive);
  for await (const entry of extract) {
    members.set(entry.header.name, new Uint8Array(await buffer(entry)));
  }
  return members;
}

interface ExpectedLayer {
  readonly digest: string;
  readonly diff_id: string;
  readonly mediaType: string;
}

type ExpectedFile =
  | null
  | string
  | { readonly link: string }
  | { readonly dir: true }
  | { readonly size: number; readonly sha256: string }
  | { readonly optional: string };

interface ReadImage {
  readonly layers: readonly LayerContents[];
  /** The symbolic links of each layer. */
  readonly links: readonly ReadonlySet<string>[];
}

async function readImage(blobs: ReadonlyMap<string, Uint8Array>, layers: readonly ExpectedLayer[]): Promise<ReadImage> {
  const contents: LayerContents[] = [];
  const links: Set<string>[] = [];
  for (const layer of layers) {
    const paths = new Set<string>();
    const digest: Digest = parseDigest(layer.digest);
    const bytes = blobs.get(`blobs/${layer.digest.replace(":", "/")}`) ?? new Uint8Array(0);
    const wants: ReadLayerOptions["wants"] = ({ path, kind }) => {
      if (kind === "symbolic-link") paths.add(path);
      return true;
    };
    contents.push(await read(bytes, { expected: { digest, diffId: parseDigest(layer.diff_id) }, wants }));
    links.push(paths);
  }
  return { layers: contents, links };
}

/** The layer whose file of that path is in the finished image. */
function findLayer({ layers, links }: ReadImage, path: string): number {
  const shapes = layers.map((layer) => layer.shape);
  return layers.findLastIndex(
    (layer, index) => (layer.files.has(path) || links[index]?.has(path)) && survives(shapes, path, index),
  );
}

describe.skipIf(corpus === undefined)("readLayer and survives over odd-visible", () => {
  let image: ReadImage = { layers: [], links: [] };
  const expected =
    corpus === undefined ? undefined : JSON.parse(Buffer.from(load("images/odd-visible/expected.json")).toString());
  const merged: readonly (readonly [string, ExpectedFile])[] = Object.entries(expected?.merged ?? {});

  beforeAll(async () => {
    const blobs = await untar(load("images/odd-visible/odd-visible.tar"));
    const ownLayers = expected.layers.filter((layer: ExpectedLayer) => !layer.mediaType.includes("nondistributable"));
    image = await readImage(blobs, ownLayers);
  });

  it.each(merged)("has %s as the merged view says", (path, wanted) => {
    const index = findLayer(image, path);
    const file = image.layers[index]?.files.get(path);

    if (wanted === null) expect(index).toBe(-1);
    else if (typeof wanted === "string") expect(Buffer.from(file?.bytes ?? []).toString()).toBe(wanted);
    else if ("link" in wanted) expect(image.links[index]?.has(path)).toBe(true);
    else if ("dir" in wanted) expect(image.layers.some((layer) => layer.shape.folders.has(path))).toBe(true);
    else if ("size" in wanted) {
      expect(file?.bytes.length).toBe(wanted.size);
      expect(
        createHash("sha256")
          .update(file?.bytes ?? "")
          .digest("hex"),
      ).toBe(wanted.sha256);
    }
  });
});

/** What each malformed layer leads to: the files kept, or the error. */
const malformed: Readonly<Record<string, readonly string[] | RegExp>> = {
  "generated/tar/dotdot.tar": ["etc/os-release"],
  "generated/tar/absolute.tar": ["etc/os-release"],
  "generated/tar/symlink-then-write.tar": ["etc/os-release", "link/evil"],
  "generated/tar/symlink-dotdot-then-write.tar": ["d/up/evil"],
  "generated/tar/hardlink-missing.tar": ["h"], // the generator wrote a file of one byte in place of each link
  "generated/tar/hardlink-self.tar": ["h"],
  "generated/tar/symlink-loop-status.tar": ["var/lib/dpkg/a", "var/lib/dpkg/status"],
  "generated/tar/nul-and-control-names.tar": ["a\nb", "c\x1b[31md", "e\r"],
  "generated/tar/zero-length.tar": [],
  "generated/tar/truncated-in-data.tar": /layer_truncated/,
  "generated/tar/truncated-in-header.tar": /layer_truncated/,
  "generated/tar/bad-checksum-first.tar": /malformed_archive/,
  "generated/tar/size-8GiB-claimed.tar": /layer_truncated/,
  "generated/tar/size-negative.tar": /malformed_archive/,
  "generated/tar/pax-length-lies.tar": /malformed_archive/,
  "generated/tar/pax-size-huge.tar": /layer_truncated/,
  "generated/tar/pax-5MiB-path.tar.gz": /memory_limit/,
  "generated/tar/deep-dirs-3000.tar.gz": /malformed_archive.*maxPathBytes/,
  "generated/gz/truncated.tar.gz": /layer_truncated/,
  "generated/gz/bad-crc.tar.gz": /layer_corrupt/,
  "generated/gz/bomb-nested-1GiB.tar.gz.gz": /malformed_archive/,
  "generated/gz/zstd-bomb-256MiB.tar.zst": /layer_ratio/,
  "peers/quay+claircore/pkg/tarfs/known/oddlayer.tar": [],
  "peers/isaacs+node-tar/tars/bad-cksum.tar": /malformed_archive/,
  "peers/isaacs+node-tar/tars/body-byte-counts.tar": [
    "1024-bytes.txt",
    "512-bytes.txt",
    "one-byte.txt",
    "zero-byte.txt",
  ],
  "peers/isaacs+node-tar/tars/path-missing.tar": [],
  "peers/isaacs+node-tar/long-linkname.tar": [],
  "peers/mafintosh+tar-stream/incomplete.tar": /layer_truncated/,
  "peers/mafintosh+tar-stream/unknown-format.tar": ["file-1.txt", "file-2.txt"],
  "peers/mafintosh+tar-stream/base-256-size.tar": ["test.txt"],
  "peers/mafintosh+tar-stream/gnu-incremental.tar": ["test.txt"],
  "peers/mafintosh+tar-stream/large-uid-gid.tar": ["test.txt"],
  "peers/mafintosh+tar-stream/unicode-bsd.tar": ["høllø.txt"],
  "peers/mafintosh+tar-stream/latin1.tar": ["En fran\\xe7ais, s'il vous pla\\xeet?.txt"],
};

/** Good archives of which it matters how many files they hold. */
const counted: Readonly<Record<string, number>> = {
  "generated/tar/symlink-chain-5000.tar.gz": 5001,
  "generated/tar/many-entries-200k.tar.gz": 200_000,
  "generated/gz/trailing-garbage.tar.gz": 21,
  "generated/gz/trailing-zeros.tar.gz": 21,
  "peers/quay+claircore/pkg/tarfs/bad_name.tar": 1,
  "peers/isaacs+node-tar/tars/null-byte.tar": 1,
  "peers/isaacs+node-tar/tars/global-header.tar": 1,
  "peers/isaacs+node-tar/tars/trailing-slash-corner-case.tar": 2,
  "peers/isaacs+node-tar/tars/next-file-has-long.tar": 2,
  "peers/mafintosh+tar-stream/name-is-100.tar": 1,
  "peers/mafintosh+tar-stream/space.tar": 4,
};

describe.skipIf(corpus === undefined)("readLayer over malformed layers", () => {
  it.each(Object.entries(malformed))("ends %s as expected", async (path, expected) => {
    const outcome = await read(load(`bad/${path}`)).then(
      (contents) => [...contents.files.keys()],
      (error) => `${error.code}: ${error.message}`,
    );

    if (expected instanceof RegExp) expect(outcome).toMatch(expected);
    else expect(outcome).toEqual(expected);
  });

  it.each(Object.entries(counted))("reads all of %s", async (path, files) => {
    expect((await read(load(`bad/${path}`))).files.size).toBe(files);
  });

  it("gives every archive among the fixtures of peers an answer", async () => {
    const items: readonly { file: string }[] = JSON.parse(Buffer.from(load("bad/peers/LIST.json")).toString());
    for (const { file } of items.filter((item) => item.file.endsWith(".tar"))) {
      const outcome = await read(load(`bad/peers/${file}`)).catch((error) => error);

      expect(outcome.code ?? "read", file).toMatch(/^(read|malformed_archive|layer_truncated)$/);
    }
  });

  it("reads a bomb of a gigabyte in bounded memory", async () => {
    const bomb = load("bad/generated/gz/zstd-bomb-256MiB.tar.zst");
    const limits = { ...defaultLimits, maxRatio: 100_000 };
    const before = process.memoryUsage().arrayBuffers;

    const contents = await read(concatBytes([bomb, bomb, bomb, bomb]), { limits, wants: () => false });

    expect(contents.uncompressedBytes).toBeGreaterThan(1024 ** 3);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(512 * 1024 ** 2); // garbage included
  });
});
