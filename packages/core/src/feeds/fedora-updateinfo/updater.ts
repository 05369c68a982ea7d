/**
 * Updates of Bodhi, the service in which Fedora prepares its updates.
 *
 * ```
 * { total, updates: [{ alias, status: "stable" | "testing" | …, type: "security" | "bugfix" | …, severity, title, notes, url, date_stable,
 *     release: { long_name: "Fedora 36" }, builds: [{ nvr, epoch, type: "rpm" | "module" | … }], bugs: [{ bug_id, title }] }] }
 * ```
 * A build is a source package, `name-version-release`, with a separate epoch. CVE ids are in the titles of bugs, or only in the notes.
 *
 * @see https://bodhi.fedoraproject.org/docs/server_api/rest/updates.html
 */
import { ScanError } from "../../errors.ts";
import type { Advisory } from "../../model/advisory.ts";
import { parseJson } from "../../model/json.ts";
import {
  documentPlace,
  isAbsent,
  itemsAt,
  type JsonPlace,
  memberAt,
  optionalItemsAt,
  optionalStringAt,
  stringAt,
  unexpected,
} from "../../model/json-place.ts";
import type { FeedItem, Updater } from "../../plugins/updater.ts";
import { type FeedFile, readFeedFile } from "../shared/feed-files.ts";
import type { FeedPart, FeedParts } from "../shared/feed-parts.ts";
import { type ReadPart, recordItems } from "../shared/malformed-feed.ts";
import { readPage } from "../shared/read-page.ts";
import { normalizeSeverity } from "../shared/vendor-severity.ts";
import { findRepositoryUpdates, type RepositoryUpdates } from "../updateinfo/repository.ts";
import { cveIdsIn, instantOf, type UpdateNames, type UpdateVendor } from "../updateinfo/update.ts";
import { updateinfoUpdater } from "../updateinfo/updater.ts";

const vendor: UpdateVendor = { updater: "fedora", ecosystemOf, listsOneArch: true };

/**
 * Imports Fedora's security updates: of the releases on the site's index page, from a folder of `updateinfo.xml` documents, or from one
 * such document. A file or folder may also contain pages of Bodhi, which name source packages. A build has the same version on all
 * architectures.
 */
export const fedoraUpdater: Updater = updateinfoUpdater({
  location: "https://dl.fedoraproject.org/pub/fedora/linux/updates/",
  scope: { partBytes: { fedora: 0 }, sharedBytes: 15e6 },
  vendor,
  otherForm: {
    wants: (name) => !name.endsWith(".xml"),
    isForm: (head) => head.trimStart().startsWith("{"),
    items: (files) => bodhiItems(files, vendor),
  },
  findRepositories,
});

/** A new release may have no updates yet. */
async function findRepositories(parts: FeedParts, whole: FeedPart | undefined): Promise<readonly RepositoryUpdates[]> {
  const page = whole === undefined ? undefined : await readPage(whole);
  const releases = [...(page ?? "").matchAll(/href="(?:\.\/)?(\d{1,3})\/"/g)].map(([, release]) => release);
  const found: RepositoryUpdates[] = [];
  for (const release of new Set(releases)) {
    const updates = await findRepositoryUpdates(parts, `${release}/Everything/x86_64`);
    if (updates !== undefined) found.push(updates);
  }
  if (found.length === 0) throw new ScanError("not_found", "expected Fedora releases with updates, found none");
  return found;
}

function ecosystemOf({ release = "" }: UpdateNames): string | undefined {
  const version = /^Fedora (\d+)$/.exec(release)?.[1];
  return version === undefined ? undefined : `fedora:${version}`;
}

/** The maximal size of a page; one with a hundred updates has 1.5 MB. */
const maxBytes = 64 * 1024 ** 2;

/**
 * The advisories in pages of updates, one for each build of each stable security update. Pages with fewer updates than their `total` give a problem.
 * @throws ScanError `malformed_feed` for a document without updates
 */
