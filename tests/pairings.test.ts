/**
 * Our indexer or another one, with our matcher or another one, seen by our registry and our notifier. The other ones keep the contract to the letter
 * and have nothing more: whatever our services need beyond it, they must do without.
 */
import { type Digest, parseDigest } from "@plimsoll/core/digest";
import { type NotifierTables, notifierMigrations, pollUpdates } from "@plimsoll/notifier";
import { openStore, type Store } from "@plimsoll/store";
import { refusedDigest, startContractIndexer, startContractMatcher, usualTestEngine } from "@plimsoll/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { countFindings } from "../packages/registry/src/security/finding-counts.ts";
import type { CompatibilityProfile } from "../packages/server/src/config/service-settings.ts";
import { imageScanner } from "../packages/server/src/registry/image-scanner.ts";
import type { RemoteService } from "../packages/server/src/serve/call-service.ts";
import { watchOutage } from "../packages/server/src/serve/outages.ts";
import { raiseInNotifications } from "../packages/server/src/serve/reference-bodies.ts";
import { remoteAffected } from "../packages/server/src/serve/remote-affected.ts";
import { remoteIndexer, remoteReports, remoteUpdates } from "../packages/server/src/serve/remote-services.ts";
import { debianImage } from "./support/sample-image.ts";
import { loadTracker, startTestService } from "./support/scanner-service.ts";

const image = await debianImage(["bash 5.2.15-2"]);
const distribution = { did: "debian", version: "12 (bookworm)" };
const content = { package: { name: "bash", version: "5.2.15-2" }, distribution };
const day = (number: number) => Date.UTC(2026, 0, number);

type Side = "ours" | "another";

/** The services, by whose they are. The other matcher uses the indexer beside it, as ours does. */
interface World {
  readonly indexers: Readonly<Record<Side, string>>;
  readonly matchers: Readonly<Record<`${Side} with ${Side}`, string>>;
  /** Matchers in the reference profile, with our indexer. */
  readonly referenceMatchers: Readonly<Record<Side, string>>;
  /** Where the layers of the image are. */
  addressOf(digest: Digest): string;
  /** Has every matcher know one more vulnerability, in an update operation of its own. */
  publish(): Promise<void>;
  /** The requests that the other services refused, although they have the operation. */
  refused(): readonly string[];
}

async function openWorld(resources: AsyncDisposableStack): Promise<World> {
  const { location } = resources.use(await usualTestEngine.create());
  const ours = resources.use(await startTestService(location, { modes: ["indexer"] }));
  const another = resources.use(await startContractIndexer(content));
  const matcherOf = async (indexer: string, compatibility: CompatibilityProfile = "contract") =>
    resources.use(await startTestService(location, { modes: ["matcher"], indexerAddress: [indexer], compatibility }));
  const others = [
    resources.use(await startContractMatcher(ours.url)),
    resources.use(await startContractMatcher(another.url)),
  ] as const;
  const { layers } = ours.manifestOf(image) as { readonly layers: readonly { hash: string; uri: string }[] };
  let known = 0;
  return {
    indexers: { ours: ours.url, another: another.url },
    matchers: {
      "ours with ours": (await matcherOf(ours.url)).url,
      "ours with another": (await matcherOf(another.url)).url,
      "another with ours": others[0].url,
      "another with another": others[1].url,
    },
    referenceMatchers: { ours: (await matcherOf(ours.url, "reference")).url, another: others[0].url },
    addressOf: (digest) => layers.find(({ hash }) => hash === digest)?.uri ?? "",
    async publish() {
      known++;
      const names = Array.from({ length: known }, (_, index) => `CVE-2026-${index + 1}`);
      const bash = Object.fromEntries(names.map((name) => [name, { urgency: "high" }]));
      await loadTracker(location, { bash }, day(known));
      const advisory = { name: names.at(-1) ?? "", packageName: "bash", distribution };
      for (const other of others) other.publish(advisory);
    },
    refused: () =>
      [...another.refused, ...others.flatMap(({ refused }) => refused)].filter((each) => !/: 404 /.test(each)),
  };
}

