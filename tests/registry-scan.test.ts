import { defaultRegistrySettings } from "@plimsoll/registry/settings";
import { openScanner } from "@plimsoll/scanner";
import { type ServiceSettings, startServing } from "@plimsoll/server/serve";
import { type BuiltImage, buildImage, buildLayer, digestOf, engineTitle, testEngines } from "@plimsoll/testing";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { pushImage } from "./support/push-image.ts";
import { debianImage, dpkgStatus } from "./support/sample-image.ts";
import { loadTracker, testSettings } from "./support/scanner-service.ts";
import { tempFolder } from "./support/temp-folder.ts";

/** What a process of the installation is besides its database and its folder. */
type Process = Pick<ServiceSettings, "modes"> &
  Partial<Pick<ServiceSettings, "indexerAddress" | "matcherAddress" | "scannerPort">>;

function startProcess(
  database: string,
  folder: string,
  { process, isScanning = true }: { readonly process: Process; readonly isScanning?: boolean },
) {
  const { host: _, ...defaults } = defaultRegistrySettings;
  const settings = { ...defaults, features: { ...defaults.features, securityScanner: isScanning } };
  const storage = { kind: "files", folder: `${folder}/blobs` } as const;
  const registry = { settings, secretFile: `${folder}/secret`, storage };
  const parts = { logger: pino({ level: "silent" }), clock: { now: () => Date.now() } };
  return startServing({ ...testSettings, database, registry, ...process }, parts);
}

/** A registry with its scanner, in one process or two, and a user who holds every scope. */
async function openRegistry(database: string, { isSplit = false } = {}) {
  await using resources = new AsyncDisposableStack();
  const folder = resources.use(tempFolder()).path;
  const scanner = isSplit
    ? resources.use(await startProcess(database, folder, { process: { modes: ["indexer", "matcher", "worker"] } }))
    : undefined;
  const process: Process = scanner
    ? { modes: ["registry"], indexerAddress: [scanner.address], matcherAddress: [scanner.address] }
    : { modes: ["all"], scannerPort: 0 };
  const { address, scannerAddress = "" } = resources.use(await startProcess(database, folder, { process }));
  const client = clientOf(address, await makeFirstUser(address), scannerAddress);
  const owned = resources.move();
  return { ...client, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** @returns a token of the user's with every scope */
async function makeFirstUser(address: string): Promise<string> {
  const first = { username: "alice", password: "sesame-open", email: "alice@example.com", access_token: true };
  const answer = await fetch(`${address}/api/v1/user/initialize`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(first),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}

function clientOf(address: string, token: string, scannerAddress = "") {
  const basic = `Basic ${Buffer.from("alice:sesame-open").toString("base64")}`;
  return {
    push: (image: BuiltImage, tag: string) => pushImage(`${address}/v2/alice/app`, basic, { image, reference: tag }),
    /** A client that reaches the scanner names images as it likes. */
    async index(digest: string, layers: readonly object[]) {
      const body = Buffer.from(JSON.stringify({ hash: digest, layers }));
      const headers = { "content-type": "application/vnd.scanner.manifest.v1+json" };
      const answer = await fetch(`${scannerAddress}/indexer/api/v1/index_report`, { method: "POST", headers, body });
      expect(answer.status).toBe(201);
    },
    async security(digest: string) {
      const path = `/api/v1/repository/alice/app/manifest/${digest}/security?vulnerabilities=true`;
      const found = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } });
      return (await found.json()) as Security;
    },
  };
}

interface Security {
  readonly status: string;
  readonly data: { readonly Layer: { readonly Features: readonly SecurityFeature[] } } | null;
}

interface SecurityFeature {
  readonly Name: string;
  readonly Version: string;
  readonly Vulnerabilities: readonly { readonly Name: string; readonly FixedBy: string }[];
}

const lodashVector = "CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H";

/** An image of packages of npm and Python, without a distribution. */
const languageFiles = {
  "app/node_modules/lodash/package.json": JSON.stringify({ name: "lodash", version: "4.17.20" }),
  "app/lib/python3.11/site-packages/six-1.16.0.dist-info/METADATA": "Name: six\nVersion: 1.16.0\n",
};

