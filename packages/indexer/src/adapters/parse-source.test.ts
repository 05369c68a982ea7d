import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  buildImage,
  buildIndex,
  buildLayer,
  layerChecking,
  ociLayoutTree,
  packTree,
  type Tree,
} from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseSource, sniffSource } from "./parse-source.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sources-"));
  const image = buildImage({ layers: [await buildLayer({ "etc/x": "y" })] });
  const other = buildImage({ layers: [await buildLayer({ "etc/x": "z" })] });
  const tree = ociLayoutTree({ "1.0": image, "2.0": buildIndex([other]) });
  await writeTree("layout", tree);
  await writeTree("with:colon", ociLayoutTree({ "": image }));
  await writeTree("root", { "etc/os-release": "ID=x" });
  await writeTree("nothing", { "notes.txt": "x" });
  await writeFile(join(folder, "image.tar"), await packTree(ociLayoutTree({ "1.0": image })));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

async function writeTree(name: string, tree: Tree): Promise<void> {
  for (const [path, entry] of Object.entries(tree)) {
    const file = join(folder, name, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof entry === "string" || entry instanceof Uint8Array ? entry : "");
  }
}

describe("parseSource", () => {
  it.each([
    ["registry:nginx", "docker.io/library/nginx:latest"],
    ["nginx:1.27", "docker.io/library/nginx:1.27"],
    ["quay.io/a/b", "quay.io/a/b:latest"],
    ["localhost:5000/app", "localhost:5000/app:latest"],
    ["docker:dind", "docker:dind"],
    ["docker-daemon:app:1", "docker:app:1"],
    ["podman:localhost/app", "podman:localhost/app"],
    ["containerd:app:1", "containerd:app:1"],
    ["dir:/", "dir:/"],
    ["file:/none/app.jar", "file:/none/app.jar"],
    ["sbom:-", "sbom:-"],
    ["purl:pkg:npm/lodash@4.17.20", "pkg:npm/lodash@4.17.20"],
    ["pkg:npm/lodash@4.17.20", "pkg:npm/lodash@4.17.20"],
    ["docker-archive:/none/x.tar", "docker-archive:/none/x.tar"],
  ])("%s is %s", async (text, name) => {
    expect((await parseSource(text)).name).toBe(name);
  });

  it.each([
    ["oci-archive:image.tar", "oci-archive:image.tar"],
    ["oci-archive:image.tar:1.0", "oci-archive:image.tar:1.0"],
    ["oci-dir:layout:1.0", "oci-dir:layout:1.0"],
    ["oci-dir:layout:2.0", "oci-dir:layout:2.0"],
    ["oci-dir:with:colon", "oci-dir:with:colon"],
    ["dir:root", "dir:root"],
    ["image.tar", "image.tar"],
    ["with:colon", "oci-dir:with:colon"],
    ["root", "dir:root"],
  ])("opens %s", async (text, name) => {
    const colon = text.startsWith("oci-") || text.startsWith("dir:") ? text.indexOf(":") + 1 : 0;
    const source = await parseSource(`${text.slice(0, colon)}${folder}/${text.slice(colon)}`);
    await using opened = await source.open(layerChecking());
    expect(source.name.replace(`${folder}/`, "")).toBe(name);
    expect(opened.images).toHaveLength(1);
  });

  it.each([
    ["containerd:no name", "unsupported_source", "expected the name or the id of an image"],
    ["docker:no name", "unsupported_source", "expected the name or the id of an image"],
    ["singularity:app.sif", "unsupported_source", "Singularity images are not read yet"],
    [
      "app.cdx.json",
      "not_found",
      "there is no such file or folder; for an image of this name, use registry:app.cdx.json",
    ],
    ["image.tar.gz", "not_found", "there is no such file or folder"],
    ["./nginx", "not_found", "there is no such file or folder"],
  ])("refuses %s with %s, and says how to go on", async (text, code, message) => {
    await expect(parseSource(text)).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it.each(["docker:5000/app", "containerd:5000/app", "registry:docker:dind", "quay.io/org/app.json"])(
    "takes %s for a registry's image",
    async (text) => {
      expect((await parseSource(text)).name).toMatch(/[/:](?:app|dind)/);
    },
  );

  it.each([
    ["list.json", '{\n  "bomFormat": "CycloneDX",\n  "specVersion": "1.6"}', "sbom:"],
    ["list.spdx.json", '{"spdxVersion": "SPDX-2.3"}', "sbom:"],
    ["list.spdx", "SPDXVersion: SPDX-2.3\n", "sbom:"],
    ["app.jar", "PK\x03\x04", "file:"],
    ["program", "\x7fELF", "file:"],
    ["list.cdx.xml", '<?xml version="1.0"?>\n<bom xmlns="http://cyclonedx.org/schema/bom/1.6"/>', "sbom:"],
    ["syft.json", '{"artifacts":[', "sbom:"],
    ["list.json", '[\n  {"predicateType":', "sbom:"],
    ["windows.json", "\xff\xfe{\0", "sbom:"],
    ["windows.xml", "\xfe\xff\0<\0?\0x\0m\0l", "sbom:"],
    ["other.json", "{}", "sbom:"],
    ["script", "#!/bin/sh\n", ""],
    ["archive.tar", "{}\0\0", ""],
  ])("takes %s for what it begins as", async (name, content, kind) => {
    const file = join(folder, name);
    await writeFile(file, content, "latin1");

    expect((await parseSource(file)).name).toBe(`${kind}${file}`);
  });

  it("reads standard input where there is one", async () => {
    const image = buildImage({ layers: [] });
    const bytes = await packTree(ociLayoutTree({ "": image }));
    async function* standardInput() {
      yield bytes;
    }
    const source = await parseSource("-", { standardInput: standardInput() });
    await using opened = await source.open(layerChecking());
    expect(opened.images[0]?.manifestDigest).toBe(image.digest);
    await expect(parseSource("-")).rejects.toMatchObject({ code: "unsupported_source" });
  });

  it("asks which image of a layout is meant", async () => {
    const source = await parseSource(`oci-dir:${folder}/layout`);
    await expect(source.open(layerChecking())).rejects.toMatchObject({
      code: "unsupported_source",
      message: expect.stringContaining("1.0, 2.0"),
    });
    const none = await parseSource(`oci-dir:${folder}/layout:3.0`);
    await expect(none.open(layerChecking())).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("sniffSource", () => {
  it.each([
    ["./none", "not_found"],
    ["/none/x", "not_found"],
    ["Not An Image", "unsupported_source"],
  ])("refuses %s as %s", async (word, code) => {
    await expect(sniffSource(word)).rejects.toMatchObject({ code });
  });

  it("refuses a folder of something else, naming what it looked for", async () => {
    await expect(sniffSource(join(folder, "nothing"))).rejects.toMatchObject({
      code: "unsupported_source",
      message: expect.stringContaining("dir:"),
    });
  });
});
