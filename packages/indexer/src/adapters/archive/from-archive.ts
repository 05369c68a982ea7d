import type { FileHandle } from "node:fs/promises";
import { type Bytes, ScanError } from "@plimsoll/core";
import { isPipe, readPipe } from "@plimsoll/store";
import type { ImageSource, OpenedSource, OpenSourceOptions } from "../../image-source.ts";
import type { ArchiveSelection } from "./archive-contents.ts";
import { streamRange } from "./archive-input.ts";
import { decompressArchive, sniffArchive } from "./decompress-archive.ts";
import { findArchiveImages } from "./find-archive-images.ts";
import { openRegularFile } from "./open-file.ts";
import { readPassingArchive } from "./passing-archive.ts";
import { indexStoredArchive } from "./stored-archive.ts";

/** Which image of an archive to take. */
export interface ArchiveOptions {
  /** The name the image goes by in the archive; needed when there are several. */
  readonly ref?: string;
}

/** An archive as `docker save` writes it, compressed as a whole or not. */
export function fromDockerArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(nameOf("docker-archive", file, options), file, { ...options, archive: file, form: "docker" });
}

/** An OCI layout in an archive, compressed as a whole or not. */
export function fromOciArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(nameOf("oci-archive", file, options), file, { ...options, archive: file, form: "oci" });
}

/** An archive of either form. */
export function fromArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(file, file, { ...options, archive: file });
}

/** An archive of either form that comes as a stream: standard input, a download. It can be opened once. */
export function fromArchiveStream(stream: Bytes, options: ArchiveOptions = {}): ImageSource {
  const archive = "the archive";
  return {
    name: "-",
    open: (opening) => openPassing(stream, { ...options, archive }, opening),
  };
}

/** As a user writes the source of an archive or a layout. */
export function nameOf(kind: string, path: string, { ref }: ArchiveOptions): string {
  return `${kind}:${path}${ref === undefined ? "" : `:${ref}`}`;
}

function fromFile(name: string, path: string, selection: ArchiveSelection): ImageSource {
  return {
    name,
    open: async (opening) => {
      if (await isPipe(path)) return openPassing(readPipe(path, opening.signal), selection, opening);
      const file = await openRegularFile(path);
      try {
        return await openFile(file, selection, opening);
      } catch (error) {
        await file.close();
        throw withName(error, path);
      }
    },
  };
}

/** Layers of a plain archive are read where they stand; a compressed one has to pass by as a whole. */
async function openFile(
  file: FileHandle,
  selection: ArchiveSelection,
  opening: OpenSourceOptions,
): Promise<OpenedSource> {
  const { archive } = selection;
  const { size } = await file.stat();
  const stored = await sniffArchive(streamRange(file, 0, size));
  const contents =
    stored.compression === "none"
      ? await indexStoredArchive(file, archive, opening.limits, opening.signal)
      : await readPassingArchive(decompressArchive(stored, opening.limits), archive, opening);
  return { images: await findArchiveImages(contents, selection, opening), [Symbol.asyncDispose]: () => file.close() };
}

async function openPassing(
  stream: Bytes,
  selection: ArchiveSelection,
  opening: OpenSourceOptions,
): Promise<OpenedSource> {
  return { images: await passBy(stream, selection, opening), [Symbol.asyncDispose]: async () => {} };
}

async function passBy(stream: Bytes, selection: ArchiveSelection, opening: OpenSourceOptions) {
  const bytes = decompressArchive(await sniffArchive(stream), opening.limits);
  return findArchiveImages(await readPassingArchive(bytes, selection.archive, opening), selection, opening);
}

/** Errors about the archive's structure do not know its name. */
function withName(error: unknown, archive: string): unknown {
  if (!(error instanceof ScanError) || error.message.includes(archive)) return error;
  return new ScanError(error.code, `${archive}: ${error.message}`, { cause: error });
}
