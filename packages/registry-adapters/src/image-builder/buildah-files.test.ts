import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findPlaces } from "./buildah-files.ts";

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
