import { keyByVersion } from "./shared/keys.ts";
import type { KnownDistribution } from "./shared/known-distribution.ts";

/** SUSE Linux Enterprise Server for SAP Applications: SLES with additions. */
export const slesSap: KnownDistribution = {
  did: "sles_sap",
  packaging: "rpm",
  advisoryKey: keyByVersion("sles", "full"),
};
