/**
 * An erratum of AlmaLinux: the content of `updateinfo.xml` as JSON.
 *
 * ```
 * { updateinfo_id, type, severity?, description?, issued_date?: { $date }, references?: [{ href, id, type, title }],
 *   pkglist: { module?: { name, stream }, packages: [{ name, epoch?, version, release, arch }] } }
 * ```
 */
import {
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  membersAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
} from "../../model/json-place.ts";
import type { XmlElement } from "../shared/xml-elements.ts";

/** Converts an erratum to the equivalent element `update`. @throws ScanError `malformed_feed` */
export function erratumAsUpdate(erratum: JsonPlace): XmlElement {
  const pkglist = memberAt(erratum, "pkglist");
  const packages = itemsAt(memberAt(pkglist, "packages")).map((place) => element("package", textsOf(place)));
  const module = memberAt(pkglist, "module");
  const modules = isAbsent(module) ? [] : [element("module", textsOf(module))];
  const references = optionalItemsAt(memberAt(erratum, "references")).map((place) =>
    element("reference", textsOf(place)),
  );
  const text = (name: string, member: string) => textElement(name, optionalStringAt(memberAt(erratum, member)));
  const attributes = { type: stringAt(memberAt(erratum, "type")) };
  return element("update", attributes, [
    ...text("id", "updateinfo_id"),
    ...text("severity", "severity"),
    ...text("description", "description"),
    ...textElement("release", releaseOf(packages)),
    ...issuedOf(memberAt(erratum, "issued_date")),
    element("references", {}, references),
    element("pkglist", {}, [element("collection", {}, [...modules, ...packages])]),
  ]);
}

/** The release, which only the packages of an erratum state: `8` of the package release `10.el8_4.1`. */
function releaseOf(packages: readonly XmlElement[]): string | undefined {
  const found = packages.map(({ attributes }) => /\.(?:module_)?el(\d+)/.exec(attributes.release ?? "")?.[1]);
  return found.find((release) => release !== undefined);
}

function issuedOf(place: JsonPlace): readonly XmlElement[] {
  const instant = isAbsent(place) ? undefined : memberAt(place, "$date").value;
  if (typeof instant !== "number" || !(Math.abs(instant) < 8.64e15)) return [];
  return [element("issued", { date: new Date(instant).toISOString().slice(0, 19) })];
}

function textsOf(place: JsonPlace): Readonly<Record<string, string>> {
  const members = membersAt(place).flatMap(([name, { value }]) =>
    typeof value === "string" || typeof value === "number" ? [[name, String(value)] as const] : [],
  );
  return Object.fromEntries(members);
}

function textElement(name: string, text: string | undefined): readonly XmlElement[] {
  return text === undefined ? [] : [{ ...element(name, {}), text }];
}

function element(name: string, attributes: XmlElement["attributes"], children: readonly XmlElement[] = []): XmlElement {
  return { name, attributes, children, text: "" };
}
