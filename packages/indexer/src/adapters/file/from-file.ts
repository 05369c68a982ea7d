import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Bytes, ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import type { ImageSource } from "@plimsoll/core/image";
import { createZipReader } from "@plimsoll/core/internal";
import { readRange, streamRange } from "../archive/file-access.ts";
import { openRegularFile } from "../archive/open-file.ts";
import { tarEnd, tarHeader, tarPadding } from "./tar-header.ts";

/** The largest size that a tar header can state. */
const maxFileBytes = 8 * 1024 ** 3 - 1;

/**
 * The source of one package archive or program, such as a jar, a wheel or an ELF program. It is read as an image with one layer that
 * contains only the file. Its digest is that of the layer.
 * @example
 * const source = fromFile("app.jar");
 */
export function fromFile(path: string): ImageSource {
  return {
    name: `file:${path}`,
    open: async ({ signal }) => {
      const open = await opener(path);
      const hash = createHash("sha256");
      for await (const chunk of open(signal)) hash.update(chunk);
      const digest = parseDigest(`sha256:${hash.digest("hex")}`);
      const mediaType = "application/vnd.oci.image.layer.v1.tar";
      const layer = { kind: "blob", digest, mediaType, expected: { digest }, reopens: true, open } as const;
      return {
        images: [{ reference: path, manifestDigest: digest, layers: [layer] }],
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}

async function opener(path: string): Promise<(signal?: AbortSignal) => Bytes> {
  const name = basename(path);
  if (!name.toLowerCase().endsWith(".whl")) return (signal) => streamFile(path, name, signal);
  const files = await wheelFiles(path);
  return async function* () {
    for (const { path: inner, bytes } of files)
      yield* [tarHeader(inner, bytes.length), bytes, tarPadding(bytes.length)];
    yield tarEnd;
  };
}

async function* streamFile(path: string, name: string, signal: AbortSignal | undefined): Bytes {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxFileBytes)
    throw new ScanError("unsupported_source", `${path}: expected at most ${maxFileBytes} bytes, found ${size}`);
  yield tarHeader(name, size);
  let seen = 0;
  for await (const chunk of streamRange(file, 0, size)) {
    if (signal?.aborted) throw new ScanError("aborted", `reading ${path} was cancelled`, { cause: signal.reason });
    seen += chunk.length;
    yield chunk;
  }
  if (seen !== size) throw new ScanError("size_mismatch", `${path} became shorter while it was read`);
  yield tarPadding(size);
  yield tarEnd;
}

const maxWheelBytes = 1024 ** 3;

const maxMetadataBytes = 16 * 1024 ** 2;

/** A file with its content. */
interface UnpackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The metadata files of a wheel, with the paths that they have after installation.
 * @throws ScanError `malformed_archive`, `unsupported_source` for a wheel that is too large
 * @see https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 */
async function wheelFiles(path: string): Promise<readonly UnpackedFile[]> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxWheelBytes)
    throw new ScanError(
      "unsupported_source",
      `${path}: expected a wheel of at most ${maxWheelBytes} bytes, found ${size}`,
    );
  const zip = createZipReader();
  const archive = { location: path, bytes: await readRange(file, 0, size) };
  const entries = zip.list(archive, { wants: (name) => /^[^/]+\.dist-info\/METADATA$/.test(name) });
  return entries.map((entry) => ({
    path: `site-packages/${entry.name}`,
    bytes: zip.read(archive, entry, maxMetadataBytes),
  }));
}
