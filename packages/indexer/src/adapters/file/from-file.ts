import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { type Bytes, ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import type { ImageSource } from "@plimsoll/core/image";
import { decompressedDocument } from "@plimsoll/core/internal";
import { readRange, streamRange } from "../archive/file-access.ts";
import { openRegularFile } from "../archive/open-file.ts";

/** The largest size that a tar header can state. */
const maxFileBytes = 8 * 1024 ** 3 - 1;

/**
 * The source of one package archive or program, such as a jar, a wheel or an ELF program. It is read as an image with one layer that
 * contains only the file, so that it has what a folder with this file has. Its digest is that of the layer.
 * @example
 * const source = fromFile("app.jar");
 */
export function fromFile(path: string): ImageSource {
  return {
    name: `file:${path}`,
    open: async ({ signal }) => {
      const open = (signal?: AbortSignal) => streamFile(path, basename(path), signal);
      const hash = createHash("sha256");
      for await (const chunk of open(signal)) hash.update(chunk);
      const digest = parseDigest(`sha256:${hash.digest("hex")}`);
      const mediaType = "application/vnd.oci.image.layer.v1.tar";
      const layer = { kind: "blob", digest, mediaType, expected: { digest }, reopens: true, open } as const;
      return {
        images: [{ reference: path, isFolder: true as const, manifestDigest: digest, layers: [layer] }],
        [Symbol.asyncDispose]: async () => {},
      };
    },
  };
}

async function* streamFile(path: string, name: string, signal: AbortSignal | undefined): Bytes {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxFileBytes)
    throw new ScanError("unsupported_source", `${path}: expected at most ${maxFileBytes} bytes, found ${size}`);
  yield tarHeader(name, size);
  let seen = 0;
  for await (const chunk of streamRange(file, 0, size)) {
    if (signal?.aborted) throw new ScanError("aborted", `reading ${path} was cancelled`, { cause: signal.reason });
    seen += chunk.length;
    yield chunk;
  }
  if (seen !== size) throw new ScanError("size_mismatch", `${path} became shorter while it was read`);
  yield tarPadding(size);
  yield tarEnd;
}

/**
 * Headers of a tar archive of regular files.
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html#tag_20_94_13_06
 */
const blockBytes = 512;

/** The end of an archive. */
const tarEnd: Uint8Array = new Uint8Array(2 * blockBytes);

/** The header of an executable file. A name that is too long for the header gets a pax record before it. */
function tarHeader(name: string, sizeBytes: number): Uint8Array {
  const bytes = Buffer.byteLength(name);
  if (bytes <= 100) return header(name, sizeBytes, "0");
  const record = paxRecord("path", name);
  return Buffer.concat([
    header("path", record.length, "x"),
    record,
    tarPadding(record.length),
    header(name.replace(/[^\x20-\x7e]/g, "_").slice(0, 100), sizeBytes, "0"),
  ]);
}

/** The zero bytes between a content and the next header. */
function tarPadding(sizeBytes: number): Uint8Array {
  return new Uint8Array((blockBytes - (sizeBytes % blockBytes)) % blockBytes);
}

function header(name: string, sizeBytes: number, type: string): Uint8Array {
  const block = Buffer.alloc(blockBytes);
  block.write(name, 0, 100);
  block.write("0000755\0", 100);
  block.write("0000000\0".repeat(2), 108);
  block.write(`${sizeBytes.toString(8).padStart(11, "0")}\0`, 124);
  block.write("00000000000\0        ", 136);
  block.write(type, 156);
  block.write("ustar\x0000", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

/** `LENGTH KEY=VALUE\n`, where the length includes itself. */
function paxRecord(key: string, value: string): Uint8Array {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + 1;
  while (`${length}`.length + rest !== length) length++;
  return Buffer.from(`${length} ${key}=${value}\n`);
}

/** The kind of a file: an image archive, a bill of materials, or a single package archive or program. */
type FileKind = "archive" | "sbom" | "file";

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
  if (stored.startsWith("#!") && (await endsAsZip(file, size))) return "file";
  return isDocument(await beginningOf(streamRange(file, 0, size), path)) ? "sbom" : "archive";
}

/** The longest end of a zip archive: the comment in it may have 65,535 bytes. */
const zipEndBytes = 22 + 65_535;

/** Whether a script has a zip archive behind it: a zipapp or a pex of Python, or an executable archive of Java. */
async function endsAsZip(file: FileHandle, sizeBytes: number): Promise<boolean> {
  const length = Math.min(sizeBytes, zipEndBytes);
  return textOf(await readRange(file, sizeBytes - length, length)).includes("PK\x05\x06");
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
