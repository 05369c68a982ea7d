import type { ImageConfig, IndexReport, Platform, VulnerabilityReport } from "@plimsoll/core";

/** An image with what is in it and, where it was matched, what is wrong with it. A `ScanReport` is one. */
export interface ReportedImage {
  /** The source's name. */
  readonly source: string;
  /** The name the image goes by in its source. */
  readonly reference: string;
  readonly platform?: Platform;
  readonly config?: ImageConfig;
  readonly index: IndexReport;
  readonly vulnerabilities?: VulnerabilityReport;
}

/** An image that was matched. */
export interface MatchedImage extends ReportedImage {
  readonly vulnerabilities: VulnerabilityReport;
}

/** Metadata of a document: when and by what it was made. The same image and the same stamp give the same bytes. */
export interface DocumentStamp {
  /** Of the program that writes the document. */
  readonly toolVersion: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
}

/** The name of the program in documents. */
export const toolName = "plimsoll";

/** Where the program is described. */
export const toolPage = "https://github.com/plimsoll/plimsoll";
