import { withoutUndefined } from "@plimsoll/core/internal";
import { importMirror, importNotifications, importState } from "./import-behaviour.ts";
import { type ImportedRepository, importPermissions } from "./import-permissions.ts";
import { importGate, importIgnoreRules, importImmutability } from "./import-protections.ts";
import { importPrunePolicies } from "./import-rules.ts";
import { attempt, type Importing, importItem } from "./importing.ts";
import { type ItemOf, NotImported, pathOf, read, readAll } from "./management-api.ts";
import { lists, Repository } from "./shapes.ts";

/** A repository of the source. */
interface SourceRepository {
  readonly organization: string;
  readonly name: string;
  readonly kind: string;
}

/** Imports a repository. What protects it from changes comes last. */
export async function importRepository(importing: Importing, { organization, name, kind }: SourceRepository) {
  const { source, target, report, username } = importing;
  const repository = `${organization}/${name}`;
  const path = pathOf`/repository/${repository}`;
  const seen: { state?: string } = {};
  const isHere = await attempt(report, { kind: "repository", name: repository }, async () => {
    if (kind !== "image") throw new NotImported(`is of the kind ${kind}: expected images`);
    const there = await read(source, `${path}?includeTags=false`, Repository);
    if (there === undefined) throw new NotImported("is not there any more, or the token does not show it");
    seen.state = there.state ?? "NORMAL";
    await importItem(importing, {
      ...{ kind: "repository", name: repository },
      compare: async () => ((await target.get(`${path}?includeTags=false`)) === undefined ? "missing" : undefined),
      async create() {
        const visibility = there.is_public ? "public" : "private";
        const description = there.description ?? "";
        await target.send("POST", "/repository", {
          namespace: organization,
          repository: name,
          visibility,
          description,
        });
        await target.send("DELETE", `${path}/permissions/user/${encodeURIComponent(username)}`);
      },
    });
  });
  if (!isHere) return;
  await importPermissions(importing, { path, repository });
  await importImages(importing, { path, organization, name });
  await importNotifications(importing, `${path}/notification/`, repository);
  await importPrunePolicies(importing, `${path}/autoprunepolicy/`, repository);
  await importMirror(importing, { path, repository });
  await importImmutability(importing, path, repository);
  await importIgnoreRules(importing, path, repository);
  await importGate(importing, path, repository);
  await importState(importing, { path, repository, state: seen.state ?? "NORMAL" });
}

/** A repository and its path in the API. */
interface ImageRepository {
  readonly path: string;
  readonly organization: string;
  readonly name: string;
}

type Tag = ItemOf<typeof lists.tags>;

/** How long copying one tag may take: enough for a large image over a slow connection. */
const tagTimeoutMs = 6 * 3_600_000;

/** Imports the tags of a repository with their images, referrers, labels and expiration. */
async function importImages(importing: Importing, repository: ImageRepository): Promise<void> {
  const full = `${repository.organization}/${repository.name}`;
  await attempt(importing.report, { kind: "tag", name: full }, async () => {
    const there = await tagsOf(importing.source, repository.path);
    const here = await tagsOf(importing.target, repository.path);
    const isSame = ({ name, manifest_digest }: Tag) => here.get(name)?.manifest_digest === manifest_digest;
    for (const tag of there.values()) reportKnown(importing, full, { tag, here: here.get(tag.name) });
    const wanted = [...there.values()].filter((tag) => importing.movesTags || isSame(tag) || !here.has(tag.name));
    const failed = await copyTags(importing, repository, { there, here, wanted });
    const taken = wanted.filter(({ name }) => !failed.has(name));
    for (const tag of taken) await copyTagSettings(importing, repository, tag);
    const digests = new Set(taken.map(({ manifest_digest }) => manifest_digest));
    for (const digest of digests) await importLabels(importing, { path: repository.path, repository: full, digest });
  });
}

async function tagsOf(api: Importing["source"], path: string): Promise<ReadonlyMap<string, Tag>> {
  const tags = new Map<string, Tag>();
  for await (const tag of readAll(api, `${path}/tag/?onlyActiveTags=true&limit=100`, lists.tags))
    tags.set(tag.name, tag);
  return tags;
}

