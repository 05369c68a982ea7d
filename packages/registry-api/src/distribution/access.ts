import { isDigest, parseDigest } from "@plimsoll/core/digest";
import type { NoParams } from "@plimsoll/registry/access/access";
import { splitRepository } from "@plimsoll/registry/access/on-repository";
import { accountOf, type Principal } from "@plimsoll/registry/access/principal";
import { type AccountRow, findImageRepository, type ImageRepository } from "@plimsoll/registry/access/queries";
import type { CallContext } from "@plimsoll/registry/context";
import type { AdmittedPush, PushSubject } from "@plimsoll/registry/distribution/begin-push";
import { findPushTarget, type PushPlace, type PushTarget } from "@plimsoll/registry/distribution/queries";
import {
  findPushObstacle,
  type RepositoryAction,
  type RepositoryRights,
  rightsOn,
} from "@plimsoll/registry/distribution/repository-actions";
import { usageLimitsOf } from "@plimsoll/registry/organizations/quotas/usage-limits";
import type { PulledObject } from "@plimsoll/registry/push/pull-through";
import { parseReference } from "@plimsoll/registry/push/reference";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { isRepositoryPath } from "@plimsoll/registry/values/names";
import type { DescribedAccess } from "../access/public-access.ts";
import type { Distribution, Exchange, OfDigest, OfName, OfReference, OfUpload } from "./distribution.ts";
import { DistributionError } from "./distribution-error.ts";

/** The blob that a request wants to mount, and the repository that has it. */
interface MountSource {
  readonly mount?: string;
  readonly from?: string;
}

/** The parts of a request of the protocol that its admission needs. */
export interface DistributionAdmission<Named = NoParams>
  extends Pick<Distribution, "registry" | "auth" | "pullThrough"> {
  readonly caller: Exchange["caller"];
  /** Whether the request has credentials; an anonymous token counts as well. */
  readonly hasCredentials: boolean;
  /** Of an operation that can mount a blob, where from. */
  readonly query: MountSource;
  readonly params: Named;
  readonly ip: string;
  /** Epoch milliseconds of the request. */
  readonly now: number;
}

/** The callers that an operation of the protocol admits. Others get a challenge for a token with the missing scope. */
export interface DistributionAccess<Subject, Named = NoParams>
  extends DescribedAccess<Subject, DistributionAdmission<Named>> {
  /** The repository and upload that the admission needs, so that one query can find them together with the caller. */
  placeOf?(params: Named): PushPlace;
}

/** Callers with credentials or an anonymous token. @param scope the scope in the challenge for other callers */
export function withCredentials(scope?: string): DistributionAccess<undefined> {
  return {
    who: "callers with credentials or an anonymous token",
    anonymous: false,
    scope,
    async admit({ hasCredentials, auth }) {
      if (!hasCredentials) throw unauthorized("authentication required", auth.challenge(scope));
      return undefined;
    },
  };
}

const who = {
  pull: "read on the repository; superuser with full access; read-only superuser; everyone, if the repository is public; members of its organization, if that is a cache of another registry",
  push: "write on the repository; superuser with full access",
} as const;

/** Callers who may pull from the repository; a public one needs no credentials. */
export const onPull: DistributionAccess<ImageRepository, OfName> = onExisting("pull");

/**
 * As {@link onPull}. In an organization that is a cache of another registry, a missing repository is created when a member pulls an image
 * that the other registry has.
 */
export const onPullManifest: DistributionAccess<ImageRepository, OfReference> = onCachedPull(({ reference: text }) => {
  const reference = parseReference(text);
  return reference && { kind: "manifest", reference };
});

/** As {@link onPullManifest}, for blobs. */
export const onPullBlob: DistributionAccess<ImageRepository, OfDigest> = onCachedPull(({ digest }) =>
  isDigest(digest) ? { kind: "blob", digest: parseDigest(digest) } : undefined,
);

