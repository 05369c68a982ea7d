import { openRegularFile } from "../archive/open-file.ts";

/** The kind of a file: an image archive, a bill of materials, or a single package archive or program. */
export type FileKind = "archive" | "sbom" | "file";

const headBytes = 4096;
const sbomMarks = [
  '"bomFormat"',
  '"spdxVersion"',
  "SPDXVersion:",
  "cyclonedx.org/schema/bom",
  "spdx.org/rdf/",
  "anchore/syft/",
];

/** The first bytes of zip archives and of ELF, Windows and Mach-O programs. */
const fileMarks = ["PK\x03\x04", "\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"];

/** Detects the kind of a file by its first bytes. @throws ScanError `not_found`, `not_permitted`, `unsupported_source` */
export async function findFileKind(path: string): Promise<FileKind> {
  await using file = await openRegularFile(path);
  const { buffer, bytesRead } = await file.read(new Uint8Array(headBytes), 0, headBytes, 0);
  const head = new TextDecoder("latin1").decode(buffer.subarray(0, bytesRead));
  if (fileMarks.some((mark) => startsWith(buffer.subarray(0, bytesRead), mark))) return "file";
  const isText = /^[\s\xef\xbb\xbf]*[{<S]/.test(head);
  return isText && sbomMarks.some((mark) => head.includes(mark)) ? "sbom" : "archive";
}

function startsWith(bytes: Uint8Array, mark: string): boolean {
  return [...mark].every((character, index) => bytes[index] === character.charCodeAt(0));
}
