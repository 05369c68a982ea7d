import type { Finding } from "../findings.ts";
import type { DocumentStamp } from "./reported-image.ts";

/** What a document of findings says of its own making, and which findings it shows. */
export interface FindingsStamp extends DocumentStamp {
  /** Whether a finding is shown; all are where this is absent. Documents say how many are not. */
  readonly shows?: (finding: Finding) => boolean;
}
