import { spdxExpression } from "./spdx-expression.ts";

/**
 * The addresses at which the owners of licences publish their texts, each of one licence in one version. The GNU licences are left out: their addresses do not say
 * whether a later version may be chosen.
 */
const byAddress: ReadonlyMap<string, string> = new Map([
  ["apache.org/licenses/license-1.1", "Apache-1.1"],
  ["apache.org/licenses/license-2.0", "Apache-2.0"],
  ["boost.org/license_1_0", "BSL-1.0"],
  ["creativecommons.org/licenses/by/4.0", "CC-BY-4.0"],
  ["creativecommons.org/publicdomain/zero/1.0", "CC0-1.0"],
  ["eclipse.org/legal/epl-2.0", "EPL-2.0"],
  ["eclipse.org/legal/epl-v10", "EPL-1.0"],
  ["eclipse.org/legal/epl-v20", "EPL-2.0"],
  ["eclipse.org/org/documents/edl-v10", "BSD-3-Clause"],
  ["json.org/license", "JSON"],
  ["mozilla.org/en-us/mpl/2.0", "MPL-2.0"],
  ["mozilla.org/mpl/2.0", "MPL-2.0"],
  ["mozilla.org/mpl/mpl-1.1", "MPL-1.1"],
  ["opensource.org/licenses/apache2.0", "Apache-2.0"],
  ["opensource.org/licenses/mit-license", "MIT"],
  ["opensource.org/licenses/ms-pl", "MS-PL"],
  ["unlicense.org", "Unlicense"],
]);

/** Places where an address ends with the identifier of the SPDX list, or with an expression. */
const byId =
  /^(?:licenses\.nuget\.org|spdx\.org\/licenses|opensource\.org\/(?:licenses?|license)|choosealicense\.com\/licenses)\/([ ()a-z0-9.+-]{1,512})$/;

/** The kinds of files in which a text may be published. */
const fileKind = /\.(?:html?|php|txt)$/;

/**
 * The SPDX identifier of the licence whose text its owner publishes at an address; undefined for any other address.
 * @example
 * licenseAt("https://www.apache.org/licenses/LICENSE-2.0.txt"); // "Apache-2.0"
 */
export function licenseAt(address: string): string | undefined {
  if (address.length > 256) return undefined;
  const whole = address
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?/, "");
  const plain = whole.endsWith("/") ? whole.slice(0, -1) : whole.replace(fileKind, "");
  const [, id] = byId.exec(decoded(plain)) ?? [];
  const known = byAddress.get(plain);
  if (known !== undefined || id === undefined) return known;
  return gnu.test(id) && !plain.startsWith("licenses.nuget.org/") ? undefined : spdxExpression(id);
}

/** The GNU licences without a word about later versions. */
const gnu = /^(?:[al]?gpl|gfdl)-\d(?:\.\d)?$/;

/** Without escapes, which an expression has for its blanks and brackets. */
function decoded(address: string): string {
  return address.replace(/%(2[089b])/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
