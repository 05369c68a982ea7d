import type { KeyObject } from "node:crypto";
import type { Digest } from "@plimsoll/core/digest";
import { findSigner } from "../../content/signatures/find-signer.ts";
import type { UpstreamRepository } from "../../ports/upstreams.ts";
import { IntakeRefused } from "../../push/intake-port.ts";

/** An image of another registry whose signature is checked. */
export interface CheckedImage {
  readonly upstream: UpstreamRepository;
  /** The digest of the manifest or index to which a tag points. */
  readonly digest: Digest;
  /** One of them must have signed. */
  readonly keys: readonly KeyObject[];
  readonly signal: AbortSignal;
}

/** Checks that one of the keys has signed an image. @throws IntakeRefused if none has; ScanError if the other registry fails */
export async function checkSignature({ upstream: source, digest, keys, signal }: CheckedImage): Promise<void> {
  if ((await findSigner({ source, digest, keys, signal })) !== undefined) return;
  throw new IntakeRefused("no key of the setting mirrorSignatureKeys has signed the image");
}
