import { rpmVersions } from "../../ecosystems/rpm/version.ts";
import { ScanError } from "../../errors.ts";
import { parsePurl } from "../../model/purl.ts";
import type { RpmComponent } from "./component.ts";
import type { ProductComponent } from "./product-tree.ts";

/** A container in a document, named by its repository: `openshift4/ose-console-rhel9`. */
export interface ContainerComponent extends Pick<RpmComponent, "name" | "kind" | "evr"> {
  readonly isContainer: true;
}

/**
 * The container of a component: `pkg:oci/NAME@DIGEST?repository_url=HOST/PATH&tag=VERSION`. Undefined for other components. The builds of all
 * architectures have the same tag.
 * @see https://redhatproductsecurity.github.io/security-data-guidelines/purl/#identifying-container-images
 */
export function containerComponent({ purl = "" }: ProductComponent): ContainerComponent | undefined {
  if (!purl.startsWith("pkg:oci/")) return undefined;
  const { repository_url: url = "", tag } = qualifiersOf(purl);
  const name = url.replace(/^[a-z]+:\/\//, "").replace(/^[^/]*\//, "");
  if (!/^[a-z0-9._-]+(?:\/[a-z0-9._-]+)*$/.test(name)) return undefined;
  return { name, kind: "BINARY", isContainer: true, evr: tag };
}

function qualifiersOf(purl: string): Readonly<Record<string, string>> {
  try {
    return parsePurl(purl).qualifiers;
  } catch (error) {
    if (error instanceof ScanError) return {};
    throw error;
  }
}

/** A row with the version of a fix. */
interface FixRow {
  readonly name: string;
  readonly evr?: string;
  readonly isContainer?: true;
}

/**
 * Adds the version from which on a fix of a container applies. A product is maintained in several minor releases, each with its own fix. The fix of
 * the oldest applies to all earlier versions too.
 */
export function withMinorReleases<Row extends FixRow>(
  rows: readonly Row[],
): readonly (Row & { readonly introduced?: string })[] {
  const oldest = new Map<string, string>();
  for (const { name, evr, isContainer } of rows) {
    const minor = isContainer === true ? minorOf(evr) : undefined;
    const known = oldest.get(name);
    if (minor !== undefined && (known === undefined || compare(minor, known) < 0)) oldest.set(name, minor);
  }
  return rows.map((row) => {
    const minor = row.isContainer === true ? minorOf(row.evr) : undefined;
    return minor === undefined || minor === oldest.get(row.name) ? row : { ...row, introduced: minor };
  });
}

/** `v4.16` of `v4.16.0-202409181705.p0`; undefined for a version that has no minor release: `1-25`. */
function minorOf(evr: string | undefined): string | undefined {
  return /^v?\d+\.\d+(?=[.-])/.exec(evr ?? "")?.[0];
}

function compare(a: string, b: string): number {
  return rpmVersions.compare(rpmVersions.parse(a), rpmVersions.parse(b));
}
