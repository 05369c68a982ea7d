/**
 * The two written forms of CPE names.
 *
 *     cpe:2.3:part:vendor:product:version:update:edition:language:sw_edition:target_sw:target_hw:other
 *     cpe:/part:vendor:product:version:update:edition:language
 *
 * Of a formatted string (2.3) the last attributes may be missing: Amazon Linux names itself
 * `cpe:2.3:o:amazon:amazon_linux:2023`. In a URI (2.2) an empty attribute is any, `%01` is `?`, `%02` is `*`, and the
 * edition may pack five attributes: `~edition~sw_edition~target_sw~target_hw~other`.
 * @see https://nvlpubs.nist.gov/nistpubs/Legacy/IR/nistir7695.pdf section 6
 */
import { ScanError } from "../../errors.ts";
import { any, findWildcards, notApplicable, type Wfn, type WfnAttribute, wfnAttributes } from "./wfn.ts";

/** Far more than any name in use. Matching takes time quadratic in the length. */
const maxLength = 2048;

/**
 * Parses a CPE name in either form.
 * @throws ScanError `malformed_cpe`
 * @example
 * parseWfn("cpe:/a:zlib:zlib:1.2.11").version; // "1.2.11"
 */
export function parseWfn(text: string): Wfn {
  if (text.length > maxLength) throw malformed(text, `at most ${maxLength} characters`);
  if (/^cpe:2\.3:/i.test(text)) return parseFormattedString(text);
  if (/^cpe:\//i.test(text)) return parseUri(text);
  throw malformed(text, "cpe:2.3: or cpe:/");
}

function parseFormattedString(text: string): Wfn {
  const values = splitAtColons(text.slice("cpe:2.3:".length)).map((value) =>
    value === "\\-" ? value : unquote(value),
  );
  return wfnOf(text, values);
}

/** Splits at colons without a backslash before them. */
function splitAtColons(text: string): string[] {
  const parts: string[] = [];
  let part = "";
  for (const token of text.match(/\\.|./gs) ?? []) {
    if (token !== ":") part += token;
    else {
      parts.push(part);
      part = "";
    }
  }
  return [...parts, part];
}

/** Removes the backslash before `. - _`, which need none. */
function unquote(value: string): string {
  return value.replace(/\\(.)/g, (quoted, character: string) => (/[._-]/.test(character) ? character : quoted));
}

function parseUri(text: string): Wfn {
  const components = text.slice("cpe:/".length).split(":");
  if (components.length > 7) throw malformed(text, "at most 7 components");
  const [part, vendor, product, version, update, edition = "", language] = components;
  const packed = edition.startsWith("~") ? edition.slice(1).split("~") : [edition];
  if (packed.length !== 1 && packed.length !== 5) throw malformed(text, "5 attributes packed into the edition");
  const [ownEdition, ...extended] = packed;
  const values = [part, vendor, product, version, update, ownEdition, language, ...extended];
  return wfnOf(
    text,
    values.map((value = "") => decodeComponent(value, text)),
  );
}

function decodeComponent(component: string, text: string): string {
  if (component === "") return any;
  if (component === notApplicable) return notApplicable;
  const decoded = component.replace(/%([0-9a-f]{2})|[^A-Za-z0-9_.-]/gi, (character, hex?: string) => {
    if (hex === undefined && character === "%") throw malformed(text, "two hex digits after each %");
    if (hex === "01") return "?";
    if (hex === "02") return "*";
    const plain = hex === undefined ? character : String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9_.-]/.test(plain) ? plain : `\\${plain}`;
  });
  return decoded === notApplicable ? "\\-" : decoded;
}

function wfnOf(text: string, values: readonly string[]): Wfn {
  if (values.length > wfnAttributes.length) throw malformed(text, `at most ${wfnAttributes.length} attributes`);
  const entries = wfnAttributes.map((attribute, index) => {
    const value = (values[index] ?? any).toLowerCase();
    if (!isValue(attribute, value)) throw malformed(text, `a valid ${attribute}`);
    return [attribute, value] as const;
  });
  return Object.fromEntries(entries) as Wfn;
}

function isValue(attribute: WfnAttribute, value: string): boolean {
  if (value === any || value === notApplicable) return true;
  return attribute === "part" ? /^[aho]$/.test(value) : findWildcards(value) !== undefined;
}

function malformed(text: string, expected: string): ScanError {
  const shown = JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
  return new ScanError("malformed_cpe", `CPE name: expected ${expected}, found ${shown}`);
}
