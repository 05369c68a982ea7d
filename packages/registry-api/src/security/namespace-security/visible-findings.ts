import { compareSeverity } from "@plimsoll/core/severity";
import { accountOf } from "@plimsoll/registry/access/principal";
import type { CallContext } from "@plimsoll/registry/context";
import { RegistryError } from "@plimsoll/registry/errors";
import { listPages, type OrderBy, readOrder } from "@plimsoll/registry/lists/list-pages";
import { formatPageToken, parsePageToken } from "@plimsoll/registry/lists/page-tokens";
import type { FoundImages, ImageScanner, ImagesQuestion } from "@plimsoll/registry/ports/scanning";
import { repositoryViewer } from "@plimsoll/registry/repositories/queries/visible-repositories";
import type { SecurityDeps } from "@plimsoll/registry/security/image-security";
import { FirstOf } from "@plimsoll/registry/security/namespace-security/first-of";
import {
  type ImageWithNews,
  type ImageWithVulnerability,
  listGranted,
  listImagesWith,
  listImagesWithNews,
  listNewVulnerabilities,
  listSeenImages,
  listTagsOfImages,
  type NewVulnerability,
  type PlacedRepository,
  type ShownImage,
} from "@plimsoll/registry/security/namespace-security/queries";
import {
  describeInImages,
  listVulnerabilityNames,
  worseOf,
} from "@plimsoll/registry/security/namespace-security/vulnerability-details";
import { readByKeys, readPages } from "@plimsoll/registry/store/bounded-reads";
import { formatIsoSeconds } from "@plimsoll/registry/values/dates";
import { imageSeverities } from "../../content/views.ts";

const hourMs = 3_600_000;

/** How many new vulnerabilities of an image are named at most. */
const mostNamed = 5;

/** Which page of a list. */
export interface Page {
  readonly page: number;
  readonly limit: number;
}

type PlacedNews = ImageWithNews & Pick<PlacedRepository, "namespace"> & { readonly repository: string };

/**
 * Images in which vulnerabilities were found within the last hours, the latest first, in repositories that the caller may read by a permission and not
 * merely because they are public.
 */
export async function viewNews(context: CallContext, { hours, page, limit }: Page & { readonly hours: number }) {
  const since = context.now - hours * hourMs;
  const latest = new FirstOf<PlacedNews>(page * limit + 1, (one, other) => (other.news_at ?? 0) - (one.news_at ?? 0));
  for await (const images of readNews(context, since)) for (const image of images) latest.add(image);
  const rows = latest.sorted().slice((page - 1) * limit);
  const placed = await placesOf(context, rows.slice(0, limit));
  const images = [];
  for (const row of rows.slice(0, limit)) {
    const found = await listNewVulnerabilities(context.db, { manifestId: row.id, since });
    const severities = imageSeverities(row);
    images.push({ ...placed(row), found: formatIsoSeconds(row.news_at ?? since), ...summary(found), severities });
  }
  return { images, page, has_additional: rows.length > limit };
}

async function* readNews(
  { db, principal, globalRole, now }: CallContext,
  since: number,
): AsyncGenerator<readonly PlacedNews[]> {
  const viewer = repositoryViewer(principal, globalRole);
  const pages = readPages<PlacedRepository>((last) => listGranted(db, viewer, last?.id ?? ""));
  for await (const repositories of pages) {
    const byId = new Map(repositories.map((each) => [each.id, each]));
    const images = readByKeys<ImageWithNews>([...byId.keys()], (repositoryIds, last) =>
      listImagesWithNews(db, { repositoryIds, after: last?.digest ?? "", since, now }),
    );
    for await (const rows of images) {
      yield rows.map((row) => {
        const { name: repository = "", namespace = "" } = byId.get(row.repository_id) ?? {};
        return { ...row, repository, namespace };
      });
    }
  }
}

function summary(found: readonly NewVulnerability[]) {
  const worstFirst = found.toSorted(
    (one, other) => other.is_exploited - one.is_exploited || compareSeverity(other.severity, one.severity),
  );
  const vulnerabilities = worstFirst.slice(0, mostNamed).map(({ name, severity, is_exploited }) => ({
    ...{ name: nameToShow(name), severity },
    known_exploited: is_exploited === 1,
  }));
  return { count: found.length, vulnerabilities };
}

/** The usual form of a name that is stored in lower case. */
function nameToShow(name: string): string {
  if (name.startsWith("ghsa-")) return `GHSA${name.slice(4)}`;
  return name.toUpperCase();
}

