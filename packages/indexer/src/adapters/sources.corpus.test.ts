import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import { allEcosystems, createEngine, fromArchiveStream, ScanError } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import type { OpenSourceOptions, SourceImage } from "@plimsoll/core/internal";
import { formatPlatform } from "@plimsoll/core/platform";
import { findCorpus } from "@plimsoll/testing";
import { describe, expect, it } from "vitest";

import { sniffSource } from "./parse-source.ts";
import { nodeReaders } from "./platform/node-readers.ts";

const corpus = findCorpus();
const data = `${corpus ?? ""}/data`;

const engine = createEngine({ ecosystems: allEcosystems });
const opening: OpenSourceOptions = {
  ...nodeReaders(engine),
  limits: engine.limits,
  preferredPlatform: { os: "linux", architecture: "amd64" },
};

/** Opens a source and reads each distinct layer once, as the indexer does. */
async function read(source: ImageSource, options: Partial<OpenSourceOptions> = {}): Promise<readonly SourceImage[]> {
  const all = { ...opening, ...options };
  await using opened = await source.open(all);
  const seen = new Set<string>();
  for (const layer of opened.images.flatMap(({ layers }) => layers)) {
    if (layer.kind === "blob" && !seen.has(layer.digest)) await all.readLayer(layer);
    seen.add(layer.digest);
  }
  return opened.images;
}

/** As a file and as a stream: images, or the code and message of the error. */
async function outcomes(path: string): Promise<readonly (readonly SourceImage[] | string)[]> {
  const explain = (error: unknown) => {
    if (error instanceof ScanError) return `${error.code}: ${error.message}`;
    throw error;
  };
  return [
    await read(await sniffSource(path)).catch(explain),
    await read(fromArchiveStream(createReadStream(path))).catch(explain),
  ];
}

interface Facts {
  readonly diff_ids: readonly string[];
  readonly architecture: string;
  readonly os: string;
  readonly layers?: readonly { readonly digest: string }[];
  readonly platforms?: readonly { readonly os: string; readonly architecture: string; readonly variant?: string }[];
}

function listImages(): readonly string[] {
  const names = corpus === undefined ? [] : readdirSync(`${data}/images`);
  return names.filter((name) =>
    ["tar", "facts.json"].every((end) => existsSync(`${data}/images/${name}/${name}.${end}`)),
  );
}

describe.skipIf(corpus === undefined)("sources of the corpus", () => {
  it.each(listImages())("%s has the layers and the platform that skopeo found", async (name) => {
    const facts: Facts = JSON.parse(readFileSync(`${data}/images/${name}/${name}.facts.json`, "utf8"));
    for (const images of await outcomes(`${data}/images/${name}/${name}.tar`)) {
      expect(images).toMatchObject([
        { platform: { os: facts.os, architecture: facts.architecture }, config: { diffIds: facts.diff_ids } },
      ]);
      const layers = (images as readonly SourceImage[]).flatMap((image) => image.layers);
      expect(layers).toHaveLength(facts.diff_ids.length);
      if (facts.layers) expect(layers.map(({ digest }) => digest)).toEqual(facts.layers.map(({ digest }) => digest));
    }
  });

  it.each(listImages())("%s gives every platform when asked to", async (name) => {
    const facts: Facts = JSON.parse(readFileSync(`${data}/images/${name}/${name}.facts.json`, "utf8"));
    const source = await sniffSource(`${data}/images/${name}/${name}.tar`);
    const images = await read(source, { platform: "all" });
    const platforms = images.map(({ platform }) => platform && formatPlatform(platform));
    if (facts.platforms) expect(platforms).toEqual(facts.platforms.map(formatPlatform));
    else expect(platforms).toHaveLength(1);
  });

  it("odd-visible has the layers its author wrote down, the foreign one named", async () => {
    const path = `${data}/images/odd-visible`;
    const expected = JSON.parse(readFileSync(`${path}/expected.json`, "utf8"));
    for (const images of await outcomes(`${path}/odd-visible.tar`)) {
      const [image] = images as readonly SourceImage[];
      expect(image?.layers.map(({ digest }) => digest)).toEqual(
        expected.layers.map((layer: { digest: string }) => layer.digest),
      );
      expect(image?.layers.map(({ kind }) => kind === "foreign")).toEqual(
        Array.from({ length: 8 }, (_, index) => index === 7),
      );
    }
  });

  it.each([
    ["generated/image/good-control", /^images: 1$/],
    ["generated/image/layer-missing", /sha256:82dc1061/],
    ["generated/image/no-oci-layout", /^images: 1$/],
    ["generated/image/layer-size-lies", /^size_mismatch: .*sha256:82dc1061/],
    ["generated/image/diffid-wrong", /^digest_mismatch: .*sha256:/],
    ["generated/image/diffid-count", /^malformed_image: .*diff ids/],
    ["generated/image/config-null", /^malformed_image: .*sha256:74234e98/],
    ["generated/image/digest-not-hex", /^malformed_digest: /],
    ["generated/image/media-type-unknown", /^images: 1$/],
    ["generated/image/layers-1000-same", /^images: 1$/],
    ["generated/image/index-empty", /^malformed_image: /],
    ["generated/image/index-nested-missing", /sha256:aaaaaaaa/],
    ["generated/image/zero", /^malformed_archive: /],
    ["generated/image/html", /^malformed_archive: /],
    ["generated/image/docker-layer-symlink-out", /^malformed_/],
    ["peers/google+osv-scalibr/artifact/image/unpack/escape", /^unsupported_source: /],
    ["peers/google+osv-scalibr/artifact/image/unpack/symlinks", /^images: 1$/],
    ["peers/google+osv-scalibr/artifact/image/layerscanning/image/symlink-cycle", /^images: 1$/],
    ["peers/google+osv-scalibr/artifact/image/layerscanning/image/symlink-dangling", /^images: 1$/],
    ["peers/google+osv-scalibr/artifact/image/layerscanning/image/overwrite-file", /^images: 1$/],
    ["peers/google+osv-scalibr/artifact/image/layerscanning/image/empty", /^unsupported_source: /],
    ["peers/snyk+snyk-docker-plugin/docker-oci-archives/unsupported-image", /^unsupported_source: /],
    ["peers/snyk+snyk-docker-plugin/docker-archives/docker-save/nginx", /^malformed_image: .*diff ids/],
    ["peers/snyk+snyk-docker-plugin/docker-archives/docker-save/dockergoof", /^malformed_image: .*diff ids/],
    ["peers/snyk+snyk-docker-plugin/oci-archives/alpine-3.12.0", /^digest_mismatch: .*sha256:/],
    ["peers/snyk+snyk-docker-plugin/oci-archives/oci-with-manifest", /./],
  ])("bad/%s ends as it has to: %s", async (name, ending) => {
    for (const outcome of await outcomes(`${data}/bad/${name}.tar`)) {
      expect(typeof outcome === "string" ? outcome : `images: ${outcome.length}`).toMatch(ending);
    }
  });
});
