/** Normalized severities and their order. */
export { compareSeverity, findSeverity, type Severity, severities } from "../model/severity.ts";
