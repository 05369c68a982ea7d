import { type DeclareOperation, type DocumentOperation, type DocumentTypes, operationsFor } from "@plimsoll/http";

/**
 * Gives the function that declares operations of a scanner service.
 * @typeParam Context what their handlers work with
 * @example
 * interface Parts {
 *   readonly name: string;
 * }
 * const operation = scannerOperation<Parts>();
 */
export function scannerOperation<Context>(): DeclareOperation<DocumentTypes<Context>> {
  return operationsFor<DocumentTypes<Context>>();
}

/** An operation of a scanner service, not bound to its context yet. */
export type ScannerOperation = DocumentOperation;
