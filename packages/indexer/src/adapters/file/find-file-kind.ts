import { type Bytes, ScanError } from "@plimsoll/core";
import { decompressedDocument } from "@plimsoll/core/internal";
import { readRange, streamRange } from "../archive/file-access.ts";
import { openRegularFile } from "../archive/open-file.ts";

/** The kind of a file: an image archive, a bill of materials, or a single package archive or program. */
export type FileKind = "archive" | "sbom" | "file";

const headBytes = 4096;

/** The first bytes of zip archives and of ELF, Windows and Mach-O programs. */
const fileMarks = ["PK\x03\x04", "\x7fELF", "MZ", "\xcf\xfa\xed\xfe", "\xce\xfa\xed\xfe", "\xca\xfe\xba\xbe"];

/**
 * Detects the kind of a file by its first bytes, decompressed if it is compressed. A text in JSON or XML that is no HTML is a bill of materials: no archive and no
 * program begins like one, and the reader of bills of materials says what it expects.
 * @throws ScanError `not_found`, `not_permitted`, `unsupported_source`
 */
export async function findFileKind(path: string): Promise<FileKind> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  const stored = textOf(await readRange(file, 0, Math.min(size, 4)));
  if (fileMarks.some((mark) => stored.startsWith(mark))) return "file";
  return isDocument(await beginningOf(streamRange(file, 0, size), path)) ? "sbom" : "archive";
}

/** The first bytes of the content as characters; fewer where it is damaged, which the reader of the file reports. */
async function beginningOf(stored: Bytes, name: string): Promise<string> {
  let head = "";
  try {
    const options = { name, maxBytes: Number.POSITIVE_INFINITY, code: "unsupported_source" } as const;
    for await (const chunk of decompressedDocument(stored, options)) {
      head += textOf(chunk.subarray(0, headBytes));
      if (head.length >= headBytes) break;
    }
  } catch (error) {
    if (!(error instanceof ScanError) || error.code !== "unsupported_source") throw error;
  }
  return head;
}

/** Each byte as one character. */
function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}

/**
 * `{`, `[{`, XML but HTML, or a tag of SPDX, perhaps behind blanks, a byte order mark or comments, perhaps in UTF-16; without control characters,
 * which each archive has.
 */
function isDocument(stored: string): boolean {
  const head = /^(?:\xff\xfe|\xfe\xff)/.test(stored) ? stored.slice(2).replaceAll("\0", "") : stored;
  return (
    /^[\s\xef\xbb\xbf]*(?:\{|\[\s*\{|<(?:\?xml|!--|[\w.-]*:?bom\b)|#(?!!)|SPDXVersion:|(?:---\s+)?spdxVersion:)/.test(
      head,
    ) && !/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(head)
  );
}
