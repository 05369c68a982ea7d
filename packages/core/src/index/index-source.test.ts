import {
  type BuiltImage,
  buildImage,
  buildLayer,
  compress,
  dockerArchiveTree,
  type LayerCompression,
  ociLayoutTree,
  packTree,
  type Tree,
} from "@plimsoll/testing";
import { describe, expect, it } from "vitest";
import { createEngine } from "../create-engine.ts";
import { allEcosystems } from "../ecosystems/all.ts";
import { fromArchiveBlob, fromArchiveStream } from "../image/archive/from-archive.ts";
import type { ImageSource } from "../image/image-source.ts";
import type { IndexEvent } from "./index-options.ts";
import { indexSource } from "./index-source.ts";
import { boundlessLayerCache } from "./layer-cache.ts";
import type { LayerFindings } from "./layer-findings.ts";
import { onlyImage } from "./only-image.ts";

const engine = createEngine({ ecosystems: allEcosystems });

const status = (...packages: string[]) =>
  packages
    .map((text) => text.split(" "))
    .map(
      ([name, version]) => `Package: ${name}\nStatus: install ok installed\nArchitecture: amd64\nVersion: ${version}\n`,
    )
    .join("\n");

async function debian(compression: LayerCompression = "gzip"): Promise<BuiltImage> {
  const base = {
    "etc/os-release": 'ID=debian\nVERSION_ID="12"\n',
    "var/lib/dpkg/status": status("zlib1g 1", "bash 5"),
  };
  const upgrade = { "var/lib/dpkg/status": status("zlib1g 2", "bash 5") };
  return buildImage({ layers: [await buildLayer(base, "gzip"), await buildLayer(upgrade, compression)] });
}

async function blobOf(tree: Tree, compression: LayerCompression = "plain"): Promise<Blob & { readonly name: string }> {
  const bytes = Uint8Array.from(compress(await packTree(tree), compression));
  return Object.assign(new Blob([bytes]), { name: "image.tar" });
}

async function index(source: ImageSource, options: Parameters<typeof indexSource>[2] = {}) {
  const { report, ...image } = await onlyImage(indexSource(engine, source, options), source);
  const packages = Object.values(report.packages).filter(({ kind }) => kind === "BINARY");
  return { ...image, report, packages: packages.map(({ name, version }) => `${name} ${version}`).sort() };
}

describe("indexSource", () => {
  it.each<[string, (image: BuiltImage) => Promise<Tree>, LayerCompression]>([
    ["docker's form", async (image) => dockerArchiveTree({ "app:1": image }), "plain"],
    ["an OCI layout", async (image) => ociLayoutTree({ app: image }), "plain"],
    ["an archive that is compressed as a whole", async (image) => ociLayoutTree({ app: image }), "gzip"],
  ])("reads %s from a blob and from a stream alike", async (_form, treeOf, compression) => {
    const blob = await blobOf(await treeOf(await debian()), compression);

    const stored = await index(fromArchiveBlob(blob));
    const passing = await index(fromArchiveStream(blob.stream()));

    expect(stored.packages).toEqual(["bash 5", "zlib1g 2"]);
    expect(stored.source).toBe("image.tar");
    expect(Object.values(stored.report.distributions)).toMatchObject([{ did: "debian", versionId: "12" }]);
    expect(passing.report.packages).toEqual(stored.report.packages);
  });

  it("reads a layer once that is there twice, and none that the cache knows", async () => {
    const layer = await buildLayer({ "var/lib/dpkg/status": status("bash 5") });
    const blob = await blobOf(await ociLayoutTree({ app: await buildImage({ layers: [layer, layer] }) }));
    const cache = boundlessLayerCache<LayerFindings>();
    const events: IndexEvent["kind"][] = [];
    const onEvent = ({ kind }: IndexEvent) => events.push(kind);

    for (let run = 0; run < 2; run++) await index(fromArchiveBlob(blob), { onEvent, cache });

    expect(events).toEqual(["image-opened", "layer-reading", "layer-read", "image-opened", "layer-known"]);
  });

  it("says which compression it lacks", async () => {
    const blob = await blobOf(await ociLayoutTree({ app: await debian("zstd") }));

    await expect(index(fromArchiveBlob(blob))).rejects.toMatchObject({ code: "unsupported_compression" });
  });

  it("refuses a layer that is not the promised one", async () => {
    const image = await debian();
    const tree = await ociLayoutTree({ app: image });
    const [name = ""] = Object.keys(tree).filter((path) => path.endsWith(image.layers[0]?.digest.slice(7) ?? "-"));
    const other = await buildLayer({ "etc/motd": "another" });

    const blob = await blobOf({ ...tree, [name]: other.bytes });

    expect(name).not.toBe("");
    await expect(index(fromArchiveBlob(blob))).rejects.toMatchObject({ code: expect.stringMatching(/_mismatch$/) });
  });

  it("ends with the caller's signal", async () => {
    const blob = await blobOf(await ociLayoutTree({ app: await debian() }));

    await expect(index(fromArchiveBlob(blob), { signal: AbortSignal.abort() })).rejects.toBeDefined();
  });
});
