import type { Api } from "../api.ts";
import type { AcceptedEncodings } from "../content-encoding.ts";
import type { ErrorTable } from "../errors.ts";
import type { Headers } from "./document-operation.ts";

/** The media types, errors and limits of an API of JSON documents. */
export interface DocumentFace extends Pick<Api, "turnOfBody"> {
  /** The media types of a body by the title of its schema, the preferred one first. The title of errors is `error`. */
  readonly mediaTypes: (type: string) => readonly string[];
  readonly errors: ErrorTable;
  /** The name of the trailer for an error that occurred while a body was written. */
  readonly errorTrailer: string;
  /** Larger request bodies are rejected. */
  readonly maxBodyBytes: number;
  /** Whether a request body must be declared with one of its media types. */
  readonly contentTypes: "checked" | "ignored";
}

/** The state of a request in the stages of a document API. */
export interface DocumentState {
  encodings: AcceptedEncodings;
  links: Headers | undefined;
  tag: string | undefined;
}
