/**
 * Reads the archives in which Electron's applications are shipped.
 *
 * ```
 * archive = 4:4 header-size:4 payload-size:4 json-size:4 json padding {content}
 * json    = { "files": { name: folder | file | link … } }
 * folder  = { "files": … }      file = { "size", "offset", ["executable"] } | { "size", "unpacked": true }      link = { "link" }
 * ```
 * Numbers are little-endian. An `offset` is a decimal text, counted from the end of the header. An unpacked file is in a folder beside the archive.
 * @see https://github.com/electron/asar#format
 */
import type { ByteParts } from "../bytes/byte-parts.ts";
import { ScanError } from "../errors.ts";
import { parseJson } from "../model/json.ts";
import { isObject, type JsonObject, textOf } from "../model/json-object.ts";
import type { Json } from "../model/json-value.ts";
import type { EntrySelection, ZipEntry } from "../zip/read-directory.ts";
import type { ZipFile, ZipReader } from "../zip/zip-reader.ts";

const prefixBytes = 16;
/** Headers of large applications have five megabytes. */
const maxHeaderBytes = 16 * 1024 ** 2;
const pieceBytes = 256 * 1024;

/** Contents may overlap, so that their bytes are counted like those of compressed entries; see `readMember`. */
const counted = -1;

/** A reader of asar archives, with entries in the form of those of a zip archive. */
export const asarReader: ZipReader = {
  list(file, { wants = () => true, seeLink = () => {} } = {}) {
    const entries: ZipEntry[] = [];
    for (const entry of entriesOf(file, seeLink)) if (wants(entry.name, entry.sizeBytes)) entries.push(entry);
    return entries;
  },
  read(file, entry, maxBytes) {
    const { offset, sizeBytes } = checked(file, entry, maxBytes);
    return file.bytes.subarray(offset, offset + sizeBytes).slice();
  },
  parts(file, entry, maxBytes) {
    const { offset, sizeBytes } = checked(file, entry, maxBytes);
    return partOf(file.bytes, offset, sizeBytes);
  },
  *pieces(file, entry) {
    const { offset, sizeBytes } = checked(file, entry, Number.MAX_SAFE_INTEGER);
    const end = offset + sizeBytes;
    for (let at = offset; at < end; at += pieceBytes) yield file.bytes.subarray(at, Math.min(end, at + pieceBytes));
  },
};

/** The files of the archive, in the order of the header. */
function* entriesOf(file: ZipFile, seeLink: NonNullable<EntrySelection["seeLink"]>): Iterable<ZipEntry> {
  const { root, contentAt } = readHeader(file);
  const open: { readonly path: string; readonly members: Iterator<[string, Json]> }[] = [
    { path: "", members: membersOf(root) },
  ];
  for (let folder = open.at(-1); folder !== undefined; folder = open.at(-1)) {
    const next = folder.members.next();
    if (next.done === true) {
      open.pop();
      continue;
    }
    const [name, member] = next.value;
    if (!isObject(member) || name === "" || name === "." || name === ".." || name.includes("/")) continue;
    const path = folder.path + name;
    if (typeof member.link === "string") seeLink(path, member.link);
    else if (isObject(member.files)) open.push({ path: `${path}/`, members: membersOf(member) });
    else yield* entryOf(path, member, contentAt);
  }
}

function membersOf(folder: JsonObject): Iterator<[string, Json]> {
  return (isObject(folder.files) ? Object.entries(folder.files) : []).values();
}

function* entryOf(
  name: string,
  { size, offset, executable, unpacked }: JsonObject,
  contentAt: number,
): Iterable<ZipEntry> {
  const digits = textOf(offset);
  if (
    typeof size !== "number" ||
    !Number.isSafeInteger(size) ||
    size < 0 ||
    unpacked === true ||
    !/^\d{1,15}$/.test(digits)
  )
    return;
  const mode = executable === true ? 0o100755 : 0o100644;
  const at = contentAt + Number(digits);
  yield { name, method: counted, encrypted: false, crc32: 0, compressedBytes: size, sizeBytes: size, offset: at, mode };
}

function readHeader(file: ZipFile) {
  const { bytes } = file;
  const prefix = bytes.subarray(0, prefixBytes).slice();
  if (prefix.length < prefixBytes) throw malformed(file, "expected a header, found its end");
  const view = new DataView(prefix.buffer, prefix.byteOffset, prefixBytes);
  const [first, headerSize, , jsonSize] = [0, 4, 8, 12].map((at) => view.getUint32(at, true)) as [
    number,
    number,
    number,
    number,
  ];
  if (first !== 4 || jsonSize > headerSize) throw malformed(file, "expected the sizes of a header, found others");
  if (jsonSize > maxHeaderBytes)
    throw malformed(file, `expected a header of at most ${maxHeaderBytes} bytes, found ${jsonSize}`);
  const text = bytes.subarray(prefixBytes, prefixBytes + jsonSize).slice();
  const root = parseJson(text, file.location, "malformed_archive");
  if (!isObject(root)) throw malformed(file, "expected an object as its header, found something else");
  return { root, contentAt: 8 + headerSize };
}

/** The entry, if its content is in the archive and has at most `maxBytes`. @throws ScanError `malformed_archive` */
function checked(file: ZipFile, entry: ZipEntry, maxBytes: number): ZipEntry {
  const { name, offset, sizeBytes } = entry;
  if (offset + sizeBytes > file.bytes.length)
    throw malformed(file, `expected the content of ${name}, found the end of the archive`);
  if (sizeBytes > maxBytes) throw malformed(file, `expected at most ${maxBytes} bytes in ${name}, found ${sizeBytes}`);
  return entry;
}

function partOf(bytes: ByteParts, from: number, length: number): ByteParts {
  return {
    length,
    subarray: (start, end) => bytes.subarray(from + Math.min(start, length), from + Math.min(end, length)),
  };
}

function malformed({ location }: ZipFile, message: string): ScanError {
  return new ScanError("malformed_archive", `${location}: ${message}`);
}
