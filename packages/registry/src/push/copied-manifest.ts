import type { Digest } from "@plimsoll/core/digest";
import type { ImageRepository } from "../access/queries.ts";
import { ContentError } from "../content-error.ts";
import type { UsageLimit } from "../organizations/quotas/usage-limits.ts";
import type { UpstreamManifest } from "../ports/upstreams.ts";
import type { RegistrySettings } from "../settings.ts";
import type { IntakeDeps } from "./intake-port.ts";
import { type ParsedManifest, parseManifest, readImageFacts } from "./parse-manifest.ts";
import type { PushedManifest } from "./pushed-manifest.ts";

/** A manifest of another registry that is copied to a repository. */
export interface CopiedManifest {
  readonly repository: ImageRepository;
  readonly digest: Digest;
  readonly content: string;
  readonly manifest: ParsedManifest;
  readonly limits: readonly UsageLimit[];
}

/** The text of a manifest, and its parsed form. @throws ContentError `manifest_invalid` */
export function readFetched(
  fetched: UpstreamManifest,
  { maxManifestLayers }: Pick<RegistrySettings, "maxManifestLayers">,
): Pick<CopiedManifest, "content" | "manifest"> {
  const content = decodeUtf8(fetched);
  return { content, manifest: parseManifest(content, fetched.mediaType || undefined, maxManifestLayers) };
}

/** The blobs of a manifest, without duplicates. */
export function partsOf({
  config,
  layers,
}: ParsedManifest): readonly { readonly digest: Digest; readonly sizeBytes: number }[] {
  const parts = [...(config ? [config] : []), ...layers].map(({ digest, size }) => [digest, size] as const);
  return [...new Map(parts)].map(([digest, sizeBytes]) => ({ digest, sizeBytes }));
}

/** The manifest as a push without tags and without events. The repository must have its blobs. */
export async function pushedOf(
  { blobs, settings, clock }: Pick<IntakeDeps, "blobs" | "settings" | "clock">,
  brought: CopiedManifest,
): Promise<PushedManifest> {
  return {
    ...brought,
    ...{ tags: [], logged: [], emitsEvents: false, now: clock.now() },
    mayBePruned: false, // the schedule prunes the repository later
    ...(await readImageFacts(blobs, brought.manifest)),
    headStartMs: settings.features.securityScanner ? 0 : undefined,
  };
}

function decodeUtf8({ bytes, digest }: UpstreamManifest): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ContentError("manifest_invalid", `the manifest ${digest} is not UTF-8`, { cause });
  }
}
