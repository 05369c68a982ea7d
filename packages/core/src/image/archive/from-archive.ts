import type { Bytes } from "../../bytes/bytes.ts";
import type { Limits } from "../../bytes/limits.ts";
import type { KnownCompression } from "../../compression/compression-of.ts";
import { decompress } from "../../compression/decompressed-document.ts";
import { ScanError } from "../../errors.ts";
import { type Sniffed, sniff } from "../../layer/sniff.ts";
import { maxDocumentBytes } from "../../model/image-manifest.ts";
import type { Decompress, Decompressors } from "../../ports.ts";
import type { ImageChoice } from "../find-images.ts";
import type { FoundInLayer, ImageSource, OpenedSource, OpenSourceOptions, SourceImage } from "../image-source.ts";
import { type ArchiveContents, type ArchiveSelection, storedLayer } from "./archive-contents.ts";
import { fileInput } from "./archive-input.ts";
import { type ArchiveLimits, readMembers } from "./archive-members.ts";
import { findDockerImages } from "./docker-images.ts";
import { findLayoutImages } from "./layout-images.ts";
import { memberTable, type TableEntry } from "./member-table.ts";
import { readPassingArchive } from "./passing-archive.ts";
import { type BlobLike, blobAccess, type RandomAccess } from "./random-access.ts";

/** Selects an image of an archive. */
export interface ArchiveOptions {
  /** The name the image goes by in the archive; needed when there are several. */
  readonly ref?: string;
}

/**
 * An archive of either form in a stream: standard input, a download. It can be opened once.
 * @example
 * const response = await fetch("https://images.example.com/app.tar");
 * const engine = createEngine({ ecosystems: allEcosystems });
 * if (response.body !== null) {
 *   for await (const { report } of indexSource(engine, fromArchiveStream(response.body))) console.log(report.packages);
 * }
 */
export function fromArchiveStream(stream: Bytes, options: ArchiveOptions = {}): ImageSource {
  const archive = "the archive";
  return {
    name: "-",
    open: (opening) => openArchiveStream(stream, { ...options, archive }, opening),
  };
}

/**
 * An archive of either form in a `Blob` or `File`, such as a file that is dropped on a web page.
 * @example
 * declare const file: File;
 * const engine = createEngine({ ecosystems: allEcosystems });
 * for await (const { report } of indexSource(engine, fromArchiveBlob(file))) console.log(report.packages);
 */
export function fromArchiveBlob(
  blob: BlobLike & { readonly name?: string },
  options: ArchiveOptions = {},
): ImageSource {
  const name = blob.name ?? "the archive";
  return { name, open: (opening) => openArchive(blobAccess(blob), { ...options, archive: name }, opening) };
}

/** Opens an archive in a file. Layers of an uncompressed archive are read in place; a compressed archive is read as a whole. */
export async function openArchive<Found extends FoundInLayer>(
  file: RandomAccess,
  selection: ArchiveSelection,
  opening: OpenSourceOptions<Found>,
): Promise<OpenedSource<Found>> {
  const { archive } = selection;
  const whole = () => file.stream(0, file.sizeBytes);
  const { compression } = await sniff(whole(), expectedArchive);
  if (compression !== "none") return openArchiveStream(whole, selection, opening);
  const contents = await indexStoredArchive<Found>(file, { archive, limits: opening.limits, signal: opening.signal });
  return { images: await findArchiveImages(contents, selection, opening), [Symbol.asyncDispose]: async () => {} };
}

/**
 * Opens an archive in a stream: reads all of it, with its layers.
 * @param stream the archive; a function if it can be streamed again, from the beginning on each call
 * @example
 * declare const stream: Bytes;
 * declare const opening: OpenSourceOptions<LayerFindings>;
 * const { images } = await openArchiveStream(stream, { archive: "app.tar" }, opening);
 */
export async function openArchiveStream<Found extends FoundInLayer>(
  stream: Bytes | (() => Bytes),
  selection: ArchiveSelection,
  opening: OpenSourceOptions<Found>,
): Promise<OpenedSource<Found>> {
  const reopens = typeof stream === "function";
  const options = reopens ? { ...opening, again: () => decompressed(stream(), opening) } : opening;
  const bytes = decompressed(reopens ? stream() : stream, opening);
  const contents = await readPassingArchive(bytes, selection.archive, options);
  return { images: await findArchiveImages(contents, selection, opening), [Symbol.asyncDispose]: async () => {} };
}

const expectedArchive =
  "an archive of images (tar, or compressed with gzip, zstd, xz or bzip2; sbom: reads a bill of materials, file: one archive or program)";