/** @param objectOf what a request pulls; undefined if it is malformed */
function onCachedPull<Named extends OfName>(
  objectOf: (params: Named) => PulledObject | undefined,
): DistributionAccess<ImageRepository, Named> {
  return {
    who: who.pull,
    anonymous: false,
    placeOf: ({ name }) => placeOf(name),
    async admit(admission) {
      const { repository, cachedIn } = await rightsOf(admission, "pull");
      return repository ?? createPulled(admission, cachedIn, objectOf(admission.params));
    },
  };
}

/**
 * Creates the repository of a pull in a cache, if the other registry has the pulled object.
 * @param namespace the cache, if the caller may create repositories in it; undefined for others
 * @throws DistributionError `NAME_UNKNOWN`
 */
async function createPulled(
  admission: DistributionAdmission<OfName>,
  namespace: AccountRow | undefined,
  object: PulledObject | undefined,
): Promise<ImageRepository> {
  const { caller, params, pullThrough, ip, now } = admission;
  const { principal } = caller;
  const creator = accountOf(principal);
  const isWanted = namespace !== undefined && creator !== undefined && object !== undefined;
  const { name } = splitRepository(params.name);
  const created = isWanted
    ? await pullThrough?.createRepository({ namespace, name, object, creator, principal, ip, now })
    : undefined;
  const found = created && (await findImageRepository(admission.registry.store.db, created.namespace, created.name));
  if (found === undefined) throw unknownName(admission);
  return found;
}

/**
 * As {@link onPullManifest}: a list of referrers is of an image. The subject is undefined for a repository that a push of the caller would
 * create.
 */
export const onListReferrers: DistributionAccess<ImageRepository | undefined, OfDigest> = {
  who: who.pull,
  anonymous: false,
  placeOf: ({ name }) => placeOf(name),
  async admit(admission) {
    const { repository, cachedIn } = await rightsOf(admission, "pull");
    if (repository !== undefined || cachedIn === undefined) return repository;
    const { digest: text } = admission.params;
    const reference = isDigest(text) ? ({ kind: "digest", digest: parseDigest(text) } as const) : undefined;
    return createPulled(admission, cachedIn, reference && { kind: "manifest", reference });
  },
};

/** Callers who may change the content of the repository. */
export const onChange: DistributionAccess<ImageRepository, OfName> = onExisting("push");

/** Callers who may push to the repository, or create it. */
export const onPush: DistributionAccess<PushSubject, OfName> = {
  who: `${who.push}; creator in the namespace, where the repository is missing`,
  anonymous: false,
  placeOf: ({ name }) => placeOf(name),
  async admit(admission) {
    const { repository, creatableIn: namespace, ...found } = await rightsOf(admission, "push");
    refuseCached(admission, repository?.cacheOf ?? found.cacheOf);
    if (repository !== undefined) return { kind: "existing", ...pushTo(admission, repository, found) };
    const creator = accountOf(admission.caller.principal);
    if (namespace === undefined || creator === undefined) throw unknownName(admission);
    return { kind: "missing", namespace, name: placeOf(admission.params.name).name, creator };
  },
};

/** Callers who may push to the repository, which must exist. */
export const onUpload: DistributionAccess<AdmittedPush, OfUpload> = {
  who: who.push,
  anonymous: false,
  placeOf: ({ name, upload }) => placeOf(name, upload),
  async admit(admission) {
    const { repository, ...found } = await rightsOf(admission, "push", admission.params.upload);
    if (repository === undefined) throw unknownName(admission);
    refuseCached(admission, repository.cacheOf);
    return pushTo(admission, repository, found);
  },
};

function onExisting(action: "pull" | "push"): DistributionAccess<ImageRepository, OfName> {
  return {
    who: who[action],
    anonymous: false,
    placeOf: ({ name }) => placeOf(name),
    async admit(admission) {
      const { repository } = await rightsOf(admission, action);
      if (repository === undefined) throw unknownName(admission);
      return repository;
    },
  };
}