async function* bodhiItems(files: readonly FeedFile[], vendor: UpdateVendor): AsyncGenerator<FeedItem<Advisory>> {
  let [found, expected] = [0, 0];
  for (const file of files) {
    const json = parseJson(await readFeedFile(file, maxBytes), file.location, "malformed_feed");
    const page = documentPlace(json, file.location, "malformed_feed");
    const updates = itemsAt(memberAt(page, "updates"));
    const total = memberAt(page, "total").value;
    found += updates.length;
    expected = Math.max(expected, typeof total === "number" ? total : 0);
    for (const update of updates) {
      yield* recordItems(`${file.location}: ${update.path}`, (readPart) => updateAdvisories(update, vendor, readPart));
    }
  }
  if (found < expected) {
    const message = `expected ${expected} updates as its total states, found ${found}: give a folder with all pages`;
    yield { kind: "problem", at: files[0]?.location ?? vendor.updater, message };
  }
}

function updateAdvisories(update: JsonPlace, vendor: UpdateVendor, readPart: ReadPart): readonly Advisory[] {
  const name = stringAt(memberAt(update, "alias"));
  const release = optionalStringAt(memberAt(memberAt(update, "release"), "long_name"));
  const ecosystem = vendor.ecosystemOf({ id: name, release });
  const isStable = stringAt(memberAt(update, "status")) === "stable";
  const facts = factsOf(update, name);
  const isSecurity = optionalStringAt(memberAt(update, "type")) === "security" || facts.aliases.length > 0;
  if (ecosystem === undefined) return readPart.leaveOut("other-ecosystem");
  if (!isStable) return readPart.leaveOut("not-released");
  if (!isSecurity) return readPart.leaveOut("no-security-fix");
  const builds = itemsAt(memberAt(update, "builds")).flatMap((build) => readPart(() => buildOf(build)) ?? []);
  return builds.map(({ packageName, fixed }) => ({
    id: [vendor.updater, name, ecosystem, packageName, fixed].join("/"),
    updater: vendor.updater,
    ...facts,
    ecosystem,
    packageName,
    packageKind: "SOURCE",
    status: "affected",
    ranges: [{ fixed }],
    versions: [],
  }));
}

/** A version of a source package. */
interface Build {
  readonly packageName: string;
  readonly fixed: string;
}

/** The build of a package; undefined for a module, a container or a Flatpak. */
function buildOf(place: JsonPlace): Build | undefined {
  if ((optionalStringAt(memberAt(place, "type")) ?? "rpm") !== "rpm") return undefined;
  const nvr = memberAt(place, "nvr");
  const [, packageName, version] = /^(.+)-([^-]+-[^-]+)$/.exec(stringAt(nvr)) ?? [];
  if (packageName === undefined || version === undefined) throw unexpected(nvr, "name-version-release");
  const epoch = memberAt(place, "epoch");
  if (isAbsent(epoch) || epoch.value === 0) return { packageName, fixed: version };
  if (!Number.isSafeInteger(epoch.value)) throw unexpected(epoch, "a whole number");
  return { packageName, fixed: `${String(epoch.value)}:${version}` };
}

type Facts = Pick<
  Advisory,
  "name" | "aliases" | "description" | "issuedAt" | "links" | "severity" | "normalizedSeverity"
>;

function factsOf(update: JsonPlace, name: string): Facts {
  const text = (member: string) => optionalStringAt(memberAt(update, member)) || undefined;
  const bugs = optionalItemsAt(memberAt(update, "bugs"));
  const titles = bugs.map((bug) => optionalStringAt(memberAt(bug, "title")) ?? "");
  const [url, notes, severity] = [text("url"), text("notes"), text("severity")];
  const issuedAt = instantOf(text("date_stable") ?? text("date_pushed"));
  return {
    name,
    aliases: cveIdsIn([...titles, text("title") ?? "", notes ?? ""]),
    description: notes,
    issuedAt,
    links: [...(url === undefined ? [] : [url]), ...bugs.flatMap(bugLink)],
    severity: severity !== undefined && severity !== "unspecified" ? severity : undefined,
    normalizedSeverity: normalizeSeverity("fedora", severity),
  };
}

function bugLink(bug: JsonPlace): readonly string[] {
  const { value } = memberAt(bug, "bug_id");
  return typeof value === "number" ? [`https://bugzilla.redhat.com/show_bug.cgi?id=${value}`] : [];
}
