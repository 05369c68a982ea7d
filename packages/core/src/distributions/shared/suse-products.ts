import type { OsvPart } from "./known-distribution.ts";

const productPattern =
  /^Linux (Enterprise (?:Server|Module for .+|High Performance Computing)|(?:Enterprise )?Micro)(?: for SAP Applications)? (\d{1,4}(?:\.\d{1,4})?)(?: SP(\d{1,4}))?(?:-LTSS.*)?$/s;

/**
 * Finds the advisory key of a SUSE product by its name in OSV and OVAL. SLES installs packages of modules: those of
 * `Module for Basesystem 15 SP5` belong to SLES 15.5. From release 6 on, the name of Micro has no `Enterprise`.
 */
export function suseKeyOf(did: "sle-micro" | "sles"): OsvPart["keyOf"] {
  return (suffix) => {
    const [, product, version, servicePack] = productPattern.exec(suffix) ?? [];
    if (product === undefined || product.endsWith("Micro") !== (did === "sle-micro")) return undefined;
    return `${did}:${version}${servicePack === undefined ? "" : `.${servicePack}`}`;
  };
}
