import type { Wfn } from "../../model/cpe/wfn.ts";
import type { PackageUrl } from "../../model/purl.ts";

/** The tag of a product by its name in the catalog: `alpine-linux`. */
export function nameTag(name: string): string {
  return `product:${name}`;
}

/** The tag of a product by its package URL without version: `pkg:pypi/django`. */
export function purlTag({ type, namespace, name }: Pick<PackageUrl, "type" | "namespace" | "name">): string {
  return `pkg:${[type, namespace, name].filter((part) => part !== undefined && part !== "").join("/")}`;
}

/** The tag of a product by vendor and product of its CPE names: `cpe:python:python`. */
export function cpeTag({ vendor, product }: Pick<Wfn, "vendor" | "product">): string {
  return `cpe:${vendor}:${product}`;
}