describe("an indexer and a matcher", () => {
  const resources = new AsyncDisposableStack();
  let world: World;
  let store: Store<NotifierTables>;
  const outages: string[] = [];
  const note = (_: object, event: string) => void outages.push(event);
  const remote = (name: string, address: string): RemoteService => ({
    ...{ name, addresses: [address], vendor: "scanner" },
    outage: watchOutage({ warn: note, info: note } as never, name),
  });
  const scannerOf = (indexer: Side, matcher: Side) =>
    imageScanner({
      indexer: remoteIndexer(remote("indexer", world.indexers[indexer])),
      matcher: remoteReports(remote("matcher", world.matchers[`${matcher} with ${indexer}`])),
      layers: { addressOf: (digest: Digest) => world.addressOf(digest) } as never,
      clock: { now: () => day(3) },
      feedMaxAgeDays: 365,
    });
  const scanned = {
    digest: image.digest,
    layers: image.layers.map(({ digest, mediaType }) => ({ digest: parseDigest(digest), mediaType })),
  };

  beforeAll(async () => {
    world = await openWorld(resources);
    const { location } = resources.use(await usualTestEngine.create());
    store = resources.use(await openStore<NotifierTables>(location, { migrations: [notifierMigrations] }));
    await world.publish();
  });
  afterAll(() => resources.disposeAsync());

  it.each<[Side, Side, readonly string[]]>([
    ["ours", "ours", []],
    ["another", "ours", ["coverage_unknown"]],
    ["ours", "another", ["feeds_unknown"]],
    ["another", "another", ["coverage_unknown", "feeds_unknown"]],
  ])(
    "%s and %s find the same, and what they do not say is never taken for complete",
    async (indexer, matcher, unsaid) => {
      const scanner = scannerOf(indexer, matcher);

      const state = await scanner.state();
      await scanner.index(scanned);
      const found = await scanner.find(scanned);

      expect(state).not.toBe("");
      if (found.status !== "scanned") throw new Error(JSON.stringify(found));
      const { report, coverage, feeds } = found;
      const [[packageId = "", ids = []] = []] = Object.entries(report.package_vulnerabilities);
      expect(report.packages[packageId]?.name).toBe("bash");
      expect(ids.map((id) => report.vulnerabilities[id]?.name)).toEqual(["CVE-2026-1"]);
      expect(coverage.problems.map(({ code }) => code)).toEqual(unsaid);
      expect(feeds).toEqual(matcher === "ours" ? [expect.objectContaining({ isCovered: true })] : undefined);
      const { counts } = await countFindings(found);
      expect(counts).toMatchObject({ high: 1, is_partial: unsaid.length === 0 ? 0 : 1 });
      expect(counts.data_state).toBe(matcher === "ours" ? "current" : "unknown");
    },
  );

  it("of either kind have our notifier tell what an update changes", async () => {
    const pairs = (["ours", "another"] as const).flatMap((indexer) =>
      (["ours", "another"] as const).map((matcher) => ({ indexer, matcher })),
    );
    const poll = ({ indexer, matcher }: (typeof pairs)[number]) =>
      pollUpdates({
        ...{ store, clock: { now: () => day(3) }, subscriber: `${indexer} ${matcher}`, mode: "full" },
        updates: remoteUpdates(remote("matcher", world.matchers[`${matcher} with ${indexer}`])),
        affected: remoteAffected(remote("indexer", world.indexers[indexer])),
      });

    for (const pair of pairs) expect(await poll(pair)).toMatchObject([{ kind: "polled", sets: [] }]);
    await world.publish();

    for (const pair of pairs)
      expect(await poll(pair)).toMatchObject([{ kind: "polled", sets: [{ notifications: 1 }] }]);
  });

  it.each([
    { matcher: "ours", severity: "High", shown: "Critical" },
    { matcher: "another", severity: "Medium", shown: "High" }, // it says "High", which is one level up in its profile
  ] as const)(
    "of the reference profile have our notifier raise Debian's urgencies once, with $matcher",
    async ({ matcher, severity, shown }) => {
      const subscriber = `reference ${matcher}`;
      const remoteMatcher = { ...remote("matcher", world.referenceMatchers[matcher]), profile: "reference" as const };
      const poll = () =>
        pollUpdates({
          ...{ store, clock: { now: () => day(3) }, subscriber, mode: "full" },
          updates: remoteUpdates(remoteMatcher),
          affected: remoteAffected(remote("indexer", world.indexers.ours)),
        });
      await poll();
      await world.publish();

      const [polled] = await poll();

      if (polled?.kind !== "polled") throw new Error(JSON.stringify(polled));
      const stored = store.db.selectFrom("notified_vulnerability").select("summary");
      const { summary: text } = await stored.where("set_id", "=", polled.sets[0]?.id ?? "").executeTakeFirstOrThrow();
      const summary = JSON.parse(text) as { readonly normalized_severity: string };
      expect(summary).toMatchObject({ normalized_severity: severity, distribution: { did: "debian" } });
      const page = raiseInNotifications({ notifications: [{ vulnerability: summary }] });
      expect(page).toMatchObject({ notifications: [{ vulnerability: { normalized_severity: shown } }] });
    },
  );

  it("elsewhere refuse an image for good, which is no outage", async () => {
    outages.length = 0;
    const image = { ...scanned, digest: parseDigest(refusedDigest) };

    await expect(scannerOf("another", "ours").index(image)).rejects.toMatchObject({
      code: "malformed_manifest",
      message: "the indexer refused the image: its first layer is no archive",
    });
    expect(outages).toEqual([]);
  });

  it("elsewhere delete an image", async () => {
    const scanner = scannerOf("another", "another");

    await scanner.delete([image.digest]);

    expect(await scanner.find(scanned)).toEqual({ status: "queued" });
  });

  it("elsewhere get nothing that is not in the contract, but for forms of our own that they may refuse", () => {
    const { stack: _, ...reasons } = Object.groupBy(world.refused(), (each) => each);

    expect(Object.keys(reasons).sort()).toEqual([
      "POST /indexer/api/v1/index_report: 400 its first layer is no archive",
      "POST /indexer/api/v1/internal/affected_manifest: 415 Content-Type application/vnd.plimsoll.ruled_vulnerabilities.v1+json",
    ]);
  });
});
