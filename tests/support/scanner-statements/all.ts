import { statementsOfOperations } from "./of-operations.ts";
import { statementsOfResources } from "./of-resources.ts";
import type { ScannerStatement } from "./statement.ts";

/** What the scanner's contract says, line by line, each with a check of a running service. */
export const scannerStatements: readonly ScannerStatement[] = [...statementsOfResources, ...statementsOfOperations];
