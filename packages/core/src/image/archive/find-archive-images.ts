import { ScanError } from "../../errors.ts";
import type { ImageChoice } from "../find-images.ts";
import type { FoundInLayer, SourceImage } from "../image-source.ts";
import type { ArchiveContents, ArchiveSelection } from "./archive-contents.ts";
import { findDockerImages } from "./docker-images.ts";
import { findLayoutImages } from "./layout-images.ts";

/**
 * The chosen images of an archive. Since 2024, `docker save` writes docker's `manifest.json` and an OCI layout into the same
 * archive; other tools write only one of them.
 * @throws ScanError `unsupported_source` for an archive of something else, and what {@link findImages} throws
 */
export async function findArchiveImages<Found extends FoundInLayer>(
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