/** An advisory without a severity of its own, and what NVD says of it. */
async function loadLanguageFeeds(database: string): Promise<void> {
  using folder = tempFolder();
  const range = { type: "SEMVER", events: [{ introduced: "0" }, { fixed: "4.17.21" }] };
  const advisory = {
    id: "GHSA-35jh-r3h4-6jhm",
    modified: "2024-01-01T00:00:00Z",
    aliases: ["CVE-2021-23337"],
    affected: [{ package: { ecosystem: "npm", name: "lodash" }, ranges: [range] }],
  };
  const score = { source: "nvd@nist.gov", type: "Primary" };
  const cvssMetricV31 = [{ ...score, cvssData: { version: "3.1", vectorString: lodashVector, baseScore: 7.2 } }];
  const vulnerabilities = [{ cve: { id: "CVE-2021-23337", vulnStatus: "Analyzed", metrics: { cvssMetricV31 } } }];
  const locations = {
    osv: folder.write("osv.json", JSON.stringify(advisory)),
    nvd: folder.write("nvd.json", JSON.stringify({ vulnerabilities })),
  };
  await using scanner = await openScanner({ db: database });
  const updates = await scanner.updateFeeds({ only: ["osv", "nvd"], locations });
  expect(updates.map(({ kind }) => kind)).toEqual(["updated", "updated"]);
}

const engines = testEngines.filter(({ shared }) => shared).map((engine) => ({ engine, title: engineTitle(engine) }));

