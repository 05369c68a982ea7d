/** The two compatibility profiles beside each other over HTTP: a row for each difference that the documentation names. */
import { readFileSync } from "node:fs";
import { buildImage, buildLayer, usualTestEngine } from "@plimsoll/testing";
import { SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CompatibilityProfile } from "../packages/server/src/config/service-settings.ts";
import { compatibilityProfiles } from "../packages/server/src/config/settings/service-settings.ts";
import { differences } from "../packages/server/src/serve/compatibility.ts";
import { type Answered, type Asked, exchange } from "./support/exchange.ts";
import { putNotificationSet } from "./support/notification-set.ts";
import { debianRelease, dpkgStatus } from "./support/sample-image.ts";
import { loadTracker, startTestService, type TestService } from "./support/scanner-service.ts";

const image = await buildImage({
  layers: [
    await buildLayer({
      "etc/os-release": debianRelease,
      "var/lib/dpkg/status": dpkgStatus("openssl 3.0.11-1~deb12u1"),
      "app/node_modules/left-pad/package.json": JSON.stringify({ name: "left-pad", version: "1.3.0" }),
    }),
  ],
});
const key = Buffer.from("thirty-two bytes of a shared key");
const unknown = `sha256:${"0".repeat(64)}`;
const zeros = "00000000-0000-0000-0000-000000000000";
const set = "0b0e0000-0000-4000-8000-000000000001";
const indexReport = "/indexer/api/v1/index_report";
const affected = "/indexer/api/v1/internal/affected_manifest";
const notifications = `/notifier/api/v1/notification/${set}`;
const setOfDebian = "0b0e0000-0000-4000-8000-000000000002";
const ofDebian = `/notifier/api/v1/notification/${setOfDebian}`;
const vulnerabilityReport = `/matcher/api/v1/vulnerability_report/${image.digest}`;
const diff = "/matcher/api/v1/internal/update_diff";

/** The services that a row asks: one with an image and advisories, a new one, and one with a key. */
interface World {
  readonly filled: TestService;
  readonly empty: TestService;
  readonly locked: TestService;
}

interface Row {
  readonly operation: string;
  /** As the table of differences has it. */
  readonly difference: string;
  /** What a client sees. */
  readonly look: (world: World) => Promise<unknown>;
  readonly contract: unknown;
  readonly reference: unknown;
}

const ask = (service: TestService, path: string, asked?: Asked) => exchange(service.url + path, asked);
const submit = (service: TestService, body: unknown, type = "application/json") =>
  ask(service, indexReport, { method: "POST", body, headers: { "content-type": type } });
const kindsOf = ({ text }: Answered) => [...new Set(text.match(/"kind":"(binary|source)"/gi))].sort();
const kinds = {
  contract: ['"kind":"BINARY"', '"kind":"SOURCE"'],
  reference: ['"kind":"binary"', '"kind":"source"'],
};
const sources = { contract: ['"kind":"SOURCE"'], reference: ['"kind":"source"'] };
const origins = ({ json }: Answered) => {
  const { packages } = json as { packages: Readonly<Record<string, { name: string; source?: { name: string } }>> };
  return Object.fromEntries(Object.values(packages).map(({ name, source }) => [name, source?.name ?? "none"]));
};
const sourceIs = "a package has no source if none is known, and may have no environment";
const sourcesOf = {
  contract: { openssl: "openssl", "left-pad": "none" },
  reference: { openssl: "openssl", "left-pad": "" },
};
const urgencyIs = "Debian's unimportant is Negligible, and low, medium and high have these names";
const severityOf = (vulnerability: object) => {
  const { severity, normalized_severity } = vulnerability as Readonly<Record<string, string>>;
  return { severity, normalized_severity };
};
const urgencies = {
  contract: { severity: "high", normalized_severity: "High" },
  reference: { severity: "high", normalized_severity: "Critical" },
};
const latestRef = async (service: TestService): Promise<string> => {
  const { json } = await ask(service, "/matcher/api/v1/internal/update_operation");
  return (json as { debian: readonly { ref: string }[] }).debian[0]?.ref ?? "";
};
const firstOf = (map: unknown): object => Object.values(map as object)[0];
const inventory = ({ json }: Answered) => {
  const { err, packages, distributions, environments } = json as Record<string, object>;
  const [id = ""] = Object.entries(packages ?? {}).find(([, { name }]) => name === "openssl") ?? [];
  const [environment] = (environments as Record<string, readonly object[]>)[id] ?? [];
  const { cpe: packageCpe } = (packages as Record<string, { cpe?: string }>)[id] ?? {};
  const { arch } = firstOf(distributions) as { arch?: string };
  return { err, packageCpe, arch, repositories: (environment as { repository_ids?: unknown }).repository_ids };
};
const unknownOf = "what is not known is absent";
const emptyInventory = { packageCpe: "", arch: "", repositories: [] };
const kindIs = "a package's kind is BINARY or SOURCE";

