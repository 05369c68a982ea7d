/** Names of products and versions: CPE 2.2 URIs and CPE 2.3 strings. */
export { type Cpe, formatCpe, parseCpe } from "../model/cpe/format.ts";
export { cpeMatches } from "../model/cpe/match.ts";
export { parseWfn } from "../model/cpe/parse.ts";
export type { Wfn } from "../model/cpe/wfn.ts";
