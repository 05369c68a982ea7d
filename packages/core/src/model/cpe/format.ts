import { parseWfn } from "./parse.ts";
import { type Wfn, wfnAttributes } from "./wfn.ts";

declare const cpeBrand: unique symbol;

/** A CPE name as a formatted string (CPE 2.3) with all attributes, in lower case. */
export type Cpe = string & { readonly [cpeBrand]: true };

/**
 * The formatted string of a CPE name in either form.
 * @throws ScanError `malformed_cpe`
 * @example
 * parseCpe("cpe:/o:redhat:enterprise_linux:9"); // "cpe:2.3:o:redhat:enterprise_linux:9:*:*:*:*:*:*:*"
 */
export function parseCpe(text: string): Cpe {
  return formatCpe(parseWfn(text));
}

/**
 * Formats a name as `cpe:2.3:a:vendor:product:…`, with all eleven attributes.
 * @example
 * formatCpe(parseWfn("cpe:/a:zlib:zlib:1.2.11")); // "cpe:2.3:a:zlib:zlib:1.2.11:*:*:*:*:*:*:*"
 */
export function formatCpe(wfn: Wfn): Cpe {
  return ["cpe:2.3", ...wfnAttributes.map((attribute) => wfn[attribute])].join(":") as Cpe; // the only cast to Cpe
}
