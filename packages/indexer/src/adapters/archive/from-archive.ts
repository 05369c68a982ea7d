import { type ArchiveOptions, ScanError } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import { type ArchiveSelection, openArchive, openArchiveStream } from "@plimsoll/core/internal";
import { isPipe, readPipe } from "@plimsoll/store";
import { fileAccess } from "./file-access.ts";
import { openRegularFile } from "./open-file.ts";

/**
 * The image source of an archive that `docker save` writes; the archive may be compressed.
 * @example
 * const source = fromDockerArchive("app.tar");
 */
export function fromDockerArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(nameOf("docker-archive", file, options), file, { ...options, archive: file, form: "docker" });
}

/**
 * The image source of an OCI layout in an archive, which may be compressed.
 * @example
 * const source = fromOciArchive("app.oci.tar");
 */
export function fromOciArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(nameOf("oci-archive", file, options), file, { ...options, archive: file, form: "oci" });
}

/**
 * The image source of an archive of either form.
 * @example
 * const source = fromArchive("app.tar", { ref: "app:1" });
 */
export function fromArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(file, file, { ...options, archive: file });
}

/** Formats the name of an archive or a layout source, as users write it. */
export function nameOf(kind: string, path: string, { ref }: ArchiveOptions): string {
  return `${kind}:${path}${ref === undefined ? "" : `:${ref}`}`;
}

function fromFile(name: string, path: string, selection: ArchiveSelection): ImageSource {
  return {
    name,
    open: async (opening) => {
      if (await isPipe(path)) return openArchiveStream(readPipe(path, opening.signal), selection, opening);
      const file = await openRegularFile(path);
      try {
        const { size } = await file.stat();
        const opened = await openArchive(fileAccess(file, size), selection, opening);
        return { ...opened, [Symbol.asyncDispose]: () => file.close() };
      } catch (error) {
        await file.close();
        throw withName(error, path);
      }
    },
  };
}

/** Adds the archive's name to errors about its structure, which do not contain it. */
function withName(error: unknown, archive: string): unknown {
  if (!(error instanceof ScanError) || error.message.includes(archive)) return error;
  return new ScanError(error.code, `${archive}: ${error.message}`, { cause: error });
}
