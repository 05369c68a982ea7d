/** What we write is read by skopeo, what skopeo writes is read by us: a second opinion on the formats and the registry. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  type BuiltImage,
  buildImage,
  buildIndex,
  buildLayer,
  layerChecking,
  openRegistryServer,
  type RegistryServer,
} from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSource } from "./parse-source.ts";

const run = promisify(execFile);
const hasSkopeo = await run("skopeo", ["--version"]).then(
  () => true,
  () => false,
);

let folder = "";
let server: RegistryServer;
let image: BuiltImage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skopeo-"));
  server = await openRegistryServer();
  const layers = [await buildLayer({ "etc/os-release": "ID=x\n" }), await buildLayer({ "etc/.wh.os-release": "" })];
  image = buildImage({ layers });
  const arm = buildImage({ layers, platform: { os: "linux", architecture: "arm64" } });
  server.put("team/app", buildIndex([image, arm]), "1.0");
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

async function copy(target: string, ...options: readonly string[]): Promise<void> {
  const source = `docker://${server.host}/team/app:1.0`;
  await run("skopeo", [
    "--override-arch=amd64",
    "--insecure-policy",
    "copy",
    "--src-tls-verify=false",
    ...options,
    source,
    target,
  ]);
}

describe.skipIf(!hasSkopeo)("skopeo", () => {
  it.each([
    ["docker-archive", "docker-archive:FOLDER/docker.tar:team/app:1.0", "docker-archive:FOLDER/docker.tar", false],
    ["oci-archive", "oci-archive:FOLDER/oci.tar:1.0", "oci-archive:FOLDER/oci.tar", true],
    ["oci-dir", "oci:FOLDER/layout:1.0", "oci-dir:FOLDER/layout:1.0", true],
  ])(
    "pulls from the test registry, and its %s is read with the same layers",
    async (_kind, target, source, keepsManifest) => {
      await copy(target.replace("FOLDER", folder));

      await using opened = await (await parseSource(source.replace("FOLDER", folder))).open(layerChecking());

      const [found] = opened.images;
      for (const layer of found?.layers ?? []) if (layer.kind === "blob") await layerChecking().readLayer(layer);
      expect(found?.config?.diffIds).toEqual(image.layers.map(({ diffId }) => diffId));
      expect(found?.manifestDigest).toBe(keepsManifest ? image.digest : image.config.digest);
    },
  );

  it("reads all platforms it copies", async () => {
    await copy(`oci:${folder}/all:1.0`, "--all");
    await using opened = await (await parseSource(`oci-dir:${folder}/all`)).open({
      ...layerChecking(),
      platform: "all",
    });
    expect(opened.images.map(({ platform }) => platform?.architecture)).toEqual(["amd64", "arm64"]);
  });
});
