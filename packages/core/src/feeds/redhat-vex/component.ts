import { ScanError } from "../../errors.ts";
import type { PackageKind } from "../../model/package.ts";
import { type PackageUrl, parsePurl } from "../../model/purl.ts";
import type { ProductComponent } from "./product-tree.ts";

/** An rpm package in a document. */
export interface RpmComponent {
  readonly name: string;
  readonly kind: PackageKind;
  /** `[epoch:]version-release`; absent for all versions. */
  readonly evr?: string;
  readonly arch?: string;
  /** `name:stream` */
  readonly module?: string;
}

/**
 * The rpm package of a component. Undefined for other components (container images, Java archives), for packages of other vendors, and for Flatpak
 * builds, which have a module without a stream. Documents from before 2024 have no package URLs: their components of Red Hat Enterprise Linux are
 * names of source packages.
 */
export function rpmComponent(component: ProductComponent): RpmComponent | undefined {
  if (component.purl === undefined) return namedComponent(component);
  const purl = findPurl(component.purl);
  if (purl?.type !== "rpm" || purl.namespace !== "redhat") return undefined;
  const { arch, epoch, rpmmod } = purl.qualifiers;
  const module = moduleOf(component.modulePurl, rpmmod);
  if (module === "") return undefined;
  const isSource = arch === "src" || arch === "nosrc";
  return {
    name: purl.name,
    kind: isSource ? "SOURCE" : "BINARY",
    evr: purl.version === undefined ? undefined : evrOf(purl.version, epoch),
    arch: arch !== undefined && !isSource ? arch : undefined,
    module,
  };
}

/** `vim`, `nodejs:16/nodejs` */
function namedComponent({ id, cpe }: ProductComponent): RpmComponent | undefined {
  if (!cpe.startsWith("cpe:/o:redhat:enterprise_linux:")) return undefined;
  const [, module, name] = /^(?:([\w.+-]+:[\w.+-]+)\/)?([\w.+-]+)$/.exec(id) ?? [];
  return name === undefined ? undefined : { name, kind: "SOURCE", module };
}

/** The module's name and stream; empty where it has no stream. */
function moduleOf(modulePurl: string | undefined, qualifier: string | undefined): string | undefined {
  const outer = modulePurl === undefined ? undefined : findPurl(modulePurl);
  const text = qualifier ?? (outer && `${outer.name}:${outer.version ?? ""}`);
  if (text === undefined) return undefined;
  const [name = "", stream = ""] = text.split(":");
  return name === "" || stream === "" ? "" : `${name}:${stream}`;
}

function evrOf(version: string, epoch: string | undefined): string {
  return epoch === undefined || epoch === "0" ? version : `${epoch}:${version}`;
}

/** The form of nearly all package URLs, without encoded characters. A fast path, since the feed has millions. */
const plainPurl = /^pkg:rpm\/redhat\/([a-z0-9._-]+)(?:@([^?#%@]+))?(?:\?([a-z]+=[^?#%&]+(?:&[a-z]+=[^?#%&]+)*))?$/;

type PurlParts = Pick<PackageUrl, "type" | "name" | "namespace" | "version" | "qualifiers">;

function findPurl(text: string): PurlParts | undefined {
  const [, name, version, qualifiers = ""] = plainPurl.exec(text) ?? [];
  if (name === undefined) return parsedPurl(text);
  const pairs = qualifiers === "" ? [] : qualifiers.split("&").map((pair) => pair.split("=", 2) as [string, string]);
  return {
    type: "rpm",
    namespace: "redhat",
    name,
    version,
    qualifiers: Object.fromEntries(pairs),
  };
}

function parsedPurl(text: string): PurlParts | undefined {
  try {
    return parsePurl(text);
  } catch (error) {
    if (error instanceof ScanError) return undefined;
    throw error;
  }
}