describe.each(engines)("a registry that scans what it holds, on $title", ({ engine }) => {
  it.skipIf(engine.skip !== undefined).each([
    { where: "in its own process", isSplit: false },
    { where: "elsewhere", isSplit: true },
  ])("says what is wrong with an image as soon as it is pushed, the scanner $where", async ({ isSplit }) => {
    await using database = await engine.create();
    await loadTracker(database.location, { zlib: { "CVE-2024-0001": { fixed: "2" } } });
    await using registry = await openRegistry(database.location, { isSplit });
    const image = await debianImage(["zlib 1"]);

    await registry.push(image, "1");

    const { status, data } = await registry.security(image.digest);
    expect(status).toBe("scanned");
    expect(data?.Layer.Features).toMatchObject([
      { Name: "zlib", Version: "1", Vulnerabilities: [{ Name: "CVE-2024-0001", FixedBy: "2" }] },
    ]);
  });

  it.skipIf(engine.skip !== undefined)(
    "says what is wrong with packages of languages, as severe as NVD says",
    async () => {
      await using database = await engine.create();
      await loadLanguageFeeds(database.location);
      await using registry = await openRegistry(database.location);
      const image = buildImage({ layers: [await buildLayer(languageFiles)] });

      await registry.push(image, "1");

      const { status, data } = await registry.security(image.digest);
      expect(status).toBe("scanned");
      expect(data?.Layer.Features).toMatchObject([
        { Name: "lodash", Version: "4.17.20", AddedBy: image.layers[0]?.digest, CVEIds: ["CVE-2021-23337"] },
        { Name: "six", Version: "1.16.0", Vulnerabilities: [] },
      ]);
      const [
        {
          Vulnerabilities: [found],
        } = { Vulnerabilities: [] },
      ] = data?.Layer.Features ?? [];
      expect(found).toMatchObject({
        Name: "GHSA-35jh-r3h4-6jhm",
        Aliases: ["CVE-2021-23337"],
        FixedBy: "4.17.21",
        Severity: "High",
        Metadata: { RepoName: "npm", NVD: { CVSSv3: { Vectors: lodashVector, Score: 7.2 } } },
      });
    },
  );

  it.skipIf(engine.skip !== undefined)("says that what it judged by is too old", async () => {
    await using database = await engine.create();
    await loadTracker(database.location, { zlib: { "CVE-2024-0001": { fixed: "2" } } }, Date.now() - 8 * 86_400_000);
    await using registry = await openRegistry(database.location, { isSplit: false });
    const image = await debianImage(["zlib 1"]);

    await registry.push(image, "1");

    const { data } = await registry.security(image.digest);
    expect(data?.Layer).toMatchObject({
      Problems: [{ At: "debian:12", Code: "outdated_feed" }],
      Feeds: [{ Ecosystem: "debian:12", Covered: true, Outdated: true }],
    });
  });

  it.skipIf(engine.skip !== undefined)("reads what was pushed while no scanner ran, once one runs", async () => {
    await using database = await engine.create();
    using folder = tempFolder();
    const start = ({ isScanning }: { readonly isScanning: boolean }) =>
      startProcess(database.location, folder.path, { process: { modes: ["all"] }, isScanning });
    const image = await debianImage(["zlib 1"]);
    const pushed = async () => {
      await using before = await start({ isScanning: false });
      const token = await makeFirstUser(before.address);
      await clientOf(before.address, token).push(image, "1");
      return token;
    };
    const token = await pushed();

    await using after = await start({ isScanning: true });

    const { security } = clientOf(after.address, token);
    await expect.poll(() => security(image.digest)).toMatchObject({ status: "scanned" });
  });

  it.skipIf(engine.skip !== undefined)("leaves what is no image alone, and says what cannot be read", async () => {
    await using database = await engine.create();
    await using registry = await openRegistry(database.location);
    const layer = await buildLayer({ "var/lib/dpkg/status": dpkgStatus("a 1") });
    const odd = buildImage({ layers: [{ ...layer, mediaType: "application/vnd.example.thing" }] });
    const text = Buffer.from("what it holds");
    const thing = { ...layer, bytes: text, digest: digestOf(text), mediaType: "application/vnd.example.thing" };
    const { digest: of, bytes: configBytes } = buildImage({ layers: [thing] }).config;
    const config = { mediaType: "application/vnd.example.config+json", digest: of, size: configBytes.length };
    const artifact = buildImage({ layers: [thing], manifest: { config } });
    const bytes = layer.bytes.subarray(0, -9);
    const broken = buildImage({ layers: [{ ...layer, bytes, digest: digestOf(bytes) }] });

    await registry.push(odd, "odd");
    await registry.push(artifact, "artifact");
    await registry.push(broken, "broken");

    expect(await registry.security(odd.digest)).toMatchObject({ status: "scanned" }); // a runtime would unpack it
    expect(await registry.security(artifact.digest)).toEqual({ status: "unsupported", data: null });
    expect(await registry.security(broken.digest)).toMatchObject({
      status: "failed",
      data: null,
      reason: expect.stringContaining("end too early"),
    });
  });

  it.skipIf(engine.skip !== undefined)(
    "says of a damaged database that it could not be read, never that all is well",
    async () => {
      await using database = await engine.create();
      await using registry = await openRegistry(database.location);
      const imageOf = async (files: Record<string, string>) => buildImage({ layers: [await buildLayer(files)] });
      const unreadable = await imageOf({ "var/lib/rpm/rpmdb.sqlite": "no database" });
      const damaged = await imageOf({ "var/lib/dpkg/status": `garbage\n\n${dpkgStatus("b 2")}` });

      await registry.push(unreadable, "unreadable");
      await registry.push(damaged, "damaged");

      expect(await registry.security(unreadable.digest)).toMatchObject({
        status: "failed",
        data: null,
        reason: expect.stringContaining("var/lib/rpm/rpmdb.sqlite: "),
      });
      expect(await registry.security(damaged.digest)).toMatchObject({
        status: "scanned",
        data: {
          Layer: {
            Features: [{ Name: "b" }],
            Problems: [{ At: "var/lib/dpkg/status" }, { At: "b", Code: "undecided_packages" }],
          },
        },
      });
    },
  );

  it.skipIf(engine.skip !== undefined)("takes no report of other layers for an image's", async () => {
    await using database = await engine.create();
    await using registry = await openRegistry(database.location);
    const image = await debianImage(["zlib 1"]);
    await registry.index(image.digest, []);

    await registry.push(image, "1");

    expect(await registry.security(image.digest)).toMatchObject({ status: "scanned" });
    await registry.index(image.digest, []);
    expect(await registry.security(image.digest)).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("other layers"),
    });
  });
});