/** Of a vulnerability what the profiles write differently. */
function spokenOf(vulnerability: object) {
  const { description, fixed_in_version, range, package: of, distribution, repository } = vulnerability as Spoken;
  return {
    ...{ description, fixed_in_version, range, module: of.module },
    ...{ did: distribution?.did, repository },
  };
}

interface Spoken {
  readonly description?: string;
  readonly fixed_in_version?: string;
  readonly range?: object;
  readonly package: { readonly module?: string };
  readonly distribution?: { readonly did?: string };
  readonly repository?: object;
}

const wholeVulnerability = {
  ...{ description: "", fixed_in_version: "", module: "", did: "debian" },
  repository: { id: "", name: "", key: "", uri: "", cpe: "" },
};

const rows: readonly Row[] = [
  {
    operation: "all",
    difference: "errors have the vendor's media type",
    look: async ({ filled }) => (await ask(filled, `${indexReport}/${unknown}`)).headers["content-type"],
    contract: "application/vnd.clair.error.v1+json",
    reference: "application/json",
  },
  {
    operation: "all",
    difference: "the Content-Type of a request body is checked",
    look: async ({ filled }) => (await submit(filled, filled.manifestOf(image), "text/plain")).status,
    contract: 415,
    reference: 201,
  },
  {
    operation: "all",
    difference: "a path with a slash at its end is unknown",
    look: async ({ filled }) => (await ask(filled, `${affected}/`, { method: "POST", body: [] })).status,
    contract: 404,
    reference: 200,
  },
  {
    operation: "all",
    difference: "services sign as plimsoll-intraservice, webhooks as plimsoll-notifier",
    look: ({ locked }) => Promise.all(["plimsoll-intraservice", "clair-intraservice"].map((iss) => enter(locked, iss))),
    contract: [200, 401],
    reference: [401, 200],
  },
  {
    operation: "indexManifest",
    difference: "a manifest without layers is an empty image",
    look: async ({ filled }) => {
      const answers = [await submit(filled, { hash: unknown }), await submit(filled, { hash: unknown, layers: [] })];
      return answers.map(({ status, text }) => [status, text.includes("bogus manifest")]);
    },
    contract: [
      [201, false],
      [201, false],
    ],
    reference: [
      [400, true],
      [400, true],
    ],
  },
  {
    operation: "getVulnerabilityReport",
    difference: "answers 201",
    look: async ({ filled }) => (await ask(filled, vulnerabilityReport)).status,
    contract: 201,
    reference: 200,
  },
  {
    operation: "getVulnerabilityReport",
    difference: "before the first advisories a report has no vulnerabilities, and its coverage says why",
    look: async ({ empty }) => {
      const malformed = await ask(empty, "/matcher/api/v1/vulnerability_report/x");
      const missing = await ask(empty, `/matcher/api/v1/vulnerability_report/${unknown}`);
      await submit(empty, empty.manifestOf(image));
      const answer = await ask(empty, vulnerabilityReport);
      return [
        malformed.status,
        missing.status,
        answer.status,
        answer.text.includes('"covered":false'),
        answer.text === "",
      ];
    },
    contract: [400, 404, 201, true, false],
    reference: [400, 202, 202, false, true],
  },
  {
    operation: "getUpdateDiff",
    difference: "prev is required, cur defaults to the newest operation of the same updater",
    look: async ({ filled }) => {
      const ref = await latestRef(filled);
      const [fromBeginning, toNewest] = [
        await ask(filled, `${diff}?cur=${ref}`),
        await ask(filled, `${diff}?prev=${ref}`),
      ];
      const added = (fromBeginning.json as { added?: readonly object[] }).added?.length;
      return [fromBeginning.status, added, toNewest.status];
    },
    contract: [400, undefined, 200],
    reference: [200, 1, 400],
  },
  {
    operation: "getNotificationPage",
    difference: "page.size is the number of notifications in the page",
    look: async ({ filled }) => {
      const paths = [`${notifications}?page_size=7`, notifications, `${notifications}?page_size=0`];
      const answers = await Promise.all(paths.map((path) => ask(filled, path)));
      return answers.map(({ json }) => (json as { page: { size: number } }).page.size);
    },
    contract: [1, 1, 1],
    reference: [7, 500, 500],
  },
  {
    operation: "getNotificationPage",
    difference: "next is page.next of another page",
    look: async ({ filled }) => (await ask(filled, `${notifications}?next=${zeros}`)).status,
    contract: 400,
    reference: 200,
  },
  {
    operation: "getNotificationPage",
    difference: "a vulnerability has normalized_severity and repository",
    look: async ({ filled }) => {
      const { json } = await ask(filled, notifications);
      const [first] = (json as { notifications: readonly { vulnerability: Record<string, unknown> }[] }).notifications;
      const { severity, normalized_severity, repo, repository, description } = first?.vulnerability ?? {};
      return { severity, normalized_severity, repo, repository, description };
    },
    contract: { normalized_severity: "High", repository: { id: "1", name: "pypi" } },
    reference: {
      severity: "High",
      normalized_severity: "High",
      repo: { id: "1", name: "pypi", key: "", uri: "", cpe: "" },
      repository: { id: "1", name: "pypi", key: "", uri: "", cpe: "" },
      description: "",
    },
  },
  {
    operation: "getIndexReport",
    difference: unknownOf,
    look: async ({ filled }) => inventory(await ask(filled, `${indexReport}/${image.digest}`)),
    contract: {},
    reference: { err: "", ...emptyInventory },
  },
  {
    operation: "indexManifest",
    difference: unknownOf,
    look: async ({ filled }) => inventory(await submit(filled, filled.manifestOf(image))),
    contract: {},
    reference: { err: "", ...emptyInventory },
  },
  {
    operation: "getVulnerabilityReport",
    difference: unknownOf,
    look: async ({ filled }) => {
      const answer = await ask(filled, vulnerabilityReport);
      return { ...inventory(answer), ...spokenOf(firstOf((answer.json as Record<string, object>).vulnerabilities)) };
    },
    contract: { did: "debian" },
    reference: { ...emptyInventory, ...wholeVulnerability },
  },
  {
    operation: "getVulnerabilityReport",
    difference: "the enrichments are what was looked at, aliases, ratings, CVSS scores and others",
    look: async ({ filled }) => {
      const { json, headers } = await ask(filled, vulnerabilityReport);
      return [Object.keys((json as { enrichments: object }).enrichments), headers["clair-coverage"]];
    },
    contract: [["application/vnd.plimsoll.coverage+json"], undefined],
    reference: [[], 'partial;uncovered="npm"'],
  },
  {
    operation: "getIndexReport",
    difference: sourceIs,
    look: async ({ filled }) => origins(await ask(filled, `${indexReport}/${image.digest}`)),
    ...sourcesOf,
  },
  {
    operation: "indexManifest",
    difference: sourceIs,
    look: async ({ filled }) => origins(await submit(filled, filled.manifestOf(image))),
    ...sourcesOf,
  },
  {
    operation: "getVulnerabilityReport",
    difference: sourceIs,
    look: async ({ filled }) => origins(await ask(filled, vulnerabilityReport)),
    ...sourcesOf,
  },
  {
    operation: "affectedManifests",
    difference: unknownOf,
    look: async ({ filled }) => {
      const { json } = await ask(filled, affected, { method: "POST", body: [{ ...summary, range: { ")": "1:2" } }] });
      return spokenOf(firstOf((json as Record<string, object>).vulnerabilities));
    },
    contract: { range: { ")": "1:2" }, did: "debian" },
    reference: wholeVulnerability,
  },
  {
    operation: "getUpdateDiff",
    difference: unknownOf,
    look: async ({ filled }) => {
      const { json } = await ask(filled, `${diff}?prev=${zeros}&cur=${await latestRef(filled)}`);
      return spokenOf(firstOf((json as Record<string, object>).added));
    },
    contract: { did: "debian" },
    reference: wholeVulnerability,
  },
  {
    operation: "getVulnerabilityReport",
    difference: urgencyIs,
    look: async ({ filled }) => {
      const { json } = await ask(filled, vulnerabilityReport);
      return severityOf(firstOf((json as Record<string, object>).vulnerabilities));
    },
    ...urgencies,
  },
  {
    operation: "getNotificationPage",
    difference: urgencyIs,
    look: async ({ filled }) => {
      const { json } = await ask(filled, ofDebian);
      const [first] = (json as { notifications: readonly { vulnerability: object }[] }).notifications;
      return severityOf(first?.vulnerability ?? {}).normalized_severity;
    },
    contract: "High",
    reference: "Critical",
  },
  {
    operation: "getUpdateDiff",
    difference: urgencyIs,
    look: async ({ filled }) => {
      const { json } = await ask(filled, `${diff}?prev=${zeros}&cur=${await latestRef(filled)}`);
      return severityOf(firstOf((json as Record<string, object>).added));
    },
    ...urgencies,
  },
  {
    operation: "getIndexReport",
    difference: kindIs,
    look: async ({ filled }) => kindsOf(await ask(filled, `${indexReport}/${image.digest}`)),
    ...kinds,
  },
  {
    operation: "indexManifest",
    difference: kindIs,
    look: async ({ filled }) => kindsOf(await submit(filled, filled.manifestOf(image))),
    ...kinds,
  },
  {
    operation: "affectedManifests",
    difference: kindIs,
    look: async ({ filled }) => kindsOf(await ask(filled, affected, { method: "POST", body: [summary] })),
    ...sources,
  },
  {
    operation: "getVulnerabilityReport",
    difference: kindIs,
    look: async ({ filled }) => kindsOf(await ask(filled, vulnerabilityReport)),
    ...kinds,
  },
  {
    operation: "getUpdateDiff",
    difference: kindIs,
    look: async ({ filled }) => kindsOf(await ask(filled, `${diff}?prev=${zeros}&cur=${await latestRef(filled)}`)),
    ...sources,
  },
  {
    operation: "getNotificationPage",
    difference: kindIs,
    look: async ({ filled }) => kindsOf(await ask(filled, notifications)),
    ...sources,
  },
];

