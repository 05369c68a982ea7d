import type { AcceptedEncodings } from "../content-encoding.ts";
import type { ErrorTable } from "../errors.ts";
import type { Headers } from "./document-operation.ts";

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

/** What the stages of a document API note of a request. */
export interface DocumentState {
  encodings: AcceptedEncodings;
  links: Headers | undefined;
  tag: string | undefined;
}
