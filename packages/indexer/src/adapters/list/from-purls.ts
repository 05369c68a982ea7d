import { ScanError } from "@plimsoll/core";
import type { ImageSource } from "@plimsoll/core/image";
import { utf8Of } from "@plimsoll/core/internal";
import { purlReport } from "@plimsoll/core/sbom";
import { digestOf, type ListOptions, readList } from "./from-sbom.ts";

/**
 * The source of a list of package URLs, which are matched without an image.
 *
 *     PURL{(,| )PURL} | FILE | -      a file has one on each line; lines that begin with # are comments
 *     @throws ScanError `malformed_purl` on open
 * @example
 * const source = fromPurls("pkg:npm/lodash@4.17.20");
 */
export function fromPurls(text: string, { standardInput }: ListOptions = {}): ImageSource {
  return {
    name: text.startsWith("pkg:") ? text : `purl:${text}`,
    open: async () => {
      const purls = text.startsWith("pkg:")
        ? splitPurls(text)
        : linesOf(text, (await readList(text, standardInput)).bytes);
      if (purls.length === 0) throw new ScanError("malformed_purl", `${text}: expected package URLs, found none`);
      const listed = purlReport(purls, digestOf(purls.toSorted().join("\n")));
      const [first = ""] = purls;
      const reference = purls.length === 1 ? first : `${purls.length} packages`;
      const image = { reference, manifestDigest: listed.manifestDigest, layers: [], listed };
      return { images: [image], [Symbol.asyncDispose]: async () => {} };
    },
  };
}

/** A comma or space separates only if `pkg:` follows, because package URLs may contain commas. */
function splitPurls(text: string): readonly string[] {
  return text.split(/[,\s](?=pkg:)/).flatMap((part) => part.trim() || []);
}

function linesOf(name: string, bytes: Uint8Array): readonly string[] {
  const lines = new TextDecoder().decode(utf8Of(bytes, { name, code: "malformed_purl" })).split("\n");
  return lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
}
