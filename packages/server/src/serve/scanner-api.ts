import { bind, type DocumentApi, type DocumentOperation, documentApi } from "@plimsoll/http";
import { type IndexerContext, indexerOperations } from "@plimsoll/indexer/http";
import { type MatcherContext, matcherOperations } from "@plimsoll/matcher/http";
import { type NotifierContext, notifierOperations } from "@plimsoll/notifier/http";
import { scannerErrors, scannerErrorTrailer, scannerMediaTypes } from "@plimsoll/scanner-api";
import type { CompatibilityProfile } from "../config/service-settings.ts";
import { inProfile } from "./compatibility.ts";

/** The services of this process; those that are absent run elsewhere, and their paths are unknown here. */
export interface ScannerServices {
  readonly indexer?: IndexerContext;
  readonly matcher?: MatcherContext;
  readonly notifier?: NotifierContext;
}

/** How the scanner API presents itself. */
export interface ScannerFace {
  /** The segment of media types and of the trailer that names who runs the service. */
  readonly vendor: string;
  readonly compatibility: CompatibilityProfile;
  readonly maxBodyBytes: number;
}

/** The scanner API over the services of this process. */
export function scannerApi(services: ScannerServices, face: ScannerFace): DocumentApi {
  const mediaTypes = scannerMediaTypes(face.vendor);
  const isReference = face.compatibility === "reference";
  const operations = operationsOf(services).map((operation) => inProfile(face.compatibility, operation, services));
  return documentApi(operations, {
    mediaTypes: (type) => (isReference && type === "error" ? ["application/json"] : mediaTypes(type)),
    errors: scannerErrors,
    errorTrailer: scannerErrorTrailer(face.vendor),
    maxBodyBytes: face.maxBodyBytes,
    contentTypes: isReference ? "ignored" : "checked",
  });
}

function operationsOf({ indexer, matcher, notifier }: ScannerServices): readonly DocumentOperation[] {
  return [
    ...(indexer ? bind(indexerOperations, indexer) : []),
    ...(matcher ? bind(matcherOperations, matcher) : []),
    ...(notifier ? bind(notifierOperations, notifier) : []),
  ];
}
