import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { type Digest, type LayerContents, parseDigest, ScanError } from "@plimsoll/core";
import type { ImageSource } from "../../image-source.ts";
import { toFileError } from "../archive/open-file.ts";
import { readRoot } from "./read-root.ts";

/**
 * A folder that is the root of a file system: a mounted image, a chroot, a machine. It counts as an image of one layer for
 * an unknown platform; `platform` is not looked at. Having no manifest, it is identified by the digest of its wanted files:
 * the same files give the same digest wherever the folder is.
 */
export function fromDir(folder: string): ImageSource {
  return {
    name: `dir:${folder}`,
    open: async (opening) => {
      await checkFolder(folder);
      const contents = await readRoot(folder, opening);
      const digest = digestContents(contents);
      const layer = { kind: "read", digest, findings: opening.detect(digest, contents) } as const;
      const image = { reference: folder, manifestDigest: digest, layers: [layer] };
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

/** Over path and content digest of every wanted file, in path order. */
function digestContents({ files }: LayerContents): Digest {
  const whole = createHash("sha256");
  for (const [path, { bytes }] of files) {
    whole.update(`${path}\0${createHash("sha256").update(bytes).digest("hex")}\n`);
  }
  return parseDigest(`sha256:${whole.digest("hex")}`);
}
