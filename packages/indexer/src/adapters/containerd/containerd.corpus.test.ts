/** A real containerd on a socket of its own, with a store of its own. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { OpenedSource } from "@plimsoll/core/internal";
import { type Platform, parsePlatform } from "@plimsoll/core/platform";
import {
  type BuiltImage,
  buildImage,
  buildIndex,
  buildLayer,
  type Containerd,
  collectBytes,
  layerChecking,
  ociLayoutTree,
  packTree,
  skipNote,
  startContainerd,
  whyNoContainerd,
} from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSource } from "../parse-source.ts";

const run = promisify(execFile);
const whyNot = whyNoContainerd();

let folder = "";
let daemon: Containerd | undefined;
let app: BuiltImage;
const layer = await buildLayer({ "etc/os-release": "ID=x\n", "var/large": "x".repeat(3_000_000) }, "plain");

beforeAll(async () => {
  if (whyNot !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), "containerd-"));
  daemon = await startContainerd(folder);
  app = buildImage({ layers: [layer], platform: { os: "linux", architecture: "amd64" } });
  const arm = buildImage({ layers: [await buildLayer({ a: "b" })], platform: { os: "linux", architecture: "arm64" } });
  await load("default", { "docker.io/library/app:1": app });
  await load("k8s.io", { "registry.example/team/multi:2": buildIndex([app, arm]) }, "--all-platforms");
  await load("other", { "registry.example/hidden:1": arm }, "--all-platforms");
  await ctr("k8s.io", "images", "tag", "registry.example/team/multi:2", app.config.digest);
});

afterAll(async () => {
  if (whyNot !== undefined) return;
  await daemon?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

async function ctr(namespace: string, ...words: readonly string[]): Promise<void> {
  await run("ctr", ["--address", daemon?.address ?? "", "--namespace", namespace, ...words]);
}

async function load(
  namespace: string,
  images: Parameters<typeof ociLayoutTree>[0],
  ...flags: readonly string[]
): Promise<void> {
  const file = join(folder, "image.tar");
  await writeFile(file, await packTree(ociLayoutTree(images)));
  await ctr(namespace, "images", "import", "--no-unpack", ...flags, file);
}

async function open(name: string, platform?: Platform, namespaces?: readonly string[]): Promise<OpenedSource> {
  const find = async () => ({ kind: "socket", path: daemon?.address ?? "" }) as const;
  const source = await parseSource(name, { engines: { find, namespaces } });
  return source.open({ ...layerChecking(), platform });
}

describe(`containerd${skipNote(whyNot)}`, () => {
  it.skipIf(whyNot !== undefined).each([
    ["containerd:docker.io/library/app:1", "docker.io/library/app:1"],
    ["containerd:app:1", "docker.io/library/app:1"],
  ])("gives %s, layer by layer", async (name, reference) => {
    await using opened = await open(name);
    const [found] = opened.images;

    expect(found).toMatchObject({ reference, manifestDigest: app.digest });
    const [only] = found?.layers ?? [];
    if (only?.kind !== "blob") throw new Error("expected a blob");
    expect(Buffer.from(await collectBytes(only.open())).equals(layer.bytes)).toBe(true);
  });

  it.skipIf(whyNot !== undefined)(
    "gives images by the beginning of their digests and by their ids in Kubernetes",
    async () => {
      const amd = parsePlatform("linux/amd64");
      for (const id of [
        app.digest,
        app.digest.slice("sha256:".length, 20),
        app.config.digest,
        app.config.digest.slice(7, 19),
      ]) {
        await using opened = await open(`containerd:${id}`, amd);
        expect(opened.images.map(({ manifestDigest }) => manifestDigest)).toEqual([app.digest]);
      }
    },
  );

  it.skipIf(whyNot !== undefined)("chooses a platform of an image in the namespace of Kubernetes", async () => {
    await using opened = await open("containerd:registry.example/team/multi:2", parsePlatform("linux/arm64"));

    expect(opened.images[0]?.platform?.architecture).toBe("arm64");
  });

  it.skipIf(whyNot !== undefined)("names the namespaces in which it did not look", async () => {
    await expect(open("containerd:registry.example/hidden:1")).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringMatching(/default and k8s\.io; others are other: choose one with CONTAINERD_NAMESPACE/),
    });
    await using opened = await open("containerd:registry.example/hidden:1", undefined, ["other"]);
    expect(opened.images).toHaveLength(1);
  });

  it.skipIf(whyNot !== undefined)("says that layers are not in the store", async () => {
    await load("lazy", { "registry.example/lazy:1": app });
    await ctr("lazy", "content", "delete", app.layers[0]?.digest ?? "");
    await using opened = await open("containerd:registry.example/lazy:1", undefined, ["lazy"]);
    const [only] = opened.images[0]?.layers ?? [];
    if (only?.kind !== "blob") throw new Error("expected a blob");

    await expect(collectBytes(only.open())).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("does not have all of its layers"),
    });
  });
});
