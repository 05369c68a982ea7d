import type { Digest } from "../model/digest.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** One layer of an image on its way into a report, base first. */
export type ImageLayer =
  | { readonly status: "read"; readonly findings: LayerFindings }
  | { readonly status: "foreign"; readonly digest: Digest; readonly message: string };
