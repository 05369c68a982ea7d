import type { Api } from "../api.ts";
import type { ErrorTable } from "../errors.ts";
import { documentErrors } from "./document-errors.ts";
import type { DocumentOperation } from "./document-operation.ts";
import { type DocumentState, documentStages, newDocumentState } from "./document-stages.ts";

/** How an API over JSON documents presents itself. */
export interface DocumentFace {
  /** The media types of a body by the title of its schema, the preferred one first. Errors are bodies named `error`. */
  readonly mediaTypes: (type: string) => readonly string[];
  readonly errors: ErrorTable;
  /** The trailer of what went wrong while a body was written. */
  readonly errorTrailer: string;
  /** Larger request bodies are refused. */
  readonly maxBodyBytes: number;
  /** Whether a request body must be declared with one of its media types. */
  readonly contentTypes: "checked" | "ignored";
}

/** An API whose bodies are JSON documents with media types of their own. */
export interface DocumentApi extends DocumentFace, Api<DocumentState> {
  readonly operations: readonly DocumentOperation[];
}

/**
 * An API over JSON documents: with content negotiation, compression, entity tags and trailers.
 * @example
 * registerApi(app, documentApi(bind(operations, context), face));
 */
export function documentApi(operations: readonly DocumentOperation[], face: DocumentFace): DocumentApi {
  return {
    ...face,
    operations,
    stages: documentStages(face),
    begin: newDocumentState,
    sendError: documentErrors(face),
    bodies: "buffered",
  };
}
