import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPlaces, pushRefusal } from "./buildah-files.ts";

/** A folder of a build whose archive has links, and a file beside the archive. */
async function openFolder() {
  const folder = await mkdtemp(join(tmpdir(), "places-"));
  const archive = join(folder, "work/archive");
  await mkdir(join(archive, "sub"), { recursive: true });
  await mkdir(join(folder, "settings"));
  await writeFile(join(folder, "work/secret"), "FROM secret");
  await writeFile(join(archive, "sub/Dockerfile"), "FROM scratch");
  await symlink("sub", join(archive, "link"));
  await symlink("sub/Dockerfile", join(archive, "file-link"));
  await symlink("../secret", join(archive, "out"));
  await symlink("/", join(archive, "root"));
  const server = createServer().listen(join(archive, "socket"));
  return {
    folder,
    async [Symbol.asyncDispose]() {
      server.close();
      await rm(folder, { recursive: true });
    },
  };
}

describe("findPlaces", () => {
  it.each([
    ["/sub/Dockerfile", "/sub"],
    ["/link/Dockerfile", "/link"],
    ["/file-link", "/link"],
  ])("finds the file %s and the folder %s, by links that stay in the archive", async (dockerfilePath, context) => {
    await using place = await openFolder();
    const { folder } = place;

    const found = await findPlaces(folder, { dockerfilePath, context });

    expect(found).toEqual({ context: "archive/sub", dockerfile: "FROM scratch" });
    expect(await readFile(join(folder, "settings/Dockerfile"), "utf8")).toBe("FROM scratch");
  });

  it.each([
    ["/out", "/", /no file "\/out"/],
    ["/root/etc/passwd", "/", /no file/],
    ["/socket", "/", /no file "\/socket"/],
    ["/sub", "/", /no file "\/sub"/],
    ["/sub/Dockerfile", "/root", /no folder "\/root"/],
    ["/sub/Dockerfile", "/root/tmp", /no folder/],
    ["/sub/Dockerfile", "/file-link", /no folder "\/file-link"/],
  ])("refuses the file %s with the folder %s", async (dockerfilePath, context, message) => {
    await using place = await openFolder();

    const finding = findPlaces(place.folder, { dockerfilePath, context });

    await expect(finding).rejects.toThrow(message);
    await expect(finding).rejects.toMatchObject({ name: "BuildError" });
  });
});

const to = 'Error: pushing image "localhost/build:latest" to "docker://registry.example/a/b:latest"';

describe("pushRefusal", () => {
  // What buildah 1.28 prints for answers of a registry.
  it.each<[string, string, string | undefined]>([
    [
      "403 to an upload",
      `${to}: writing blob: initiating layer upload to /v2/a/b/ in r: denied: no room`,
      "denied: no room",
    ],
    [
      "403 to a manifest",
      `${to}: writing manifest: uploading manifest latest to r/a/b: denied: locked`,
      "denied: locked",
    ],
    [
      "400 to a manifest, in each format",
      `${to}: Uploading manifest failed, attempted the following formats: oci(writing manifest: uploading manifest latest to r/a/b: manifest invalid: no layers), docker(writing manifest: x)`,
      "manifest invalid: no layers",
    ],
    [
      "413 to a blob",
      `${to}: writing blob: uploading layer chunked: size invalid: too large`,
      "size invalid: too large",
    ],
    [
      "413 of a proxy",
      `${to}: writing manifest: uploading manifest latest to r/a/b: StatusCode: 413, <html>`,
      "StatusCode: 413",
    ],
    ["401", `${to}: writing blob: initiating layer upload to /v2/a/b/ in r: unauthorized: sign in`, undefined],
    [
      "405",
      `${to}: writing manifest: uploading manifest latest to r/a/b: unsupported: read-only`,
      "unsupported: read-only",
    ],
    ["429", `${to}: writing blob: initiating layer upload to /v2/a/b/ in r: toomanyrequests: wait`, undefined],
    [
      "429 of a proxy",
      `${to}: writing manifest: uploading manifest latest to r/a/b: StatusCode: 429, <html>`,
      undefined,
    ],
    [
      "500",
      `${to}: writing blob: uploading layer chunked: received unexpected HTTP status: 500 Internal Server Error`,
      undefined,
    ],
    ["no answer", `${to}: pinging container registry r: Get "http://r/v2/": dial tcp: connection refused`, undefined],
    ["no error", "Storing signatures", undefined],
  ])("reads the answer %s", (_, line, refusal) => {
    expect(pushRefusal(["Getting image source signatures", line])).toBe(refusal);
  });
});
