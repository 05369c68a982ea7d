import { type ArchiveOptions, type ImageSource, ScanError } from "@plimsoll/core";
import { type ArchiveSelection, openArchive, openArchiveStream } from "@plimsoll/core/images";
import { isPipe, readPipe } from "@plimsoll/store";
import { fileAccess } from "./file-access.ts";
import { openRegularFile } from "./open-file.ts";

/**
 * An archive as `docker save` writes it, compressed as a whole or not.
 * @example
 * const source = fromDockerArchive("app.tar");
 */
export function fromDockerArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(nameOf("docker-archive", file, options), file, { ...options, archive: file, form: "docker" });
}

/**
 * An OCI layout in an archive, compressed as a whole or not.
 * @example
 * const source = fromOciArchive("app.oci.tar");
 */
export function fromOciArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(nameOf("oci-archive", file, options), file, { ...options, archive: file, form: "oci" });
}

/**
 * An archive of either form.
 * @example
 * const source = fromArchive("app.tar", { ref: "app:1" });
 */
export function fromArchive(file: string, options: ArchiveOptions = {}): ImageSource {
  return fromFile(file, file, { ...options, archive: file });
}

/** As a user writes the source of an archive or a layout. */
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

/** Errors about the archive's structure do not know its name. */
function withName(error: unknown, archive: string): unknown {
  if (!(error instanceof ScanError) || error.message.includes(archive)) return error;
  return new ScanError(error.code, `${archive}: ${error.message}`, { cause: error });
}
