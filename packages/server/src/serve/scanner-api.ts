import { bind, type DocumentApi, type DocumentOperation, documentApi } from "@plimsoll/http";
import { indexerOperations } from "@plimsoll/indexer/http";
import { matcherOperations } from "@plimsoll/matcher/http";
import { notifierOperations } from "@plimsoll/notifier/http";
import { scannerErrors, scannerErrorTrailer, scannerMediaTypes } from "@plimsoll/scanner-api";
import { turnOfBody } from "@plimsoll/store";
import { inProfile } from "./compatibility.ts";
import type { ScannerFace, ScannerServices } from "./scanner-face.ts";

/** The scanner API for the services of this process. */
export function scannerApi(services: ScannerServices, face: ScannerFace): DocumentApi {
  const mediaTypes = scannerMediaTypes(face.vendor);
  const isReference = face.compatibility === "reference";
  const operations = operationsOf(services).map((operation) => inProfile({ face, services }, operation));
  return documentApi(operations, {
    mediaTypes: (type) => (isReference && type === "error" ? ["application/json"] : mediaTypes(type)),
    errors: scannerErrors,
    errorTrailer: scannerErrorTrailer(face.vendor),
    maxBodyBytes: face.maxBodyBytes,
    turnOfBody,
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
