import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Bytes, ScanError } from "@plimsoll/core";
import { parseDigest } from "@plimsoll/core/digest";
import type { ImageSource } from "@plimsoll/core/image";
import { createZipReader, decompressedDocument } from "@plimsoll/core/internal";
import { readRange, streamRange } from "../archive/file-access.ts";
import { openRegularFile } from "../archive/open-file.ts";

/** The largest size that a tar header can state. */
const maxFileBytes = 8 * 1024 ** 3 - 1;

/**
 * The source of one package archive or program, such as a jar, a wheel or an ELF program. It is read as an image with one layer that
 * contains only the file. Its digest is that of the layer.
 * @example
 * const source = fromFile("app.jar");
 */
export function fromFile(path: string): ImageSource {
  return {
    name: `file:${path}`,
    open: async ({ signal }) => {
      const open = await opener(path);
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

async function opener(path: string): Promise<(signal?: AbortSignal) => Bytes> {
  const name = basename(path);
  if (!name.toLowerCase().endsWith(".whl")) return (signal) => streamFile(path, name, signal);
  const files = await wheelFiles(path);
  return async function* () {
    for (const { path: inner, bytes } of files)
      yield* [tarHeader(inner, bytes.length), bytes, tarPadding(bytes.length)];
    yield tarEnd;
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

const maxWheelBytes = 1024 ** 3;

const maxMetadataBytes = 16 * 1024 ** 2;

/** A file with its content. */
interface UnpackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/**
 * The metadata files of a wheel, with the paths that they have after installation.
 * @throws ScanError `malformed_archive`, `unsupported_source` for a wheel that is too large
 * @see https://packaging.python.org/en/latest/specifications/binary-distribution-format/
 */
async function wheelFiles(path: string): Promise<readonly UnpackedFile[]> {
  await using file = await openRegularFile(path);
  const { size } = await file.stat();
  if (size > maxWheelBytes)
    throw new ScanError(
      "unsupported_source",
      `${path}: expected a wheel of at most ${maxWheelBytes} bytes, found ${size}`,
    );
  const zip = createZipReader();
  const archive = { location: path, bytes: await readRange(file, 0, size) };
  const entries = zip.list(archive, { wants: (name) => /^[^/]+\.dist-info\/METADATA$/.test(name) });
  return entries.map((entry) => ({
    path: `site-packages/${entry.name}`,
    bytes: zip.read(archive, entry, maxMetadataBytes),
  }));
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
