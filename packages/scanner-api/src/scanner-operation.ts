import { type DeclareOperation, type DocumentOperation, type DocumentTypes, operationsFor } from "@plimsoll/http";

/**
 * Returns the function that declares operations of a scanner service.
 * @typeParam Context the context that their handlers get
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
