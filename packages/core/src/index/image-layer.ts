import type { Digest } from "../model/digest.ts";
import type { LayerFindings } from "./layer-findings.ts";

/** One layer of an image, with its findings if it was read. */
export type ImageLayer =
  | { readonly status: "read"; readonly findings: LayerFindings }
  | { readonly status: "foreign"; readonly digest: Digest; readonly message: string };
