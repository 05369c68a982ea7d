import { ScanError, type ScanErrorCode } from "../errors.ts";

/**
 * A text in UTF-8: one in UTF-16 with a byte order mark is converted, as Windows PowerShell writes what a command prints; any other text is
 * returned itself.
 * @throws ScanError with the code for UTF-16 that ends within a character or has half of one
 * @see https://www.unicode.org/faq/utf_bom.html
 * @example
 * utf8Of(Uint8Array.of(0xff, 0xfe, 0x7b, 0x00), { name: "app.cdx.json", code: "malformed_sbom" }); // Uint8Array.of(0x7b)
 */
export function utf8Of(
  text: Uint8Array,
  { name, code }: { readonly name: string; readonly code: ScanErrorCode },
): Uint8Array {
  const mark = (text[0] ?? 0) * 256 + (text[1] ?? 0);
  const encoding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : undefined;
  if (encoding === undefined) return text;
  try {
    return new TextEncoder().encode(new TextDecoder(encoding, { fatal: true }).decode(text));
  } catch (cause) {
    throw new ScanError(code, `${name}: expected a text, found damaged UTF-16`, { cause });
  }
}
