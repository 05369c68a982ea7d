/**
 * A VEX document of Ubuntu: OpenVEX about one vulnerability.
 *
 * ```
 * { "@context", statements: [{ vulnerability: { name }, products: [{ "@id": purl }], status, justification?, impact_statement? }] }
 * ```
 * Affected packages and fixes are in Ubuntu's OSV records. VEX documents add sources that are not affected, and those under
 * investigation. `component_not_present` is for packages that a release does not have.
 *
 * @see https://github.com/canonical/ubuntu-security-notices
 */
import type { Advisory } from "../../model/advisory.ts";
import { itemsAt, type JsonPlace, memberAt, optionalStringAt, stringAt } from "../../model/json-place.ts";
import type { ReadPart } from "../shared/malformed-feed.ts";
import { unknownSeverity } from "../shared/scored-severity.ts";
import { readUbuntuPurl } from "./purl.ts";

const statuses: ReadonlyMap<string, Advisory["status"]> = new Map([
  ["not_affected", "not-affected"],
  ["under_investigation", "undetermined"],
]);

/** The statements of a document about source packages. A malformed statement is skipped. @throws ScanError `malformed_feed` */
export function vexAdvisories(document: JsonPlace, readPart: ReadPart): readonly Advisory[] {
  const advisories = itemsAt(memberAt(document, "statements")).flatMap(
    (place) => readPart(() => statementOf(place)) ?? [],
  );
  return [...new Map(advisories.map((advisory) => [advisory.id, advisory])).values()];
}

function statementOf(statement: JsonPlace): readonly Advisory[] {
  const name = stringAt(memberAt(memberAt(statement, "vulnerability"), "name"));
  const status = statuses.get(stringAt(memberAt(statement, "status")));
  const isAbsentPackage = optionalStringAt(memberAt(statement, "justification")) === "component_not_present";
  if (status === undefined || isAbsentPackage) return [];
  const description = optionalStringAt(memberAt(statement, "impact_statement"));
  const products = itemsAt(memberAt(statement, "products")).map((place) =>
    readUbuntuPurl(stringAt(memberAt(place, "@id"))),
  );
  return products.flatMap((product): readonly Advisory[] => {
    if (product?.arch !== "source") return [];
    return [
      {
        id: `ubuntu/vex/${name}/${product.key}/${product.name}`,
        updater: "ubuntu",
        name,
        aliases: [],
        ecosystem: product.key,
        packageName: product.name,
        packageKind: "SOURCE",
        status,
        ranges: [{}],
        versions: [],
        links: [`https://ubuntu.com/security/${name}`],
        description,
        ...unknownSeverity,
      },
    ];
  });
}
