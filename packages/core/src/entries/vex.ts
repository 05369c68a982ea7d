/** VEX statements, and their effect on a report. */
export { applyStatements, type StatedReport } from "../vex/apply-statements.ts";
export type { StatementContext } from "../vex/find-statement.ts";
export { parseVex } from "../vex/parse-vex.ts";
export type { StatedImage } from "../vex/product.ts";
export type { VexProduct, VexStatement, VexStatus } from "../vex/statement.ts";
