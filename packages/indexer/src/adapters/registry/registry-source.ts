import { type ImageSource, parseImageReference } from "@plimsoll/core/image";
import { readAttachedDocuments } from "./attached-documents.ts";
import { fromRegistry, type RegistryOptions } from "./from-registry.ts";

/** The source of an image in a registry, with its attached documents. @throws ScanError `unsupported_source`, `malformed_digest` */
export function registrySource(reference: string, options: RegistryOptions = {}): ImageSource {
  const parsed = parseImageReference(reference);
  return {
    ...fromRegistry(reference, options),
    readAttached: (digest, reading) => readAttachedDocuments(parsed, digest, { ...reading, registry: options }),
  };
}
