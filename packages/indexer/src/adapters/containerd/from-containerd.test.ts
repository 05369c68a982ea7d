import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BlobLayer, OpenedSource } from "@plimsoll/core/internal";
import { parsePlatform } from "@plimsoll/core/platform";
import { type BuiltImage, buildImage, buildIndex, buildLayer, collectBytes, layerChecking } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineHosts, parseEngineHost } from "../engine/engine-address.ts";
import { type ContainerdServer, startContainerdServer } from "./fixtures/containerd-server.ts";
import { fromContainerd } from "./from-containerd.ts";

let folder = "";
let server: ContainerdServer;
let engines: EngineHosts;
const layer = await buildLayer({ "etc/os-release": "ID=x\n", large: "y".repeat(5_000) }, "plain");
const imageFor = (architecture: string, ...layers: Parameters<typeof buildImage>[0]["layers"]) =>
  buildImage({ layers, platform: { os: "linux", architecture } });
const app = imageFor("amd64", layer);
const arm = imageFor("arm64", await buildLayer({ a: "b" }));
const discarded = imageFor("amd64", await buildLayer({ c: "d" }));
const cut = imageFor("amd64", await buildLayer({ e: "f".repeat(5_000) }, "plain"));
const riscv = imageFor("riscv64");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "containerd-"));
  const path = join(folder, "containerd.sock");
  server = await startContainerdServer(path);
  engines = { find: async () => ({ kind: "socket", path }) };
  server.put("default", "docker.io/library/app:1", app);
  server.put("k8s.io", "docker.io/library/app:1", arm);
  server.put("k8s.io", "registry.example/multi:2", buildIndex([app, arm, riscv]));
  server.put("k8s.io", arm.config.digest, arm);
  server.put("default", "docker.io/library/unpacked:1", discarded);
  server.put("default", "docker.io/library/cut:1", cut);
  server.put("moby", "docker.io/library/built:1", app);
  server.discard(layerOf(discarded));
  server.discard(riscv.digest);
  server.cut(layerOf(cut));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function layerOf(image: BuiltImage): string {
  return image.layers[0]?.digest ?? "";
}

function open(image: string, options: { readonly platform?: string; readonly engines?: EngineHosts } = {}) {
  const { platform } = options;
  const source = fromContainerd(image, { engines: options.engines ?? engines });
  return source.open({ ...layerChecking(), platform: platform === undefined ? undefined : parsePlatform(platform) });
}

function firstLayer({ images }: OpenedSource): BlobLayer {
  const [only] = images[0]?.layers ?? [];
  if (only?.kind !== "blob") throw new Error("expected a blob");
  return only;
}

describe("fromContainerd", () => {
  it.each([
    ["docker.io/library/app:1", app],
    ["app:1", app],
    [`app@${app.digest}`, app],
    ["registry.example/multi:2", arm],
    [arm.digest, arm],
    [arm.digest.slice("sha256:".length, 24), arm],
    [arm.config.digest.slice("sha256:".length, 24), arm],
  ])("finds %s", async (name, image) => {
    await using opened = await open(name, image === arm ? { platform: "linux/arm64" } : {});

    expect(fromContainerd(name).name).toBe(`containerd:${name}`);
    expect(opened.images.map(({ manifestDigest }) => manifestDigest)).toEqual([image.digest]);
  });

  it("streams a layer when it is read, as often as it is", async () => {
    await using opened = await open("app:1");
    const found = firstLayer(opened);

    expect(server.reads.at(-1)).toBe(app.config.digest);
    for (const _ of [1, 2]) expect(Buffer.from(await collectBytes(found.open())).equals(layer.bytes)).toBe(true);
    expect(found.expected).toEqual({ digest: layer.digest, sizeBytes: layer.bytes.length, diffId: layer.diffId });
  });

  it("looks in the namespaces that are named, and in no other", async () => {
    await using opened = await open("app:1", { engines: { ...engines, namespaces: ["k8s.io"] } });

    expect(opened.images[0]?.manifestDigest).toBe(arm.digest);
    await expect(open("built:1")).rejects.toMatchObject({
      code: "not_found",
      message:
        `containerd at unix://${folder}/containerd.sock has no image built:1 in the namespaces default and k8s.io; ` +
        "others are moby: choose one with CONTAINERD_NAMESPACE; use registry:built:1 for an image in a registry",
    });
  });

  it.each<[string, string, string | undefined, string]>([
    ["a platform that is not made", "no_such_platform", "linux/s390x", "linux/amd64, linux/arm64"],
    [
      "a platform that was not pulled",
      "not_found",
      "linux/riscv64",
      "does not have it for linux/riscv64 (only another",
    ],
    ["no choice", "no_such_platform", undefined, "choose one of linux/amd64"],
  ])("refuses %s with %s", async (_name, code, platform, message) => {
    const opening = open("registry.example/multi:2", platform === undefined ? {} : { platform });

    await expect(opening).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it("says that layers were discarded, and what helps", async () => {
    await using opened = await open("unpacked:1");

    await expect(collectBytes(firstLayer(opened).open())).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringMatching(
        /does not have all of its layers.*discarded.*ctr -n default content fetch docker\.io\/library\/unpacked:1/,
      ),
    });
  });

  it("fails where the connection ends in a layer, and ends with the signal", async () => {
    await using opened = await open("cut:1");
    await expect(collectBytes(firstLayer(opened).open())).rejects.toMatchObject({ code: "source_unreachable" });

    await using other = await open("app:1");
    const reading = collectBytes(firstLayer(other).open(AbortSignal.abort()));
    await expect(reading).rejects.toMatchObject({ code: "aborted" });
  });

  it("asks which image an id means that several begin with", async () => {
    server.put("default", `sha256:abcdef${"1".repeat(58)}`, app);
    server.put("default", `sha256:abcdef${"2".repeat(58)}`, arm);

    await expect(open("abcdef")).rejects.toMatchObject({
      code: "unsupported_source",
      message: expect.stringContaining("abcdef is the beginning of 2 images"),
    });
  });

  it("refuses a socket that is not there and an address of another machine", async () => {
    const at = (host: string) => ({ find: async () => parseEngineHost(host, "CONTAINERD_ADDRESS", undefined) });

    await expect(open("app:1", { engines: at(`unix://${folder}/none.sock`) })).rejects.toMatchObject({
      code: "source_unreachable",
      message: `containerd at unix://${folder}/none.sock cannot be reached (ENOENT)`,
    });
    await expect(open("app:1", { engines: at("tcp://far.example:1") })).rejects.toMatchObject({
      code: "unsupported_source",
    });
  });
});
