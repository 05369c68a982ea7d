import { createHash } from "node:crypto";
import { globSync, lstatSync, mkdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import tar from "tar-stream";
import { type JarFile, packJar } from "./pack-jar.ts";

/** Packs each folder, base first, into a layer of an image with a name: an OCI layout in `target`. */
export async function packImage(folders: readonly string[], target: string, name: string): Promise<void> {
  const blobs = join(target, "blobs", "sha256");
  mkdirSync(blobs, { recursive: true });
  const put = (mediaType: string, bytes: Uint8Array) => {
    const digest = digestOf(bytes);
    writeFileSync(join(blobs, digest.slice("sha256:".length)), bytes);
    return { mediaType, digest, size: bytes.length };
  };
  const archives = await Promise.all(folders.map(packLayer));
  const layers = archives.map((bytes) => put("application/vnd.oci.image.layer.v1.tar+gzip", gzipSync(bytes)));
  const config = put(
    "application/vnd.oci.image.config.v1+json",
    json({ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: archives.map(digestOf) } }),
  );
  const mediaType = "application/vnd.oci.image.manifest.v1+json";
  const annotations = { "org.opencontainers.image.ref.name": name };
  const manifest = { ...put(mediaType, json({ schemaVersion: 2, mediaType, config, layers })), annotations };
  writeFileSync(join(target, "oci-layout"), json({ imageLayoutVersion: "1.0.0" }));
  writeFileSync(join(target, "index.json"), json({ schemaVersion: 2, manifests: [manifest] }));
}

async function packLayer(folder: string): Promise<Buffer> {
  const pack = tar.pack();
  const names = globSync("**", { cwd: folder }).sort();
  for (const name of names.filter((each) => !isInJar(each))) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    const header = { name: name.replaceAll("\\", "/"), mtime: new Date(0) };
    if (stat.isSymbolicLink()) pack.entry({ ...header, type: "symlink", linkname: readlinkSync(path) });
    else if (name.endsWith(".jar")) pack.entry({ ...header, mode: 0o644 }, packJar(filesOf(path)));
    else if (stat.isFile()) pack.entry({ ...header, mode: 0o644 }, readFileSync(path));
  }
  pack.finalize();
  const chunks: Buffer[] = [];
  for await (const chunk of pack) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Whether a file is in a folder whose name ends in `.jar`: such folders become Java archives. */
function isInJar(name: string): boolean {
  return /\.jar[\\/]/.test(name);
}

function filesOf(folder: string): readonly JarFile[] {
  return globSync("**", { cwd: folder })
    .map((name) => ({ name: name.replaceAll("\\", "/"), path: join(folder, name) }))
    .filter(({ path }) => lstatSync(path).isFile());
}

function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
