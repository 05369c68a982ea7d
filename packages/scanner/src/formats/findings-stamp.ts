import type { Finding } from "../findings.ts";
import type { DocumentStamp } from "./reported-image.ts";

/** Metadata of a document of findings, and which findings it shows. */
export interface FindingsStamp extends DocumentStamp {
  /** Whether a finding is shown; absent: all are. Documents state the number of hidden findings. */
  readonly shows?: (finding: Finding) => boolean;
}
