/** What lists, pages of images, sums of organizations, files and trends say of vulnerabilities, over random images, feeds and rules: they say the same. */
import { DatabaseSync } from "node:sqlite";
import { openScanner } from "@plimsoll/scanner";
import { type BuiltImage, buildIndex } from "@plimsoll/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { pushImage } from "./support/push-image.ts";
import { debianImage, debianTracker } from "./support/sample-image.ts";
import { basic, signUp, startScanningRegistry } from "./support/scanning-registry.ts";
import { tempFolder } from "./support/temp-folder.ts";

/** How many registries are made up; more are for a longer search. */
const numRuns = Number(process.env.PLIMSOLL_TEST_RUNS ?? 2);

const folder = tempFolder();
const database = `sqlite:${folder.path}/plimsoll.db`;
let server: Awaited<ReturnType<typeof startScanningRegistry>>;
let call: Awaited<ReturnType<typeof signUp>>;
beforeAll(async () => {
  server = await startScanningRegistry(database, folder.path);
  call = await signUp(server.address);
}, 60_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
  folder[Symbol.dispose]();
});

const sources = ["openssl", "zlib", "curl"] as const;
const cves = ["CVE-2024-1001", "CVE-2024-1002", "CVE-2024-1003", "CVE-2024-1004"] as const;
const repositories = ["app", "base"] as const;

const advisory = fc.record({
  source: fc.constantFrom(...sources),
  cve: fc.constantFrom(...cves),
  fixed: fc.constantFrom(undefined, undefined, "2", "4", "0"),
  urgency: fc.constantFrom("low", "medium", "high", "unimportant", "not yet assigned"),
});
const feeds = fc.record({
  advisories: fc.array(advisory, { minLength: 1, maxLength: 8 }),
  exploited: fc.subarray([...cves]),
  scores: fc.array(fc.tuple(fc.constantFrom(...cves), fc.constantFrom(9.8, 7.5, 5.5, 3.1)), { maxLength: 3 }),
});
type Feeds = typeof feeds extends fc.Arbitrary<infer Value> ? Value : never;

/** Two packages are built from each source. */
const image = fc.array(fc.tuple(fc.constantFrom(...sources), fc.constantFrom("1", "3")), {
  minLength: 1,
  maxLength: 4,
});
const tag = fc.record({
  repository: fc.constantFrom(...repositories),
  name: fc.constantFrom("1", "2", "latest"),
  image: fc.constantFrom(0, 1, "both" as const),
});
const change = fc.oneof(
  { weight: 3, arbitrary: fc.record({ feeds }) },
  { weight: 1, arbitrary: fc.record({ suppressed: fc.constantFrom(...cves), everywhere: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ tag }) },
  { weight: 1, arbitrary: fc.constant({ restored: true }) },
);
const world = fc.record({
  images: fc.tuple(image, image),
  tags: fc.array(tag, { minLength: 1, maxLength: 4 }),
  feeds,
  changes: fc.array(change, { minLength: 2, maxLength: 3 }),
});

async function loadFeeds({ advisories, exploited, scores }: Feeds): Promise<void> {
  using place = tempFolder();
  const other = "CVE-1999-1111"; // a feed without anything is not loaded
  const bySource = Map.groupBy([{ source: "another", cve: other }, ...advisories], ({ source }) => source);
  const tracker = [...bySource].map(([source, some]) => [
    source,
    Object.fromEntries(some.map((each) => [each.cve, each])),
  ]);
  const catalog = [other, ...exploited].map((cveID) => ({ cveID, dateAdded: "2024-05-01", dueDate: "2024-05-22" }));
  const nvd = [[other, 5] as const, ...new Map(scores)].map(([id, baseScore]) => {
    const vectorString = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H";
    const cvssData = { version: "3.1", vectorString, baseScore };
    return {
      cve: { id, vulnStatus: "x", metrics: { cvssMetricV31: [{ source: "nvd@nist.gov", type: "Primary", cvssData }] } },
    };
  });
  const locations = {
    debian: place.write("tracker.json", debianTracker(Object.fromEntries(tracker))),
    kev: place.write("kev.json", JSON.stringify({ catalogVersion: "1", vulnerabilities: catalog })),
    nvd: place.write("nvd.json", JSON.stringify({ vulnerabilities: nvd })),
  };
  await using scanner = await openScanner({ db: database });
  await scanner.updateFeeds({ only: Object.keys(locations), locations });
}

/** Has recurring jobs run now, which would run in a minute or an hour. */
function hasten(): void {
  using db = new DatabaseSync(`${folder.path}/plimsoll.db`, { timeout: 5000 });
  const kinds = "('registry.count-findings', 'registry.store-finding-trend')";
  db.prepare(`update jobs set due_at = 0, turn = 0 where kind in ${kinds} and due_at > ?`).run(Date.now());
}

const severities = ["critical", "high", "medium", "low", "negligible", "unknown"] as const;
const names = [...severities, "fixable", "known_exploited"] as const;
type Figures = Readonly<Record<(typeof names)[number], number>>;

const figuresOf = (counts: Figures): string => names.map((name) => `${name} ${counts[name]}`).join(", ");

