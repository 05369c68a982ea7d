import type { OsvPart } from "./known-distribution.ts";

const productPattern =
  /^Linux (Enterprise (?:Server|Module for .+|High Performance Computing)|(?:Enterprise )?Micro)(?: for SAP Applications)? (\d{1,4}(?:\.\d{1,4})?)(?: SP(\d{1,4}))?(?:-LTSS.*)?$/s;

/**
 * Reads products of SUSE as OSV and OVAL call them. SLES takes its packages from modules: those of `Module for Basesystem 15 SP5` are in
 * SLES 15.5. Micro is not called Enterprise from its release 6 on.
 */
export function suseKeyOf(did: "sle-micro" | "sles"): OsvPart["keyOf"] {
  return (suffix) => {
    const [, product, version, servicePack] = productPattern.exec(suffix) ?? [];
    if (product === undefined || product.endsWith("Micro") !== (did === "sle-micro")) return undefined;
    return `${did}:${version}${servicePack === undefined ? "" : `.${servicePack}`}`;
  };
}