async function* decompressed(stream: Bytes, opening: OpenSourceOptions): Bytes {
  yield* decompressArchive(await sniff(stream, expectedArchive), opening);
}

/**
 * The chosen images of an archive. Since 2024, `docker save` writes docker's `manifest.json` and an OCI layout into the same
 * archive; other tools write only one of them.
 * @throws ScanError `unsupported_source` for an archive of something else, and what {@link findImages} throws
 */
async function findArchiveImages<Found extends FoundInLayer>(
  contents: ArchiveContents<Found>,
  selection: ArchiveSelection,
  choice: ImageChoice,
): Promise<readonly SourceImage<Found>[]> {
  const { archive, form } = selection;
  if (form !== "oci" && (await contents.has("manifest.json"))) return findDockerImages(contents, selection, choice);
  if (form !== "docker" && (await contents.has("index.json"))) return findLayoutImages(contents, selection, choice);
  const expected = form === "docker" ? "manifest.json" : form === "oci" ? "index.json" : "manifest.json or index.json";
  throw new ScanError("unsupported_source", `${archive}: expected an image, found no ${expected}`);
}

/** Options of {@link decompressArchive}. */
interface DecompressArchiveOptions {
  readonly decompressors: Decompressors;
  readonly limits: Pick<Limits, "maxRatio" | "ratioFromBytes">;
}

/**
 * The uncompressed archive. The limit on the compression ratio of a layer applies to the archive as well.
 * @throws ScanError `layer_ratio`, `layer_truncated`, `layer_corrupt`, `malformed_archive`
 */
export async function* decompressArchive(
  { compression, bytes }: Sniffed,
  { decompressors, limits }: DecompressArchiveOptions,
): Bytes {
  if (compression === "none") {
    yield* bytes;
    return;
  }
  let storedBytes = 0;
  let plainBytes = 0;
  async function* counted(): Bytes {
    for await (const chunk of bytes) {
      storedBytes += chunk.length;
      yield chunk;
    }
  }
  for await (const chunk of decompressorFor(compression, decompressors)(counted())) {
    plainBytes += chunk.length;
    if (plainBytes > limits.ratioFromBytes && plainBytes > limits.maxRatio * storedBytes) {
      const found = `${plainBytes} bytes from ${storedBytes}`;
      throw new ScanError("layer_ratio", `the archive gives ${found}, more than maxRatio, ${limits.maxRatio} times`);
    }
    yield chunk;
  }
}

/** The platform's own for gzip and zstd, which are the usual ones; any platform decompresses the others. */
function decompressorFor(compression: KnownCompression, decompressors: Decompressors): Decompress {
  const own = compression === "gzip" || compression === "zstd" ? decompressors[compression] : undefined;
  return own ?? ((bytes) => decompress(compression, bytes));
}

/** The place of a member's content in its file. */
interface Range {
  readonly offset: number;
  readonly sizeBytes: number;
}

interface StoredArchiveOptions {
  readonly archive: string;
  readonly limits: ArchiveLimits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The contents of an uncompressed tar file, read in place. Only the headers are read to find the members. The file must stay open
 * while layers are read.
 * @throws ScanError `malformed_archive`, `entry_limit`, `aborted`
 */
async function indexStoredArchive<Found extends FoundInLayer>(
  file: RandomAccess,
  { archive, limits, signal }: StoredArchiveOptions,
): Promise<ArchiveContents<Found>> {
  const entries = new Map<string, TableEntry<Range>>();
  for await (const { name, kind, linkName, offset, sizeBytes } of readMembers(fileInput(file), limits)) {
    if (signal?.aborted === true) throw new ScanError("aborted", `reading ${archive} was cancelled`);
    entries.set(name, kind === "file" ? { kind: "content", content: { offset, sizeBytes } } : { kind, linkName });
  }
  const table = memberTable(entries, archive);
  return {
    has: async (name) => table.has(name),
    readDocument: async (name, what) => {
      const { offset, sizeBytes } = table.get(name, what);
      if (sizeBytes <= maxDocumentBytes) return file.read(offset, sizeBytes);
      throw new ScanError("malformed_image", `${what}: expected at most ${maxDocumentBytes} bytes, found ${sizeBytes}`);
    },
    toLayer: (name, layer) => {
      const { offset, sizeBytes } = table.get(name, `layer ${layer.digest}`);
      return storedLayer(layer, () => file.stream(offset, sizeBytes), file.rangeOf?.(offset, sizeBytes));
    },
  };
}