/** The description of a vulnerability, and the images that have it in repositories that the caller may read, with the affected packages and their fixes. */
export async function viewVulnerability(
  context: CallContext,
  { vulnerability, order = "image", page, limit }: Page & VulnerabilityQuery,
) {
  const { column, direction } = readOrder(order);
  const way = direction === "asc" ? 1 : -1;
  const bySeverity: typeof byPlace = (one, other) =>
    way * compareSeverity(one.severity, other.severity) || byPlace(one, other);
  const compare: typeof byPlace = column === "severity" ? bySeverity : (one, other) => way * byPlace(one, other);
  const first = new FirstOf<ImageWithVulnerability>(page * limit + 1, compare, worseOf);
  const worst = new Map<string, ImageWithVulnerability>(); // an image may have several of the names, and not as severe by each
  const ids = new Set<string>();
  const { db, principal, globalRole, now } = context;
  const names = await listVulnerabilityNames(context, vulnerability);
  const visibility = { viewer: repositoryViewer(principal, globalRole), now };
  for (const name of names) {
    const pages = readPages<ImageWithVulnerability>((last) =>
      listImagesWith(db, { ...visibility, name, after: last?.id ?? "" }),
    );
    for await (const images of pages)
      for (const image of images.filter(({ is_seen: isSeen }) => isSeen === 1)) {
        if (ids.size <= mostCounted) ids.add(image.id);
        if (column === "image") first.add(image);
        else worst.set(image.id, worseOf(image, worst.get(image.id) ?? image));
      }
  }
  for (const image of worst.values()) first.add(image);
  const total = ids.size > mostCounted ? undefined : ids.size;
  const rows = first.sorted().slice((page - 1) * limit);
  const shown = rows.slice(0, limit);
  const placed = await placesOf(context, shown);
  const { details, packagesOf } = await describeInImages(context, shown, names);
  const affected = shown.map((row) => ({
    ...placed(row),
    severity: row.severity,
    fixable: row.has_fix === 1,
    known_exploited: row.is_exploited === 1,
    packages: packagesOf(row.id),
  }));
  return { vulnerability: details, affected, page, has_additional: rows.length > limit, total };
}

interface VulnerabilityQuery {
  readonly vulnerability: string;
  readonly order?: OrderBy<"image" | "severity">;
}

/** Up to how many images a list says how many there are. */
const mostCounted = 10_000;

function byPlace(one: ImageWithVulnerability, other: ImageWithVulnerability): number {
  const place = ({ namespace, repository, digest }: ImageWithVulnerability) => `${namespace}/${repository}@${digest}`;
  if (place(one) === place(other)) return 0;
  return place(one) < place(other) ? -1 : 1;
}

interface PlacedImage {
  readonly id: string;
  readonly digest: string;
  readonly namespace: string;
  readonly repository: string;
}

/** A function that returns the place of an image: repository, digest and tags. */
async function placesOf({ db, now }: CallContext, images: readonly PlacedImage[]) {
  const tags = await listTagsOfImages(db, { manifestIds: images.map(({ id }) => id), now });
  const byImage = Map.groupBy(tags, ({ id }) => id);
  return ({ id, digest, namespace, repository }: PlacedImage) => ({
    repository: `${namespace}/${repository}`,
    manifest_digest: digest,
    tags: (byImage.get(id) ?? []).map(({ name }) => name),
  });
}

/** How many times the scanner is asked for one page, since the caller may see few of the images. */
const mostRounds = 20;
/** How many images it is asked for at a time. */
const askedAtOnce = 100;

/**
 * Images that have a package, a licence or a supplier, in repositories that the caller may read: by the digests of the images.
 * @throws RegistryError `downstream_issue` if the scanner does not respond, or cannot find images
 */
export async function viewImagesWith(
  context: CallContext & Pick<SecurityDeps, "imageScanner">,
  { limit, ...question }: Omit<ImagesQuestion, "after">,
  token: string | undefined,
) {
  const { db, principal, globalRole, now, imageScanner, caller } = context;
  const viewer = repositoryViewer(principal, globalRole);
  const found: FoundImages["images"][number][] = [];
  const seen = new Map<string, ShownImage[]>();
  const tokens = listPages(context, "images", accountOf(principal)?.id ?? "");
  const [after = ""] = parsePageToken(tokens, token) ?? [];
  let next: string | undefined = String(after);
  let count = 0;
  for (let round = 0; round < mostRounds && count < limit && next !== undefined; round++) {
    const page = await askForImages(
      imageScanner,
      { ...question, after: next, limit: Math.min(askedAtOnce, limit) },
      caller.signal,
    );
    next = page.next;
    const digests = page.images.map(({ digest }) => digest);
    if (digests.length === 0) continue;
    const images = await listSeenImages(db, { digests, viewer, now });
    for (const [digest, places] of Map.groupBy(images, (each) => each.digest)) seen.set(digest, [...places]);
    found.push(...page.images.filter(({ digest }) => seen.has(digest)));
    count += images.length;
  }
  const placed = await placesOf(context, [...seen.values()].flat());
  const images = found.flatMap(({ digest, packages }) =>
    (seen.get(digest) ?? []).map((image) => ({ ...placed(image), packages: packages.map((each) => ({ ...each })) })),
  );
  return { images, next_page: next === undefined ? undefined : formatPageToken(tokens, [next]) };
}

async function askForImages(
  scanner: ImageScanner | undefined,
  question: ImagesQuestion,
  signal: AbortSignal,
): Promise<FoundImages> {
  const found = await scanner?.findImages(question, { signal }).catch((cause: unknown) => {
    throw new RegistryError("downstream_issue", "The scanner could not be reached; try again later", { cause });
  });
  if (found === undefined)
    throw new RegistryError("downstream_issue", "The scanner of this registry cannot find images");
  return found;
}
