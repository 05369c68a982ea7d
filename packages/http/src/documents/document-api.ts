import type { Api } from "../api.ts";
import { documentErrors } from "./document-errors.ts";
import type { DocumentFace, DocumentState } from "./document-face.ts";
import type { DocumentOperation } from "./document-operation.ts";
import { documentStages, judgesConditions, newDocumentState } from "./document-stages.ts";

/** An API whose bodies are JSON documents with their own media types. */
export interface DocumentApi extends DocumentFace, Api<DocumentState, DocumentOperation> {
  readonly operations: readonly DocumentOperation[];
}

/**
 * Creates an API of JSON documents with content negotiation, compression, entity tags and trailers.
 * @example
 * import fastify from "fastify";
 *
 * declare const operations: readonly DocumentOperation[];
 * const api = documentApi(bind(operations, { version: "1.2.0" }), {
 *   mediaTypes: (type) => [`application/vnd.example.${type}+json`, "application/json"],
 *   errors: {},
 *   errorTrailer: "Example-Error",
 *   maxBodyBytes: 1_000_000,
 *   contentTypes: "checked",
 * });
 * fastify().register(async (scope) => registerApi(scope, api));
 */
export function documentApi(operations: readonly DocumentOperation[], face: DocumentFace): DocumentApi {
  return {
    ...face,
    operations,
    stages: documentStages(face),
    judgesConditions,
    begin: newDocumentState,
    sendError: documentErrors(face),
    bodies: "buffered",
    namesRequests: true,
  };
}
