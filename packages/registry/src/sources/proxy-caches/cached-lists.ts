import { ScanError } from "@plimsoll/core";
import type { Digest } from "@plimsoll/core/digest";
import { ifWritable } from "@plimsoll/store";
import { findImageRepository, type ImageRepository, lockNamespace } from "../../access/queries.ts";
import { findStoredManifest } from "../../content/queries/manifest-content.ts";
import type { UpstreamReferrer } from "../../ports/upstreams.ts";
import type { NewCachedRepository } from "../../push/pull-through.ts";
import { createRepository } from "../../repositories/new-repository.ts";
import { writeUsageLog } from "../../store/usage-log.ts";
import type { ProxyDeps } from "./proxy-deps.ts";
import { findArriving } from "./queries/arriving.ts";
import { findReferrersText, putReferrersText } from "./queries/proxy-caches.ts";
import { scopeOf } from "./upstream-pauses.ts";

/** The referrers of a manifest; undefined if the other registry does not list referrers. */
type CachedReferrers = readonly UpstreamReferrer[] | undefined;

/** A manifest whose referrers are requested. */
interface Subject {
  readonly repository: ImageRepository;
  readonly digest: Digest;
}

/** The longest list that is kept, in characters. A longer one is only available while the other registry is. */
const maxKept = 262_144;

/**
 * The referrers of a manifest at the other registry. While that fails, the last list, if the repository has the manifest.
 * @param ask requests them
 * @throws ScanError of the request, if there is no such list
 */
export async function cachedReferrers(
  context: Pick<ProxyDeps, "store">,
  subject: Subject,
  ask: () => Promise<CachedReferrers>,
): Promise<CachedReferrers> {
  const { db } = context.store;
  const at = { repositoryId: subject.repository.id, digest: subject.digest };
  try {
    const found = await ask();
    await keep(context, at, JSON.stringify(found ?? null));
    return found;
  } catch (error) {
    const mayBeStale = error instanceof ScanError && scopeOf(error) !== "request";
    const kept = mayBeStale ? await findReferrersText(db, at) : undefined;
    if (kept === undefined) throw error;
    return (JSON.parse(kept) as readonly UpstreamReferrer[] | null) ?? undefined;
  }
}

/** Keeps a list that has changed. Only a manifest of the repository has one, so that the number of lists is bounded by the quota. */
async function keep(
  { store }: Pick<ProxyDeps, "store">,
  at: { readonly repositoryId: string; readonly digest: Digest },
  text: string,
): Promise<void> {
  const { db } = store;
  if (text.length > maxKept || (await findReferrersText(db, at)) === text) return;
  if ((await findStoredManifest(db, at)) === undefined && (await findArriving(db, at)) === undefined) return;
  await ifWritable(() => putReferrersText(db, at, text));
}

/** Creates a repository of a cache. Its creator gets the role `read`. Two pulls at the same time create one repository. */
export async function createCachedRepository(
  { store, settings }: Pick<ProxyDeps, "store" | "settings">,
  { namespace, name, creator, principal, ip, now }: NewCachedRepository,
): Promise<ImageRepository | undefined> {
  await store.transaction(async (db) => {
    await lockNamespace(db, namespace.id);
    if ((await findImageRepository(db, namespace.username, name)) !== undefined) return;
    const visibility = settings.createPrivateRepositoryOnPush ? "private" : "public";
    const wanted = {
      namespace,
      name,
      visibility,
      creator,
      creatorRole: "read",
      mosts: settings.keptLimits,
      now,
    } as const;
    const { id: repositoryId } = await createRepository(db, wanted);
    const metadata = { repo: name, namespace: namespace.username };
    const entry = { kind: "create_repo", metadata, namespaceId: namespace.id, repositoryId } as const;
    await writeUsageLog(db, { ...entry, principal, ip, at: now });
  });
  return findImageRepository(store.db, namespace.username, name);
}
