import { choiceAmong, findImages, type ImageChoice, type ImageStore } from "../find-images.ts";
import type { FoundInLayer, SourceImage } from "../image-source.ts";
import { type ArchiveContents, type ArchiveSelection, blobName } from "./archive-contents.ts";
import { chooseLayoutRoots, namesOf } from "./image-documents.ts";

/**
 * The chosen images of an OCI layout, in an archive or a folder.
 * @see https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md
 * @example
 * declare const contents: ArchiveContents<LayerFindings>;
 * const images = await findLayoutImages(contents, { archive: "app" }, { limits: defaultLimits });
 */
export async function findLayoutImages<Found extends FoundInLayer>(
  contents: ArchiveContents<Found>,
  { archive, ref }: ArchiveSelection,
  choice: ImageChoice,
): Promise<readonly SourceImage<Found>[]> {
  const index = await contents.readDocument("index.json", `${archive}: index.json`);
  const roots = chooseLayoutRoots(index, archive, ref);
  const [name = archive] = roots.flatMap(namesOf);
  return findImages(roots, layoutStore(contents), { choice: choiceAmong(roots, choice), reference: name });
}

/** The blobs of a layout. */
export function layoutStore<Found extends FoundInLayer>(contents: ArchiveContents<Found>): ImageStore<Found> {
  return {
    readDocument: ({ digest }) => contents.readDocument(blobName(digest), `document ${digest}`),
    toLayer: ({ digest, mediaType, sizeBytes, diffId }) =>
      contents.toLayer(blobName(digest), { digest, mediaType, expected: { digest, sizeBytes, diffId } }),
  };
}
