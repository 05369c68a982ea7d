import { type Bytes, type ImageSource, readSbom, type SbomSubject, sbomReport } from "@plimsoll/core";
import { readList } from "./read-list.ts";

/** Options of lists of packages. */
export interface ListOptions {
  /** The bytes that `-` stands for. */
  readonly standardInput?: Bytes;
}

/**
 * The source of a bill of materials: CycloneDX, SPDX or Syft's format, perhaps compressed. Its digest is that of the decompressed document.
 * @param file its path, or `-` for standard input
 * @example
 * const source = fromSbom("app.cdx.json");
 */
export function fromSbom(file: string, { standardInput }: ListOptions = {}): ImageSource {
  return {
    name: `sbom:${file}`,
    open: async () => {
      const name = file === "-" ? "standard input" : file;
      const { bytes, digest } = await readList(file, standardInput);
      const sbom = readSbom(bytes, name);
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