const sumOf = (all: readonly Figures[]): Figures =>
  Object.fromEntries(names.map((name) => [name, all.reduce((sum, each) => sum + each[name], 0)])) as Figures;

/** The figures of vulnerabilities, counted here in the simplest way. */
function count(vulnerabilities: readonly Vulnerability[]): Figures {
  const of = (severity: string) => vulnerabilities.filter((each) => each.Severity.toLowerCase() === severity).length;
  return {
    ...(Object.fromEntries(severities.map((severity) => [severity, of(severity)])) as Figures),
    fixable: vulnerabilities.filter(({ FixedBy }) => FixedBy !== "").length,
    known_exploited: vulnerabilities.filter(({ KnownExploited }) => KnownExploited).length,
  };
}

interface Vulnerability {
  readonly Name: string;
  readonly Severity: string;
  readonly FixedBy: string;
  readonly KnownExploited: boolean;
}

/** One vulnerability of those with its name: as severe as the worst, fixable where one is. */
function worst(same: readonly Vulnerability[]): Vulnerability {
  const [first] = same.toSorted((one, other) => rank(one) - rank(other));
  if (first === undefined) throw new Error("there is none");
  const FixedBy = same.find((each) => each.FixedBy !== "")?.FixedBy ?? "";
  return { ...first, FixedBy, KnownExploited: same.some(({ KnownExploited }) => KnownExploited) };
}

const rank = ({ Severity }: Vulnerability) => (severities as readonly string[]).indexOf(Severity.toLowerCase());

