import type { ImageRepository } from "../../access/queries.ts";
import { listTags } from "../../content/queries/listed-tags.ts";
import { getShownManifest } from "../../content/queries/manifest-content.ts";
import type { CallContext } from "../../context.ts";
import { decidePull } from "./decide-pull.ts";
import { noteOf } from "./describe-opinion.ts";

/** The verdicts of the gates on a page of the alive tags of a repository, the latest first. Pages are short, since each tag needs its report. */
export async function previewGate(
  context: CallContext,
  repository: ImageRepository,
  { page, limit }: { readonly page: number; readonly limit: number },
) {
  const { db, now, request } = context;
  const repositoryId = repository.id;
  const rows = await listTags(db, { repositoryId, aliveAt: now, offset: (page - 1) * limit, limit: limit + 1 });
  const tags = [];
  for (const { name, digest } of rows.slice(0, limit)) {
    const manifest = await getShownManifest(db, { repositoryId, digest, now });
    const { opinions } = await decidePull(context, { repository, manifest }, request.signal);
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
