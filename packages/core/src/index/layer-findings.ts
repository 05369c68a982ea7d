import type { LayerShape } from "../layer/layer-contents.ts";
import type { Digest } from "../model/digest.ts";
import type { Finding } from "../plugins/finding.ts";

/**
 * Everything an engine has found in one layer. It is stored per layer digest and engine state, so that a shared layer is read once.
 */
export interface LayerFindings {
  readonly digest: Digest;
  /** Of the uncompressed bytes, where they were hashed. */
  readonly diffId?: Digest;
  /** By detector name, in the order found. Detectors that found nothing are left out. @internal */
  readonly findings: Readonly<Record<string, readonly Finding[]>>;
  /** @internal */
  readonly shape: LayerShape;
  /** @internal */
  readonly entries: number;
  readonly uncompressedBytes: number;
}

/** One layer of an image, with its findings if it was read. */
export type ImageLayer =
  | { readonly status: "read"; readonly findings: LayerFindings }
  | { readonly status: "foreign"; readonly digest: Digest; readonly message: string };
