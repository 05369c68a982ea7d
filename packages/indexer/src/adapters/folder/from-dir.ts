import { stat } from "node:fs/promises";
import { ScanError } from "@plimsoll/core/errors";
import type { ImageSource } from "@plimsoll/core/image";
import { toFileError } from "../archive/open-file.ts";

/**
 * The source of a folder that is the root of a file system: a mounted image, a chroot, a machine. It is read as an image with one layer
 * and an unknown platform; the option `platform` has no effect. It has no manifest: its digest is computed from the files that
 * detectors read, and is the same for the same files wherever the folder is.
 * @example
 * const source = fromDir("/mnt/image");
 */
export function fromDir(folder: string): ImageSource {
  return {
    name: `dir:${folder}`,
    open: async ({ readFolder, signal }) => {
      await checkFolder(folder);
      const record = await readFolder(folder, signal && { signal });
      const { digest } = record;
      const image = {
        reference: folder,
        isFolder: true as const,
        manifestDigest: digest,
        layers: [{ kind: "read", digest, record } as const],
      };
      return { images: [image], [Symbol.asyncDispose]: async () => {} };
    },
  };
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    throw toFileError(error, folder);
  });
  if (!found.isDirectory())
    throw new ScanError("unsupported_source", `${folder}: expected a folder, found something else`);
}
