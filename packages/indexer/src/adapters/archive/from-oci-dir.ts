import { stat } from "node:fs/promises";
import { join } from "node:path";
import { type ArchiveOptions, type Bytes, ScanError } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import {
  type ArchiveContents,
  type FoundInLayer,
  findLayoutImages,
  maxDocumentBytes,
  type OpenSourceOptions,
  storedLayer,
} from "@plimsoll/core/internal";
import { readRange, streamRange } from "./file-access.ts";
import { nameOf } from "./from-archive.ts";
import { openRegularFile, toFileError } from "./open-file.ts";

/**
 * The image source of an OCI layout in a folder.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md
 * @example
 * const source = fromOciDir("layout");
 */
export function fromOciDir(folder: string, options: ArchiveOptions = {}): ImageSource {
  return {
    name: nameOf("oci-dir", folder, options),
    async open<Found extends FoundInLayer>(opening: OpenSourceOptions<Found>) {
      const contents = folderContents<Found>(folder);
      if (!(await contents.has("index.json"))) {
        throw new ScanError("unsupported_source", `${folder}: expected an OCI layout, found no index.json`);
      }
      const images = await findLayoutImages(contents, { ...options, archive: folder, form: "oci" }, opening);
      return { images, [Symbol.asyncDispose]: async () => {} };
    },
  };
}

/** The files of the folder. Their names are constants or come from parsed digests, so that none leads out of the folder. */
function folderContents<Found extends FoundInLayer>(folder: string): ArchiveContents<Found> {
  return {
    has: async (name) => (await findKind(join(folder, name))) === "file",
    readDocument: async (name, what) => readDocument(join(folder, name), what),
    toLayer: (name, layer) => storedLayer(layer, () => streamFile(join(folder, name))),
  };
}

async function findKind(path: string): Promise<"file" | "other" | undefined> {
  try {
    return (await stat(path)).isFile() ? "file" : "other";
  } catch (error) {
    const failure = toFileError(error, path);
    if (failure.code === "not_found") return undefined;
    throw failure;
  }
}

async function readDocument(path: string, what: string): Promise<Uint8Array> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size <= maxDocumentBytes) return readRange(file, 0, size);
  throw new ScanError("malformed_image", `${what}: expected at most ${maxDocumentBytes} bytes, found ${size}`);
}

async function* streamFile(path: string): Bytes {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  yield* streamRange(file, 0, size);
}
