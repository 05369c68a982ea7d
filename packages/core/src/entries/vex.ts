/** VEX statements, and their effect on a report. */
export { applyStatements, type StatedReport } from "../vex/apply-statements.ts";
export { parseVex } from "../vex/parse-vex.ts";
export type { StatementContext, VexStatement } from "../vex/statement.ts";
