import { type DigestAlgorithm, isDigest } from "../model/digest.ts";
import type { IndexReport, ListedFile, PackageDependencies } from "../model/index-report.ts";
import {
  digestAt,
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../model/json-place.ts";
import {
  type LicenseStatement,
  type PackageDetails,
  type PackageFile,
  packageDetails,
} from "../model/package-details.ts";
import { allAtOnce, type Steps } from "../model/slices.ts";
import { parseMap } from "./inventory.ts";
import { convertMap, present } from "./members.ts";
import type { BillJson, DependenciesJson, DetailsJson } from "./shapes.ts";

/** What a report says about its packages besides what they are. */
type Bill = Pick<IndexReport, "details" | "dependencies" | "files">;

/** The JSON form of what a report says about its packages; without the maps that it does not have. */
export function* billJson({ details, dependencies, files }: Bill): Steps<BillJson> {
  return {
    details: details && (yield* convertMap(details, toDetailsJson)),
    dependencies: dependencies && (yield* convertMap(dependencies, toDependenciesJson)),
    files:
      files && (yield* convertMap(files, (list) => list.map(({ path, digest, layer }) => ({ path, digest, layer })))),
  };
}

function toDetailsJson(details: PackageDetails): DetailsJson {
  const { licenses, sourceAddress, downloadAddress, ...same } = details;
  return {
    licenses: licenses?.map(({ text, expression, path }) => ({ text, ...present({ expression, path }) })),
    ...present({ ...same, source_address: sourceAddress, download_address: downloadAddress }),
  };
}

function toDependenciesJson({ packageIds, unmet, isPartial }: PackageDependencies): DependenciesJson {
  return { package_ids: packageIds, unmet, is_partial: isPartial };
}

/** Parses the maps; a missing one is undefined. @throws ScanError with the code of `report` */
export function parseBill(report: JsonPlace): Bill {
  const place = (name: string) => memberAt(report, name);
  const [details, dependencies, files] = [place("details"), place("dependencies"), place("files")];
  return {
    details: isAbsent(details) ? undefined : allAtOnce(parseMap(details, parseDetails)),
    dependencies: isAbsent(dependencies) ? undefined : allAtOnce(parseMap(dependencies, parseDependencies)),
    files: isAbsent(files) ? undefined : allAtOnce(parseMap(files, (list) => itemsAt(list).map(parseListedFile))),
  };
}

function parseDetails(place: JsonPlace): PackageDetails {
  const text = (member: string) => optionalStringAt(memberAt(place, member));
  const texts = (member: string) => itemsAt(memberAt(place, member)).map(stringAt);
  const someTexts = (member: string) => (isAbsent(memberAt(place, member)) ? undefined : texts(member));
  const parsed = packageDetails({
    licenses: optionalItemsAt(memberAt(place, "licenses")).map(parseLicense),
    supplier: text("supplier"),
    originator: text("originator"),
    authors: someTexts("authors"),
    copyright: text("copyright"),
    description: text("description"),
    homepage: text("homepage"),
    sourceAddress: text("source_address"),
    downloadAddress: text("download_address"),
    requires: someTexts("requires"),
    recommends: someTexts("recommends"),
    provides: someTexts("provides"),
    file: parseFile(memberAt(place, "file")),
  });
  return parsed ?? {};
}

function parseListedFile(place: JsonPlace): ListedFile {
  const digest = optionalStringAt(memberAt(place, "digest"));
  return { path: stringAt(memberAt(place, "path")), digest, layer: digestAt(memberAt(place, "layer")) };
}

function parseFile(place: JsonPlace): PackageFile | undefined {
  if (isAbsent(place)) return undefined;
  const kind = memberAt(place, "kind");
  if (kind.value !== "archive" && kind.value !== "program") throw unexpected(kind, "archive or program");
  return { kind: kind.value, sha256: hexAt(place, "sha256"), sha512: hexAt(place, "sha512") };
}

/** The hex digits of a digest, in the member with the name of its algorithm. */
function hexAt(place: JsonPlace, algorithm: DigestAlgorithm): string {
  const member = memberAt(place, algorithm);
  const hex = stringAt(member);
  if (!isDigest(`${algorithm}:${hex}`)) throw unexpected(member, `the hex digits of a ${algorithm} digest`);
  return hex;
}

function parseLicense(place: JsonPlace): LicenseStatement {
  const [expression, path] = ["expression", "path"].map((member) => optionalStringAt(memberAt(place, member)));
  return { text: stringAt(memberAt(place, "text")), ...present({ expression, path }) };
}

function parseDependencies(place: JsonPlace): PackageDependencies {
  const unmet = memberAt(place, "unmet");
  return {
    packageIds: itemsAt(memberAt(place, "package_ids")).map(stringAt),
    unmet: isAbsent(unmet) ? undefined : itemsAt(unmet).map(stringAt),
    isPartial: memberAt(place, "is_partial").value === true || undefined,
  };
}
