import type { MessagePort } from "node:worker_threads";
import { type Json, parseVulnerabilityReportJson } from "@plimsoll/core/report";
import type { ImageBill, ReportFormat } from "@plimsoll/registry";
import { type ScanReport, scanOfReport } from "@plimsoll/scanner";
import { type DocumentStamp, toCsv, toCycloneDx, toSarif, toSpdx } from "@plimsoll/scanner/formats";
import type { ServiceSettings } from "../config/service-settings.ts";

/** A document, without the report. */
export interface DocumentOrder extends DocumentStamp {
  /** `NAMESPACE/NAME@DIGEST` */
  readonly reference: string;
  readonly format: ReportFormat;
}

/** Who makes the documents of a registry, and who supplies its images. */
export function documentMakers({
  sbomAuthor,
  sbomSupplier,
}: Partial<Pick<ServiceSettings, "sbomAuthor" | "sbomSupplier">>): Pick<DocumentStamp, "authors" | "supplier"> {
  return { authors: sbomAuthor === undefined ? undefined : [sbomAuthor], supplier: sbomSupplier };
}

/** What a thread that writes a document is sent: the JSON of a {@link DocumentContent} in parts; then a request for each part of the document. */
export type ReportPart = { readonly json: string } | { readonly wantsText: true };

/** What a document is written of. */
export interface DocumentContent {
  readonly report: Json;
  readonly bill?: ImageBill;
}

/** What such a thread sends for each request: a part of the document; empty if there is no more. */
export interface DocumentPart {
  readonly text: string;
}

const json = (document: object) => JSON.stringify(document, undefined, 2);

const writers: Readonly<Record<ReportFormat, (scan: ScanReport, stamp: DocumentStamp) => string>> = {
  sarif: (scan, stamp) => json(toSarif(scan, stamp)),
  cyclonedx: (scan, stamp) => json(toCycloneDx(scan, stamp)),
  spdx: (scan, stamp) => json(toSpdx(scan, stamp)),
  csv: toCsv,
};

/** The length of the parts of a document: receiving one takes the other thread less than a millisecond. */
const partLength = 64 * 1024;

/** Receives a report, writes the document and sends it, in a thread of its own. */
export function serveReport(port: MessagePort, order: DocumentOrder): void {
  const parts: string[] = [];
  let document: string | undefined;
  let at = 0;
  port.on("message", (part: ReportPart) => {
    if ("json" in part) return void parts.push(part.json);
    document ??= writeDocument(JSON.parse(parts.splice(0).join("")) as DocumentContent, order);
    const sent: DocumentPart = { text: document.slice(at, at + partLength) };
    at += partLength;
    port.postMessage(sent);
  });
}

/** The document of a report in parts, written in this thread. */
export function documentParts(content: DocumentContent, order: DocumentOrder): readonly string[] {
  const document = writeDocument(content, order);
  const count = Math.ceil(document.length / partLength);
  return Array.from({ length: count }, (_, at) => document.slice(at * partLength, (at + 1) * partLength));
}

function writeDocument({ report, bill }: DocumentContent, { reference, format, ...stamp }: DocumentOrder): string {
  const scan = scanOfReport({ source: "registry", reference }, parseVulnerabilityReportJson(report), bill);
  return writers[format](scan, stamp);
}