/** Refuses pushes to a cache: its images come only from pulls. @throws DistributionError `DENIED` */
function refuseCached({ registry, params }: DistributionAdmission<OfName>, cacheOf: string | null | undefined): void {
  if (!registry.settings.features.proxyCache || cacheOf === undefined || cacheOf === null) return;
  const { namespace } = splitRepository(params.name);
  const message = `the organization ${namespace} is a cache of ${cacheOf}: images come into it when they are pulled, and it does not accept pushes`;
  throw new DistributionError("DENIED", message);
}

function pushTo(
  { registry: { settings } }: DistributionAdmission<OfName>,
  repository: ImageRepository,
  { quota, hasUpload = false }: Partial<PushTarget>,
): AdmittedPush {
  return { repository, limits: usageLimitsOf(settings, quota), hasUpload };
}

/** The repository and the caller's rights. @throws DistributionError `NAME_INVALID`, `UNAUTHORIZED` for a caller without the right */
async function rightsOf(
  { registry, auth, caller, hasCredentials, query, params }: DistributionAdmission<OfName>,
  action: RepositoryAction,
  upload = "",
): Promise<RepositoryRights & Partial<PushTarget>> {
  const { settings, store } = registry;
  const path = params.name;
  if (!isRepositoryPath(path)) throw new DistributionError("NAME_INVALID", "the repository's name is not valid");
  const found = caller.place ? caller.place.target : await findNamed(store.db, { path, action, uploadId: upload });
  const rights = await rightsOn({ db: store.db, settings }, caller.principal, { path, repository: found?.repository });
  if (rights.actions.has(action) && caller.allows(canonicalPath(path), action))
    return { ...found, ...rights, repository: rights.repository ?? found?.repository };
  await refuseClosed({ db: store.db, settings }, caller.principal, { action, repository: rights.repository });
  const scope =
    action === "push" ? `repository:${path}:pull,push${sourceScope(query)}` : `repository:${path}:${action}`;
  const challenge = auth.challenge(scope, hasCredentials ? "insufficient_scope" : undefined);
  throw unauthorized("access to the requested resource is not authorized", challenge);
}

/** Tells a caller who may write to a repository why it takes no pushes: a new token would not help. @throws DistributionError `DENIED` */
async function refuseClosed(
  context: Pick<CallContext, "db" | "settings">,
  principal: Principal,
  { action, repository }: { readonly action: RepositoryAction; readonly repository: ImageRepository | undefined },
): Promise<void> {
  if (action !== "push" || repository === undefined) return;
  const obstacle = await findPushObstacle(context, principal, repository);
  if (obstacle !== undefined) throw new DistributionError("DENIED", obstacle);
}

/** The scope for the source repository of a mount, so that a client without credentials requests both scopes at once. */
function sourceScope({ mount, from }: MountSource): string {
  const hasSource = mount !== undefined && from !== undefined && isRepositoryPath(from);
  return hasSource ? ` repository:${from}:pull` : "";
}

interface NamedAction {
  readonly path: string;
  readonly action: RepositoryAction;
  readonly uploadId: string;
}

async function findNamed(
  db: RegistryDb,
  { path, action, uploadId }: NamedAction,
): Promise<Partial<PushTarget> | undefined> {
  const place = placeOf(path, uploadId);
  if (action === "push") return findPushTarget(db, place);
  const repository = await findImageRepository(db, place.namespace, place.name);
  return repository && { repository };
}

function placeOf(path: string, uploadId = ""): PushPlace {
  return { ...splitRepository(path), uploadId };
}

/** The path of a repository with its namespace, which clients may leave out. */
export function canonicalPath(path: string): string {
  const { namespace, name } = splitRepository(path);
  return `${namespace}/${name}`;
}

function unauthorized(message: string, challenge: string): DistributionError {
  return new DistributionError("UNAUTHORIZED", message, { headers: { "www-authenticate": challenge } });
}

function unknownName({ params }: DistributionAdmission<OfName>): DistributionError {
  return new DistributionError("NAME_UNKNOWN", "repository name not known to registry", {
    detail: { name: params.name },
  });
}
