import type { Digest } from "@plimsoll/core";
import { findStoredManifest } from "../content/queries/image-manifests.ts";
import { DistributionError } from "../distribution/distribution-error.ts";
import { readImageLabels } from "../distribution/image-labels.ts";
import { type ParsedManifest, parseManifest } from "../distribution/parse-manifest.ts";
import { putManifest } from "../distribution/put-manifest.ts";
import { tellingOfRefusal } from "../distribution/quota-gate.ts";
import type { IntakeRequest } from "../mirrors/image-intake.ts";
import type { UpstreamManifest } from "../ports.ts";
import { findUsageLimits, type UsageLimit } from "../quotas/usage-limits.ts";
import { bringBlob } from "./bring-blob.ts";
import type { IntakeContext } from "./intake-context.ts";

/** Indexes of indexes are followed so far. */
const maxDepth = 3;

/** Brings a manifest and all of its parts; those that are there stay. @returns its digest and those of the manifests below it */
export async function bringManifest(
  context: IntakeContext,
  request: IntakeRequest,
  depth = 0,
): Promise<readonly Digest[]> {
  const { store, settings } = context;
  const { repository, upstream, reference, signal } = request;
  if (depth > maxDepth)
    throw new DistributionError("MANIFEST_INVALID", `indexes are nested more than ${maxDepth} deep`);
  const fetched = await upstream.fetchManifest(reference, signal);
  const content = decodeUtf8(fetched);
  const manifest = parseManifest(content, fetched.mediaType || undefined, settings.maxManifestLayers);
  const below: Digest[] = [];
  for (const { digest } of manifest.children) {
    below.push(...(await bringChild(context, { ...request, reference: digest, tags: [] }, depth + 1)));
  }
  const limits = await findUsageLimits(store.db, settings, repository.namespace_id);
  for (const blob of partsOf(manifest)) await bringBlob(context, request, { ...blob, limits });
  signal.throwIfAborted();
  await put(context, request, { fetched, content, manifest, limits });
  return [fetched.digest, ...below];
}

/** A manifest that the repository has was brought with all of its parts. */
async function bringChild(context: IntakeContext, request: IntakeRequest, depth: number): Promise<readonly Digest[]> {
  const { repository, reference } = request;
  const known = await findStoredManifest(context.store.db, { repositoryId: repository.id, digest: reference });
  if (known === undefined || known.deleted_at !== null || known.is_index === 1)
    return bringManifest(context, request, depth);
  return [known.digest as Digest];
}

/** Its blobs, each once. */
function partsOf({
  config,
  layers,
}: ParsedManifest): readonly { readonly digest: Digest; readonly sizeBytes: number }[] {
  const parts = [...(config ? [config] : []), ...layers].map(({ digest, size }) => [digest, size] as const);
  return [...new Map(parts)].map(([digest, sizeBytes]) => ({ digest, sizeBytes }));
}

interface Fetched {
  readonly fetched: UpstreamManifest;
  readonly content: string;
  readonly manifest: ParsedManifest;
  readonly limits: readonly UsageLimit[];
}

async function put(
  { store, blobs, settings, ports }: IntakeContext,
  { repository, tags }: IntakeRequest,
  { fetched, content, manifest, limits }: Fetched,
): Promise<void> {
  const pushed = {
    ...{ repository, manifest, content, digest: fetched.digest, limits, tags, logged: [], now: ports.clock.now() },
    labels: await readImageLabels(blobs, manifest),
    isTold: settings.features.repositoryNotifications,
    isPruned: false, // at the next turn of the schedule
    headStartMs: settings.features.securityScanner ? 0 : undefined,
  };
  await tellingOfRefusal({ store, ports }, repository.namespace_id, () =>
    store.transaction(async (db) => {
      await putManifest({ db, settings, ports }, pushed);
    }),
  );
}

function decodeUtf8({ bytes, digest }: UpstreamManifest): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new DistributionError("MANIFEST_INVALID", `the manifest ${digest} is not UTF-8`, { cause });
  }
}
