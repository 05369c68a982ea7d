import type { ImageRepository } from "@plimsoll/registry/access/queries";
import { listTags } from "@plimsoll/registry/content/queries/listed-tags";
import { getShownManifest, type ImageManifestRow } from "@plimsoll/registry/content/queries/manifest-content";
import { getReferencedManifest } from "@plimsoll/registry/content/stored-manifest";
import type { CallContext } from "@plimsoll/registry/context";
import { type AskingDeps, askElsewhere } from "@plimsoll/registry/security/ask-elsewhere";
import type { SecurityDeps } from "@plimsoll/registry/security/image-security";
import { decidePull, opinionsOf } from "@plimsoll/registry/security/pull-gate/decide-pull";
import { noteOf } from "@plimsoll/registry/security/pull-gate/describe-opinion";
import { findKind } from "@plimsoll/registry/security/pull-gate/find-kind";
import { type GatedImage, readGatedImage } from "@plimsoll/registry/security/pull-gate/gated-image";
import type { Standing } from "@plimsoll/registry/security/pull-gate/judge-documents";
import type { StatedDocument } from "@plimsoll/registry/security/stated-scan";

/** The verdict of the gates on one image, and the standing of each of its VEX documents. @throws RegistryError `not_found` */
export async function viewManifestGate(
  deps: AskingDeps,
  { repository, reference }: { readonly repository: ImageRepository; readonly reference: string },
  signal: AbortSignal,
) {
  const { db, now } = deps;
  const manifest = await getReferencedManifest(db, { repositoryId: repository.id, reference, now });
  if (manifest.is_index === 1 || (await findKind(deps, manifest)) === "artifact")
    return { opinions: [], documents: [] };
  const elsewhere = await askElsewhere(deps, { kind: "gate", repository, manifest }, signal);
  return elsewhere === undefined
    ? viewGateHere(deps, { repository, manifest }, signal)
    : (elsewhere.parse() as Awaited<ReturnType<typeof viewGateHere>>);
}

/** As {@link viewManifestGate}, about an image of any size in this thread. */
export async function viewGateHere(
  deps: SecurityDeps,
  { repository, manifest }: { readonly repository: ImageRepository; readonly manifest: ImageManifestRow },
  signal: AbortSignal,
) {
  const image = await readGatedImage(deps, { repository, manifest }, signal);
  const opinions = (await opinionsOf(repository, image, deps.now)).map(noteOf);
  return { opinions, documents: image.documents.flatMap((document) => documentView(image, document)) };
}

function documentView({ standings }: GatedImage, document: StatedDocument) {
  const found = standings.get(document);
  if (found === undefined) return [];
  const { digest, artifact } = document;
  const { organization, repository } = found;
  return [
    {
      ...{ document: digest, artifact: artifact.digest },
      organization: standingView(organization),
      repository: standingView(repository),
    },
  ];
}

function standingView(standing: Standing) {
  return standing.counts ? { counts: true, by: standing.by } : { counts: false, reason: standing.reason };
}

/** The verdicts of the gates on a page of the alive tags of a repository, the latest first. Pages are short, since each tag needs its report. */
export async function previewGate(
  context: CallContext,
  repository: ImageRepository,
  { page, limit }: { readonly page: number; readonly limit: number },
) {
  const { db, now, caller } = context;
  const repositoryId = repository.id;
  const rows = await listTags(db, { repositoryId, aliveAt: now, offset: (page - 1) * limit, limit: limit + 1 });
  const tags = [];
  for (const { name, digest } of rows.slice(0, limit)) {
    const manifest = await getShownManifest(db, { repositoryId, digest, now });
    const { opinions } = await decidePull(context, { repository, manifest }, caller.signal);
    const denying = opinions.filter(({ denies }) => denies);
    tags.push({
      name,
      manifest_digest: digest,
      would_deny: denying.length > 0,
      denied: denying.some(({ isEnforced }) => isEnforced),
      opinions: opinions.map(noteOf),
    });
  }
  return { tags, page, has_additional: rows.length > limit };
}
