import type { Wfn } from "../../model/cpe/wfn.ts";
import type { PackageUrl } from "../../model/purl.ts";

/** What a product is looked up by: its name in the catalog, `alpine-linux`. */
export function nameTag(name: string): string {
  return `product:${name}`;
}

/** What a product is looked up by: the package URL of all its versions, `pkg:pypi/django`. */
export function purlTag({ type, namespace, name }: Pick<PackageUrl, "type" | "namespace" | "name">): string {
  return `pkg:${[type, namespace, name].filter((part) => part !== undefined && part !== "").join("/")}`;
}

/** What a product is looked up by: vendor and product of its CPE names, `cpe:python:python`. */
export function cpeTag({ vendor, product }: Pick<Wfn, "vendor" | "product">): string {
  return `cpe:${vendor}:${product}`;
}
