import type { IndexReport, VulnerabilityReport } from "@plimsoll/core";
import type { ImageConfig } from "@plimsoll/core/internal";
import type { Platform } from "@plimsoll/core/platform";
import type { Finding } from "../findings.ts";

/** An image with its content and, if it was matched, its vulnerabilities. A `ScanReport` is one. */
export interface ReportedImage {
  /** The name of the source. */
  readonly source: string;
  /** The name of the image in its source. */
  readonly reference: string;
  readonly platform?: Platform;
  readonly config?: ImageConfig;
  /** Set if it is a folder or a file, or a bill of materials of one, and not the image of a container. */
  readonly isFolder?: true;
  readonly index: IndexReport;
  readonly vulnerabilities?: VulnerabilityReport;
}

/** An image that was matched. */
export interface MatchedImage extends ReportedImage {
  readonly vulnerabilities: VulnerabilityReport;
}

/** Metadata of a document: its time and program. The same image and the same stamp give the same bytes. */
export interface DocumentStamp {
  /** The version of the program that writes the document. */
  readonly toolVersion: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  /** The organizations that make the document: `Name <mail>` or `Name <https://…>`. Absent: it names only the program. */
  readonly authors?: readonly string[];
  /** The organization that supplies the image, likewise. Absent: the vendor that the image's labels name. */
  readonly supplier?: string;
}

/** The name of the program in documents. */
export const toolName = "plimsoll";

/** The home page of the program. */
export const toolPage = "https://github.com/plimsoll/plimsoll";

/** Metadata of a document of findings, and which findings it shows. */
export interface FindingsStamp extends DocumentStamp {
  /** Whether a finding is shown; absent: all are. Documents state the number of hidden findings. */
  readonly shows?: (finding: Finding) => boolean;
}