const summary = {
  name: "CVE-2024-0001",
  normalized_severity: "High",
  package: { name: "openssl", version: "", kind: "SOURCE" },
  distribution: { id: "", did: "debian", version_id: "12", version_code_name: "bookworm" },
};

async function enter(service: TestService, issuer: string): Promise<number> {
  const token = await new SignJWT().setProtectedHeader({ alg: "HS256" }).setIssuer(issuer).sign(key);
  const headers = { authorization: `Bearer ${token}` };
  return (await ask(service, "/indexer/api/v1/index_state", { headers })).status;
}

async function openWorld(compatibility: CompatibilityProfile, resources: AsyncDisposableStack): Promise<World> {
  const settings = { compatibility, vendor: "clair" };
  const start = async (location: string, more = {}) =>
    resources.use(await startTestService(location, { ...settings, ...more }));
  const [filled, empty] = [
    resources.use(await usualTestEngine.create()),
    resources.use(await usualTestEngine.create()),
  ];
  await loadTracker(filled.location, { openssl: { "CVE-2024-0001": { urgency: "high" } } });
  const world = {
    filled: await start(filled.location),
    empty: await start(empty.location),
    locked: await start(empty.location, { auth: { key, issuers: ["client"] } }),
  };
  await putNotificationSet(filled.location, {
    id: set,
    manifest: image.digest,
    names: ["CVE-1"],
    more: { repository: { id: "1", name: "pypi" } },
  });
  await putNotificationSet(filled.location, {
    id: setOfDebian,
    manifest: image.digest,
    names: ["CVE-2"],
    more: { distribution: { id: "1", did: "debian" } },
  });
  await submit(world.filled, world.filled.manifestOf(image));
  return world;
}

describe.each(compatibilityProfiles)("the %s profile", (profile) => {
  const resources = new AsyncDisposableStack();
  let world: World;
  beforeAll(async () => {
    world = await openWorld(profile, resources);
  });
  afterAll(() => resources.disposeAsync());

  it.each(rows)("$operation: $difference", async (row) => {
    expect(await row.look(world)).toEqual(row[profile]);
  });

  it("names the vendor in media types and in the trailer", async () => {
    const { headers } = await ask(world.filled, `${indexReport}/${image.digest}`);

    expect(headers).toMatchObject({
      "content-type": "application/vnd.clair.index_report.v1+json",
      trailer: "Clair-Error",
    });
  });
});

describe("the table of differences", () => {
  it("has a row here for each", () => {
    const told = differences.map(({ operation, contract }) => `${operation}: ${contract}`);

    expect(rows.map(({ operation, difference }) => `${operation}: ${difference}`).sort()).toEqual(told.sort());
  });

  it("is in the documentation whole", () => {
    const page = readFileSync(new URL("../docs/reference/scanner-api.md", import.meta.url), "utf8");

    for (const { operation, contract, reference } of differences) {
      expect(page).toContain(`| ${operation} | ${contract} | ${reference} |`);
    }
  });
});