function reportKnown(
  { report, movesTags }: Importing,
  repository: string,
  { tag, here }: { readonly tag: Tag; readonly here: Tag | undefined },
): void {
  if (here === undefined) return;
  const entry = { kind: "tag", name: `${repository}:${tag.name}` } as const;
  if (here.manifest_digest === tag.manifest_digest) report.add({ ...entry, outcome: "present" });
  else if (!movesTags)
    report.add({
      ...{ ...entry, outcome: "not taken" },
      note: `points to ${here.manifest_digest} here, and to ${tag.manifest_digest} there: --move-tags moves it`,
    });
}

interface TagsOfBoth {
  readonly there: ReadonlyMap<string, Tag>;
  readonly here: ReadonlyMap<string, Tag>;
  readonly wanted: readonly Tag[];
}

/** @returns the tags that could not be copied */
async function copyTags(
  { report, importTags, openSource, isDryRun, signal }: Importing,
  { organization, name: repository }: ImageRepository,
  { there, here, wanted }: TagsOfBoth,
): Promise<ReadonlySet<string>> {
  const entry = (tag: string) => ({ kind: "tag", name: `${organization}/${repository}:${tag}` }) as const;
  const isNew = ({ name, manifest_digest }: Tag) => here.get(name)?.manifest_digest !== manifest_digest;
  if (isDryRun) for (const tag of wanted.filter(isNew)) report.add({ ...entry(tag.name), outcome: "taken" });
  if (isDryRun || wanted.length === 0) return new Set();
  await using upstream = await openSource(`${organization}/${repository}`);
  const { failed } = await importTags({
    ...{ namespace: organization, repository, upstream, timeoutMs: tagTimeoutMs, signal },
    names: wanted.map(({ name }) => name),
    offered: new Set(there.keys()),
    async onTag(tag, failure) {
      if (failure === undefined) report.add({ ...entry(tag), outcome: "taken" });
      else report.add({ ...entry(tag), outcome: "not taken", note: failure });
    },
  });
  return new Set(failed);
}

/** Copies the expiration of a tag, and that it is immutable. */
async function copyTagSettings(importing: Importing, repository: ImageRepository, tag: Tag): Promise<void> {
  const { target, isDryRun } = importing;
  const { name, end_ts, immutable } = tag;
  if (isDryRun || (typeof end_ts !== "number" && !immutable)) return;
  const known = await findTag(importing, repository, name);
  const changes = withoutUndefined({
    expiration: typeof end_ts === "number" && typeof known?.end_ts !== "number" ? end_ts : undefined,
    immutable: immutable && !known?.immutable ? immutable : undefined,
  });
  if (known === undefined || known.immutable || Object.keys(changes).length === 0) return;
  await target.send("PUT", `${repository.path}/tag/${encodeURIComponent(name)}`, changes);
}

async function findTag({ target }: Importing, { path }: ImageRepository, name: string): Promise<Tag | undefined> {
  const list = `${path}/tag/?onlyActiveTags=true&specificTag=${encodeURIComponent(name)}`;
  for await (const tag of readAll(target, list, lists.tags)) return tag;
  return undefined;
}

/** Imports the labels that were added to an image. Those in its manifest are imported with the manifest. */
async function importLabels(
  importing: Importing,
  { path, repository, digest }: ImportedRepository & { readonly digest: string },
): Promise<void> {
  const { source, target, report } = importing;
  const list = `${path}/manifest/${digest}/labels`;
  await attempt(report, { kind: "label", name: `${repository}@${digest}` }, async () => {
    const here = new Set<string>();
    const keyOf = ({ key, value }: { readonly key: string; readonly value: string }) => JSON.stringify([key, value]);
    let isRead = false;
    for await (const label of readAll(source, list, lists.labels)) {
      const { key, value, media_type, source_type } = label;
      if (source_type !== "api" && source_type != null) continue;
      if (!isRead) for await (const each of readAll(target, list, lists.labels)) here.add(keyOf(each));
      isRead = true;
      await importItem(importing, {
        ...{ kind: "label", name: `${repository}@${digest}: ${key}=${value}` },
        compare: async () => (here.has(keyOf(label)) ? undefined : "missing"),
        create: () => target.send("POST", list, { key, value, media_type: media_type ?? null }),
      });
    }
  });
}
