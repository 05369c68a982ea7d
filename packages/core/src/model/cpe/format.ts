import { trimEnd } from "../trim-end.ts";
import { parseWfn } from "./parse.ts";
import { any, notApplicable, type Wfn, wfnAttributes } from "./wfn.ts";

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

/**
 * Formats a name as `cpe:/a:vendor:product:…` (CPE 2.2), without trailing colons.
 * @example
 * formatCpeUri(parseWfn("cpe:2.3:a:zlib:zlib:1.2.11:*:*:*:*:*:*:*")); // "cpe:/a:zlib:zlib:1.2.11"
 */
export function formatCpeUri(wfn: Wfn): string {
  const extended = [wfn.swEdition, wfn.targetSw, wfn.targetHw, wfn.other];
  const packed = ["", wfn.edition, ...extended].map(encodeComponent).join("~");
  const edition = extended.every((value) => value === any) ? encodeComponent(wfn.edition) : packed;
  const components = [wfn.part, wfn.vendor, wfn.product, wfn.version, wfn.update].map(encodeComponent);
  return `cpe:/${trimEnd([...components, edition, encodeComponent(wfn.language)].join(":"), ":")}`;
}

function encodeComponent(value: string): string {
  if (value === any) return "";
  if (value === notApplicable) return value;
  return value.replace(/\\(.)|[?*]/g, (character, quoted?: string) => {
    if (quoted === undefined) return character === "?" ? "%01" : "%02";
    return `%${quoted.charCodeAt(0).toString(16)}`;
  });
}
