import type { Bytes } from "../../bytes/bytes.ts";
import { ScanError } from "../../errors.ts";
import { sniff } from "../../layer/sniff.ts";
import type { ImageChoice } from "../find-images.ts";
import type { FoundInLayer, ImageSource, OpenedSource, OpenSourceOptions, SourceImage } from "../image-source.ts";
import type { ArchiveContents, ArchiveSelection } from "./archive-contents.ts";
import { decompressArchive } from "./decompress-archive.ts";
import { findDockerImages } from "./docker-images.ts";
import { findLayoutImages } from "./layout-images.ts";
import { readPassingArchive } from "./passing-archive.ts";
import { type BlobLike, blobAccess, type RandomAccess } from "./random-access.ts";
import { indexStoredArchive } from "./stored-archive.ts";

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
  const { compression } = await sniff(whole());
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

async function* decompressed(stream: Bytes, opening: OpenSourceOptions): Bytes {
  yield* decompressArchive(await sniff(stream), opening);
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
