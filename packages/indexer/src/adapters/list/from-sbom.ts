import { stat } from "node:fs/promises";
import type { Bytes } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import type { SbomSubject } from "@plimsoll/core/internal";
import { readSbom, sbomReport } from "@plimsoll/core/sbom";
import { readList } from "./read-list.ts";

/** Options of lists of packages. */
export interface ListOptions {
  /** The bytes that `-` stands for. */
  readonly standardInput?: Bytes;
}

/**
 * The source of a bill of materials: CycloneDX, SPDX or Syft's format, perhaps compressed. Its digest is that of the decompressed document.
 * @param named its path, or `-` for standard input; `@DIGEST` after it chooses the image of which a file with several attestations is read
 * @example
 * const source = fromSbom("app.cdx.json");
 */
export function fromSbom(named: string, { standardInput }: ListOptions = {}): ImageSource {
  return {
    name: `sbom:${named}`,
    open: async () => {
      const { file, subject } = await withSubject(named);
      const name = file === "-" ? "standard input" : file;
      const { bytes, digest } = await readList(file, standardInput);
      const sbom = readSbom(bytes, name, { subject });
      const listed = sbomReport(sbom, { name: file === "-" ? "sbom" : file, digest });
      const image = { reference: nameOf(sbom.subject) ?? name, manifestDigest: digest, layers: [], listed };
      return { images: [image], [Symbol.asyncDispose]: async () => {} };
    },
  };
}

function nameOf(subject: SbomSubject | undefined): string | undefined {
  if (subject === undefined) return undefined;
  const { name, version } = subject;
  return version === undefined || version === "" || name.endsWith(version) ? name : `${name}:${version}`;
}

/** A file whose own name ends like a digest is that file. */
async function withSubject(named: string): Promise<{ readonly file: string; readonly subject?: string }> {
  const [, file, subject] = /^(.+)@([a-z0-9]+:[0-9a-f]+)$/s.exec(named) ?? [];
  if (file === undefined || subject === undefined || (await isFile(named))) return { file: named };
  return { file, subject };
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