async function get(path: string) {
  const { status, body } = await call("GET", path);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

/** What is said of an image in the places that are about it alone. */
async function readImage(repository: string, digest: string) {
  const path = `/repository/${repository}/manifest/${digest}/security`;
  const { Features } = (await get(path)).data.Layer as {
    Features: readonly { Vulnerabilities: readonly Vulnerability[] }[];
  };
  const page = (await get(`${path}/findings?limit=500`)).data;
  const { upgrades } = (await get(`${path}/findings?list=upgrades&limit=500`)).data;
  const { packages } = (await get(`${path}/findings?list=packages&limit=500`)).data;
  const { document } = await get(`${path}/report?format=csv`);
  const all = Features.flatMap(({ Vulnerabilities }) => Vulnerabilities);
  const [found, vulnerabilities] = [count(all), [...Map.groupBy(all, ({ Name }) => Name).values()].map(worst)];
  const places = {
    page: page.counts.findings as Figures,
    rows: count(page.findings.map((each: { vulnerability: Vulnerability }) => each.vulnerability)),
    upgrades: sumOf(upgrades.map((each: { removes: Figures }) => each.removes)),
  };
  for (const [place, figures] of Object.entries(places))
    expect([place, figuresOf(figures)]).toEqual([place, figuresOf(found)]);
  expect(packages.reduce((sum: number, each: { findings: number }) => sum + each.findings, 0)).toBe(all.length);
  const lines = (status: string) => document.content.split(`","${status}","`).length - 1;
  expect([lines("affected"), lines("suppressed")]).toEqual([all.length, page.counts.suppressed]);
  expect(figuresOf(page.counts.vulnerabilities)).toBe(figuresOf(count(vulnerabilities)));
  return { digest, vulnerabilities, figures: page.counts.vulnerabilities as Figures };
}

interface ListedTag {
  readonly name: string;
  readonly manifest_digest: string;
  readonly severities: Figures | null;
}

/** Compares everything that is said of the images of an organization. Throws where two places differ. */
async function compare(organization: string, list: { readonly digest: string; readonly members: readonly string[] }) {
  const images: (Awaited<ReturnType<typeof readImage>> & { repository: string })[] = [];
  const { repositories: listed } = await get(
    `/repository?namespace=${organization}&severities=true&last_modified=true`,
  );
  for (const { name, severities: newest } of listed as readonly { name: string; severities: Figures | null }[]) {
    const repository = `${organization}/${name}`;
    const { tags } = (await get(`/repository/${repository}/tag/?onlyActiveTags=true&severities=true`)) as {
      tags: readonly ListedTag[];
    };
    const digests = new Set(tags.flatMap(({ manifest_digest: of }) => (of === list.digest ? list.members : [of])));
    const shown = new Map<string, Figures>();
    for (const digest of digests) {
      const found = await readImage(repository, digest);
      images.push({ ...found, repository });
      shown.set(digest, found.figures);
    }
    const [first] = list.members
      .map((digest) => shown.get(digest))
      .filter((each) => each !== undefined)
      .toSorted(byCounts);
    if (first !== undefined) shown.set(list.digest, first);
    for (const each of tags) {
      const expected = shown.get(each.manifest_digest);
      expect([each.name, each.severities && figuresOf(each.severities)]).toEqual([
        each.name,
        expected && figuresOf(expected),
      ]);
    }
    const latest = tags[0]?.manifest_digest ?? "";
    expect([name, newest && figuresOf(newest)]).toEqual([name, figuresOf(shown.get(latest) as Figures)]);
  }
  const usage = await get(`/organization/${organization}/usage?days=1`);
  const sizes = (listed as readonly { quota_report: { quota_bytes: number } }[]).map(
    (each) => each.quota_report.quota_bytes,
  );
  expect(usage.days.map((each: { size_bytes: number }) => each.size_bytes)).toEqual([
    sizes.reduce((sum, each) => sum + each, 0),
  ]);
  const sum = figuresOf(sumOf(images.map(({ figures }) => figures)));
  const fleet = await get(`/organization/${organization}/security?limit=100`);
  expect(figuresOf(fleet.severities)).toBe(sum);
  expect(fleet).toMatchObject({ images: images.length, uncounted: 0 });
  const { ages } = await get(`/organization/${organization}/security/ages`);
  expect(figuresOf(sumOf(ages.map((each: { severities: Figures }) => each.severities)))).toBe(sum);
  const placeOf = (each: { repository: string; manifest_digest: string; severities: Figures }) =>
    `${each.repository}@${each.manifest_digest} ${figuresOf(each.severities)}`;
  expect(fleet.worst.map(placeOf).sort()).toEqual(
    images.map((each) => placeOf({ ...each, manifest_digest: each.digest, severities: each.figures })).sort(),
  );
  const { days } = await get(`/organization/${organization}/security/trend?days=1`);
  expect(days.map((each: { severities: Figures }) => figuresOf(each.severities))).toEqual([sum]);
  for (const cve of cves) {
    const { affected } = await get(`/organization/${organization}/security/images?vulnerability=${cve}&limit=100`);
    const told = affected.map((each: Affected) =>
      [each.repository, each.manifest_digest, each.severity, each.fixable, each.known_exploited].join(" "),
    );
    const expected = images.flatMap(({ repository, digest, vulnerabilities }) =>
      vulnerabilities
        .filter(({ Name }) => Name === cve)
        .map((each) => [repository, digest, each.Severity, each.FixedBy !== "", each.KnownExploited].join(" ")),
    );
    expect([cve, told.sort()]).toEqual([cve, expected.sort()]);
  }
}

interface Affected {
  readonly repository: string;
  readonly manifest_digest: string;
  readonly severity: string;
  readonly fixable: boolean;
  readonly known_exploited: boolean;
}

function byCounts(one: Figures, other: Figures): number {
  const ranks = [...severities, "known_exploited", "fixable"] as const;
  const first = ranks.find((rank) => one[rank] !== other[rank]);
  return first === undefined ? 0 : other[first] - one[first];
}

let organizations = 0;

describe("the figures of vulnerabilities", () => {
  it(
    "are the same in lists, pages, sums, files and trends after each change of feeds, rules and tags",
    async () => {
      const property = fc.asyncProperty(world, async ({ images, tags, feeds: first, changes }) => {
        const organization = `acme${++organizations}`;
        await call("POST", "/organization/", { name: organization });
        const built: BuiltImage[] = [];
        for (const [index, packages] of images.entries()) {
          const lines = packages.flatMap(([source, version]) => [
            `lib${source} ${version} ${source}`,
            `${source}-tool ${version} ${source}`,
          ]);
          built.push(await debianImage([`image${index} ${organizations} none`, ...new Set(lines)]));
        }
        const both = buildIndex(built);
        const put = async ({ repository, name, image: which }: (typeof tags)[number]) => {
          const pushed = which === "both" ? both : built[which];
          if (pushed === undefined) throw new Error("there are two images");
          await pushImage(`${server.address}/v2/${organization}/${repository}`, basic, {
            image: pushed,
            reference: name,
          });
        };
        const settle = () =>
          vi.waitFor(
            async () => {
              hasten();
              await compare(organization, { digest: both.digest, members: built.map(({ digest }) => digest) });
            },
            { timeout: 30_000, interval: 300 },
          );
        await loadFeeds(first);
        for (const each of tags) await put(each);
        await settle();

        for (const each of changes) {
          if ("feeds" in each) await loadFeeds(each.feeds);
          else if ("tag" in each) await put(each.tag);
          else if ("restored" in each) await removeRules(organization);
          else await suppress(organization, tags[0]?.repository ?? "app", each);
          await settle();
        }
      });

      await fc.assert(property, { numRuns, endOnFailure: true });
    },
    numRuns * 150_000,
  );
});

async function suppress(
  organization: string,
  repository: string,
  { suppressed: vulnerability, everywhere }: { readonly suppressed: string; readonly everywhere: boolean },
): Promise<void> {
  const owner = everywhere ? `/organization/${organization}` : `/repository/${organization}/${repository}`;
  const expires = new Date(Date.now() + 86_400_000).toISOString();
  await call("POST", `${owner}/ignorerules`, { vulnerability, reason: "for the test", expires });
}

async function removeRules(organization: string): Promise<void> {
  const owners = [
    `/organization/${organization}`,
    ...repositories.map((name) => `/repository/${organization}/${name}`),
  ];
  for (const owner of owners) {
    const { body } = await call("GET", `${owner}/ignorerules`); // of a repository that is not there, none
    for (const { uuid } of body.rules ?? []) await call("DELETE", `${owner}/ignorerules/${uuid}`);
  }
}
