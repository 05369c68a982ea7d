/** Blobs in a folder, and the key in a file. */
export { createFileBlobStore, type FileBlobStoreOptions } from "./blob-stores/file-blob-store.ts";
export { readSecretKey } from "./secret-key.ts";
