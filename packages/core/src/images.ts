/** Functions that find the images of archives, layouts and registries, for programs with their own `ImageSource`. */
export {
  type ArchiveContents,
  type ArchivedLayer,
  type ArchiveSelection,
  storedLayer,
} from "./image/archive/archive-contents.ts";
export { openArchive, openArchiveStream } from "./image/archive/from-archive.ts";
export { findLayoutImages } from "./image/archive/layout-images.ts";
export { blobAccess, type RandomAccess } from "./image/archive/random-access.ts";
export { digestDocument, type ExpectedDocument, verifyDocument } from "./image/document-digest.ts";
export { type FindOptions, findImages, type ImageChoice, type ImageStore } from "./image/find-images.ts";
export type { EntrySelection, ZipEntry } from "./zip/read-directory.ts";
export { createZipReader, type ZipFile, type ZipReader } from "./zip/zip-reader.ts";
