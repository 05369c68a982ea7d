/** What existing clients of the reference read: every answer of the profile by a strict schema, with versions that have an epoch. */
import { buildImage, buildLayer, usualTestEngine } from "@plimsoll/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exchange } from "./support/exchange.ts";
import { putNotificationSet } from "./support/notification-set.ts";
import { debianRelease, dpkgStatus } from "./support/sample-image.ts";
import { loadTracker, startTestService, type TestService } from "./support/scanner-service.ts";

/** Packages of the distribution with a source of their own and without one, and packages of two languages. */
const image = await buildImage({
  layers: [
    await buildLayer({
      "etc/os-release": debianRelease,
      "var/lib/dpkg/status": dpkgStatus("zlib1g 1:1.2.13.dfsg-1 zlib", "bash 5.2.15-2 bash", "tar 1.34"),
      "app/node_modules/left-pad/package.json": JSON.stringify({ name: "left-pad", version: "1.3.0" }),
      "usr/lib/python3/dist-packages/six-1.16.0.dist-info/METADATA":
        "Metadata-Version: 2.1\nName: six\nVersion: 1.16.0\n",
    }),
  ],
});
const set = "0b0e0000-0000-4000-8000-000000000001";
const summary = {
  ...{ id: "7", name: "CVE-2023-45853", normalized_severity: "High", fixed_in_version: "1:1.3" },
  package: { name: "zlib", version: "", kind: "source" },
  distribution: { id: "", did: "debian", version_id: "12", version_code_name: "bookworm" },
};

const text = { type: "string" };
const whole = (properties: object, optional: object = {}) => ({
  type: "object",
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
});
const texts = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, text]));
const mapOf = (schema: object) => ({ type: "object", additionalProperties: schema });
const listOf = (schema: object) => ({ type: "array", items: schema });
const digest = { type: "string", pattern: "^sha(256|512):[0-9a-f]+$" };
const instant = { type: "string", pattern: "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$" };

/** A client splits a normalized version at its colon; numbers follow. */
const packageMembers = {
  ...texts("id", "name", "version", "module", "arch", "cpe"),
  normalized_version: { type: "string", pattern: "^$|^[a-z0-9]+:\\d+(\\.\\d+){9}$" },
  kind: { enum: ["binary", "source", ""] },
};
const packageSchema = whole(packageMembers, { source: whole(packageMembers) });
/** A matcher reads the source of every package of a report. */
const listedPackage = whole({ ...packageMembers, source: whole(packageMembers) });
const distribution = whole(
  texts("id", "did", "name", "version", "version_code_name", "version_id", "arch", "cpe", "pretty_name"),
);
const repository = whole(texts("id", "name", "key", "uri", "cpe"));
const environment = whole({
  ...texts("package_db", "distribution_id"),
  introduced_in: digest,
  repository_ids: listOf(text),
});
const severity = { enum: ["Unknown", "Negligible", "Low", "Medium", "High", "Critical"] };
const vulnerability = whole(
  {
    ...texts("id", "updater", "name", "description", "links", "severity", "fixed_in_version"),
    ...{ issued: instant, normalized_severity: severity, package: packageSchema, distribution, repository },
  },
  { arch_op: { enum: ["equals", "not equals", "pattern match"] } },
);
/** Beside the members of the reference, the exact rule of an advisory. */
const ruled = { ...vulnerability, properties: { ...vulnerability.properties, rule: { type: "object" } } };
const inventory = {
  packages: { ...mapOf(listedPackage), minProperties: 5 },
  distributions: mapOf(distribution),
  repository: mapOf(repository),
  environments: { ...mapOf({ ...listOf(environment), minItems: 1 }), minProperties: 5 },
};
const operation = whole({
  ...texts("ref", "updater", "fingerprint"),
  date: instant,
  kind: { enum: ["vulnerability"] },
});
const indexReport = whole({
  manifest_hash: digest,
  state: text,
  success: { type: "boolean" },
  err: text,
  ...inventory,
});
const shown = whole(
  {
    ...texts("name", "description", "links", "fixed_in_version"),
    ...{ normalized_severity: severity, severity },
  },
  { package: packageSchema, distribution, repository, repo: repository },
);

describe("the reference profile", () => {
  const resources = new AsyncDisposableStack();
  let service: TestService;
  const ask = (path: string, method = "GET", body?: unknown) => exchange(service.url + path, { method, body });
  beforeAll(async () => {
    const { location } = resources.use(await usualTestEngine.create());
    await loadTracker(location, {
      zlib: { "CVE-2023-45853": { fixed: "1:1.3.dfsg-1", urgency: "high" } },
      bash: { "CVE-1": {} },
    });
    service = resources.use(await startTestService(location, { compatibility: "reference", vendor: "clair" }));
    await putNotificationSet(location, {
      id: set,
      manifest: image.digest,
      names: ["CVE-1"],
      more: { repository: { id: "1", name: "pypi" } },
    });
    await ask("/indexer/api/v1/index_report", "POST", service.manifestOf(image));
  });
  afterAll(() => resources.disposeAsync());

  const latest = async () => {
    const { json } = await ask("/matcher/api/v1/internal/update_operation?latest=true");
    return (json as { debian: readonly { ref: string }[] }).debian[0]?.ref;
  };

  it.each<[string, object, () => Promise<unknown>]>([
    ["index report", indexReport, async () => (await ask(`/indexer/api/v1/index_report/${image.digest}`)).json],
    [
      "report of a submission",
      indexReport,
      async () => (await ask("/indexer/api/v1/index_report", "POST", service.manifestOf(image))).json,
    ],
    [
      "vulnerability report",
      whole({
        manifest_hash: digest,
        ...inventory,
        vulnerabilities: { ...mapOf(vulnerability), minProperties: 2 },
        package_vulnerabilities: mapOf(listOf(text)),
        enrichments: whole({}),
      }),
      async () => (await ask(`/matcher/api/v1/vulnerability_report/${image.digest}`)).json,
    ],
    [
      "affected manifests",
      whole({
        vulnerabilities: { ...mapOf(vulnerability), minProperties: 1 },
        vulnerable_manifests: mapOf(listOf(text)),
      }),
      async () =>
        (await ask("/indexer/api/v1/internal/affected_manifest/", "POST", { vulnerabilities: [summary] })).json,
    ],
    [
      "update operations",
      mapOf(listOf(operation)),
      async () => (await ask("/matcher/api/v1/internal/update_operation")).json,
    ],
    [
      "update difference",
      whole({ cur: operation, added: { ...listOf(ruled), minItems: 2 }, removed: listOf(ruled) }),
      async () => (await ask(`/matcher/api/v1/internal/update_diff?cur=${await latest()}`)).json,
    ],
    [
      "notification page",
      whole({
        page: whole({ size: { type: "integer" } }, { next: text }),
        notifications: {
          ...listOf(
            whole({ id: text, manifest: digest, reason: { enum: ["added", "removed"] }, vulnerability: shown }),
          ),
          minItems: 1,
        },
      }),
      async () => (await ask(`/notifier/api/v1/notification/${set}`)).json,
    ],
    ["index state", whole({ state: text }), async () => (await ask("/indexer/api/v1/index_state")).json],
    ["error", whole(texts("code", "message")), async () => (await ask("/indexer/api/v1/index_report/x")).json],
  ])("writes each %s as its clients read it", async (_, schema, look) => {
    const validate = new Ajv2020({ allErrors: true, strict: false }).compile(schema);

    validate(await look());

    expect(validate.errors ?? []).toEqual([]);
  });
});
