/** What the scanner's contract says of the service and its resources, line by line. The file is long because it is a table. */
import { expect } from "vitest";
import { debianImage } from "../sample-image.ts";
import {
  affectedManifest,
  digest,
  expectError,
  indexReport,
  list,
  member,
  notification,
  object,
  type ScannerStatement,
  text,
  typeOf,
  unknown,
  updateOperation,
  uuid,
  vulnerabilityReport,
  word,
} from "./statement.ts";
import type { StatementsWorld } from "./world.ts";

const severities = ["Unknown", "Negligible", "Low", "Medium", "High", "Critical"];
const severity = expect.stringMatching(new RegExp(`^(${severities.join("|")})$`));
const kind = expect.stringMatching(/^(BINARY|SOURCE)$/);
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const cpe = expect.stringMatching(/^cpe:(\/|2\.3:)/);
const uri = expect.stringMatching(/^https?:\/\//);
const layer = { hash: unknown, uri: "http://127.0.0.1:1/layer" };
const truth = expect.any(Boolean);
/** A package that the image of the world has. */
const binary = { name: "libssl3", version: "", kind: "BINARY" };

/** The conventions, in the order of the contract. */
const conventions: readonly ScannerStatement[] = [
  {
    line: 3,
    word: "stands for the vendor segment",
    description: "the vendor segment is part of media types and of the trailer's name",
    check: async ({ ask, digest: known }) => {
      const { headers } = await ask(`${indexReport}/${known}`);
      expect([headers["content-type"], headers.trailer]).toEqual([typeOf("index_report"), "Scanner-Error"]);
    },
  },
  {
    line: 7,
    word: "match it against known vulnerabilities",
    description: "what was indexed is matched",
    check: async ({ samples }) => {
      const names = samples.vulnerability.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(["CVE-2024-0001", "CVE-2023-45853"]));
    },
  },
  {
    line: 9,
    word: "stores an index report of discovered packages, repositories and distributions",
    description: "layers are fetched, and the report of what is in them is stored",
    check: async ({ service, ask, image, samples }) => {
      const paths = service.layers.requests.map(({ path }) => path);
      const { json } = await ask(`${indexReport}/${image.digest}`);
      expect(paths).toEqual(expect.arrayContaining(image.layers.map((each) => `/${each.digest}`)));
      expect(json).toEqual(samples.index_report[0]);
      expect(samples.package.map(({ name }) => name)).toEqual(expect.arrayContaining(["libssl3", "zlib1g", "musl"]));
    },
  },
  {
    line: 10,
    word: "already-indexed manifest",
    description: "there is a report of what was indexed and of nothing else",
    check: async ({ ask, digest: known }) => {
      expect((await ask(`${vulnerabilityReport}/${known}`)).status).toBe(201);
      expectError(await ask(`${vulnerabilityReport}/${unknown}`), 404);
    },
  },
  {
    line: 11,
    word: "in pages",
    description: "notifications come in pages",
    check: async ({ ask, sets }) => {
      const first = await ask(`${notification}/${sets[0]}?page_size=2`);
      expect(first.json).toMatchObject({ page: { size: 2, next: text } });
    },
  },
  {
    line: 12,
    word: "`indexer` and `matcher` paths",
    description: "internal endpoints are beside the others, and marked",
    check: async ({ published }) => expectInternal(published),
  },
  {
    line: 13,
    word: "application/vnd.scanner.<type>.v1+json",
    description: "bodies are JSON under the vendor's media types",
    check: async ({ ask }) => {
      const { headers, json } = await ask("/indexer/api/v1/index_state");
      expect([headers["content-type"], json]).toEqual([typeOf("index_state"), { state: text }]);
    },
  },
  {
    line: 17,
    word: "BLAKE3 is not implemented",
    description: "digests are of SHA256 or SHA512, CPE names of 2.2 or 2.3",
    check: async ({ submit, published }) => {
      expect((await submit({ hash: `sha512:${"1".repeat(128)}` })).status).toBe(201);
      expectError(await submit({ hash: `blake3:${"1".repeat(64)}` }), 400);
      expect(published.components.schemas.package?.properties.cpe).toMatchObject({ pattern: "^cpe:(/|2\\.3:)" });
    },
  },
];

/** What is submitted. */
const submissions: readonly ScannerStatement[] = [
  {
    line: 23,
    word: "not enforced",
    description: "a manifest has a digest, and any digest will do",
    check: async ({ submit }) => {
      expectError(await submit({ layers: [] }), 400);
      const hash = `sha256:${"a".repeat(64)}`;
      expect((await submit({ hash, layers: [] })).json).toMatchObject({ manifest_hash: hash, success: true });
    },
  },
  {
    line: 24,
    word: "in order",
    description: "layers are optional, and the later one wins",
    check: async ({ submit, service }) => {
      expect((await submit({ hash: `sha256:${"b".repeat(64)}` })).status).toBe(201);
      const image = await debianImage(["a 1", "b 1"], ["c 1"]);
      const { packages } = (await submit(service.manifestOf(image))).json as { packages: object };
      expect(Object.values(packages).map(({ name }) => name)).toEqual(["c"]);
    },
  },
  refusesLayer(30, "digest of the layer blob", { what: "a layer without hash", incomplete: { uri: layer.uri } }),
  refusesLayer(31, "where the blob can be downloaded", {
    what: "a layer without uri",
    incomplete: { hash: layer.hash },
  }),
  {
    line: 32,
    word: "^[a-zA-Z0-9-_]+$",
    description: "headers are sent to the layer's server, names and values are checked",
    check: async ({ submit, service, image }) => {
      const [first] = image.layers;
      const fetched = service.layers.requests.filter(({ path }) => path === `/${first?.digest}`);
      expect(fetched.map(({ headers }) => headers["x-layer"])).toContain("yes");
      expectError(await submit({ hash: unknown, layers: [{ ...layer, headers: { "a b": ["c"] } }] }), 400);
      expectError(await submit({ hash: unknown, layers: [{ ...layer, headers: { a: "b" } }] }), 400);
    },
  },
  member(33, "layer.media_type", { form: text }),
];

/** What is answered. */
const resources: readonly ScannerStatement[] = [
  member(39, "index_report.manifest_hash", { presence: "required", form: digest }),
  member(40, "index_report.state", { presence: "required", form: text }),
  {
    line: 41,
    word: "error message when indexing was unsuccessful",
    description: "a failed report says why, a finished one has no err",
    check: async ({ submit, ask, samples }) => {
      const hash = `sha256:${"c".repeat(64)}`;
      await submit({ hash, layers: [{ hash: unknown, uri: "http://169.254.169.254/" }] });
      expect((await ask(`${indexReport}/${hash}`)).json).toMatchObject({ success: false, err: text });
      expect(samples.index_report.filter((report) => "err" in report)).toEqual([]);
    },
  },
  member(42, "index_report.success", { presence: "required", form: truth }),
  keyedObjects(43, "packages", { resource: "package" }),
  keyedObjects(44, "distributions", { resource: "distribution" }),
  keyedObjects(45, "repository", { resource: "repository" }),
  keyedLists(46, "environments", ({ samples }) => samples.index_report),
  {
    line: 50,
    word: "opaque token",
    description: "the index state is a token",
    check: async ({ samples }) => expect(samples.index_state).toEqual([{ state: text }]),
  },
  member(56, "package.id", { form: text }),
  member(57, "package.name", { presence: "required", form: text }),
  member(58, "package.version", { presence: "required", form: text }),
  member(59, "package.kind", { form: kind }),
  member(60, "package.source", { presence: "optional", form: expect.objectContaining({ name: text, version: text }) }),
  member(61, "package.normalized_version", { presence: "rare", form: text }),
  member(62, "package.module", { presence: "rare", form: text }),
  member(63, "package.arch", { form: text }),
  member(64, "package.cpe", { presence: "rare", form: cpe }),
  member(70, "distribution.id", { presence: "required", form: text }),
  member(71, "distribution.did", { form: word }),
  member(72, "distribution.name", { form: text }),
  member(73, "distribution.version", { form: text }),
  member(74, "distribution.version_code_name", { form: word }),
  member(75, "distribution.version_id", { form: word }),
  member(76, "distribution.arch", { presence: "rare", form: text }),
  member(77, "distribution.cpe", { presence: "rare", form: cpe }),
  member(78, "distribution.pretty_name", { form: text }),
  member(84, "repository.id", { presence: "required", form: text }),
  member(85, "repository.name", { form: text }),
  member(86, "repository.key", { presence: "rare", form: text }),
  member(87, "repository.uri", { form: uri }),
  member(88, "repository.cpe", { presence: "rare", form: cpe }),
  member(94, "environment.package_db", { form: text }),
  member(95, "environment.distribution_id", { form: text }),
  member(96, "environment.introduced_in", { form: digest }),
  member(97, "environment.repository_ids", { form: expect.arrayContaining([text]) }),
  {
    line: 99,
    word: "All fields optional",
    description: "an environment has no required member",
    check: async ({ published }) => expect(published.components.schemas.environment?.required ?? []).toEqual([]),
  },
  member(105, "vulnerability.name", { presence: "required", form: text }),
  member(106, "vulnerability.fixed_in_version", { form: text }),
  member(107, "vulnerability.severity", { form: text }),
  member(108, "vulnerability.normalized_severity", { presence: "required", form: severity }),
  member(109, "vulnerability.range", { form: object }),
  {
    line: 110,
    word: "pattern match",
    description: "arch_op says how the package's arch is read",
    check: async (world) => {
      const { arch_op: operations } = world.published.components.schemas.vulnerability?.properties ?? {};
      expect(operations).toMatchObject({ enum: ["equals", "not equals", "pattern match"] });
      const by = (operation: string, arch: string) =>
        isAffected(world, { arch_op: operation, package: { ...binary, arch } });
      expect([await by("equals", "amd64"), await by("equals", "arm64")]).toEqual([true, false]);
      expect([await by("not equals", "amd64"), await by("not equals", "arm64")]).toEqual([false, true]);
      expect([await by("pattern match", "amd64|i386"), await by("pattern match", "arm.*")]).toEqual([true, false]);
    },
  },
  member(111, "vulnerability.package", {
    presence: "optional",
    form: expect.objectContaining({ name: text, version: text }),
  }),
  member(112, "vulnerability.distribution", { presence: "optional", form: expect.objectContaining({ id: text }) }),
  member(113, "vulnerability.repository", { presence: "rare", form: expect.objectContaining({ id: text }) }),
  {
    line: 115,
    word: "at least one of package, distribution, repository",
    description: "a vulnerability describes one of the three, asked for or answered",
    check: async ({ ask, published, samples }) => {
      const forms = ["package", "distribution", "repository"].map((name) => ({ required: [name] }));
      const { vulnerability, vulnerability_summary: summary } = published.components.schemas;
      expect([vulnerability?.anyOf, summary?.anyOf]).toEqual([forms, forms]);
      for (const each of samples.vulnerability)
        expect(forms.some(({ required: [name = ""] }) => name in each)).toBe(true);
      const body = [{ name: "CVE-1", normalized_severity: "High" }];
      expectError(await ask(affectedManifest, { method: "POST", body }), 400);
    },
  },
  {
    line: 119,
    word: "upper bound exclusive",
    description: "a range ends before its upper bound",
    check: async (world) => {
      expect(Object.keys(world.published.components.schemas.range?.properties ?? {})).toEqual(["[", ")"]);
      const at = (range: object) => isAffected(world, { range });
      expect(await at({ "[": "3.0.11-1~deb12u1", ")": "3.0.12" })).toBe(true);
      expect(await at({ "[": "3.0.11-1~deb12u2", ")": "3.0.12" })).toBe(false);
      expect(await at({ "[": "3.0.10", ")": "3.0.11-1~deb12u1" })).toBe(false);
    },
  },
  member(125, "vulnerability_report.manifest_hash", { presence: "required", form: digest }),
  member(126, "vulnerability_report.packages", { presence: "required", form: object }),
  member(127, "vulnerability_report.distributions", { presence: "required", form: object }),
  member(128, "vulnerability_report.repository", { form: object }),
  keyedLists(129, "environments", ({ samples }) => samples.vulnerability_report),
  keyedObjects(130, "vulnerabilities", { resource: "vulnerability", report: "vulnerability_report" }),
  {
    line: 131,
    word: "arrays of vulnerability ids keyed by package id",
    description: "each package that something is wrong with names its vulnerabilities",
    check: async ({ samples }) => {
      const [report] = samples.vulnerability_report;
      const { packages, vulnerabilities, package_vulnerabilities: found } = report as Record<string, object>;
      expect(Object.keys(found ?? {}).length).toBeGreaterThan(0);
      expect(Object.keys(packages ?? {})).toEqual(expect.arrayContaining(Object.keys(found ?? {})));
      const ids = Object.values(found ?? {}).flat();
      expect(Object.keys(vulnerabilities ?? {}).sort()).toEqual([...new Set(ids)].sort());
    },
  },
  keyedLists(132, "enrichments", ({ samples }) => samples.vulnerability_report),
  member(138, "notification_page.page", { presence: "required", form: object }),
  {
    line: 139,
    word: "number of notifications in this page",
    description: "size is how many there are",
    check: async ({ samples }) => {
      const [page] = samples.notification_page;
      expect(page).toMatchObject({ page: { size: 3 }, notifications: expect.objectContaining({ length: 3 }) });
    },
  },
  {
    line: 140,
    word: "when absent there are no more pages",
    description: "next leads to the next page, and the last page has none",
    check: async ({ ask, sets }) => {
      const { page } = (await ask(`${notification}/${sets[0]}?page_size=2`)).json as { page: { next: string } };
      const last = await ask(`${notification}/${sets[0]}?page_size=2&next=${encodeURIComponent(page.next)}`);
      expect(last.json).toMatchObject({ page: { size: 1 } });
      expect((last.json as { page: object }).page).not.toHaveProperty("next");
    },
  },
  member(141, "notification_page.notifications", { presence: "required", form: list }),
  member(147, "notification.id", { presence: "required", form: text }),
  member(148, "notification.manifest", { presence: "required", form: digest }),
  member(149, "notification.reason", { presence: "required", form: expect.stringMatching(/^(added|removed)$/) }),
  {
    line: 150,
    word: "name, fixed_in_version, links, description, normalized_severity, package, distribution",
    description: "a notification shows a summary of the vulnerability",
    check: async ({ samples }) => {
      const [{ vulnerability } = {}] = samples.notification;
      expect(vulnerability).toMatchObject({
        ...{ name: "CVE-1", fixed_in_version: "3.0.12", description: "It leaks.", normalized_severity: "High" },
        links: "https://example.com/1 https://example.com/2",
        package: { name: "openssl" },
        distribution: { did: "debian" },
      });
    },
  },
  member(156, "notification_webhook.notification_id", { presence: "required", form: uuid }),
  member(157, "notification_webhook.callback", { presence: "required", form: uri }),
  member(163, "update_operation.ref", { presence: "required", form: uuid }),
  member(164, "update_operation.updater", { presence: "required", form: "debian" }),
  member(165, "update_operation.fingerprint", { presence: "required", form: text }),
  member(166, "update_operation.date", { presence: "required", form: instant }),
  member(167, "update_operation.kind", {
    presence: "required",
    form: expect.stringMatching(/^(vulnerability|enrichment)$/),
  }),
  {
    line: 171,
    word: "mapping an updater name to an array of update_operation",
    description: "update operations are listed by updater",
    check: async ({ ask, refs }) => {
      const { json } = await ask(updateOperation);
      expect(json).toMatchObject({ debian: expect.arrayContaining([expect.objectContaining({ ref: refs[0] })]) });
    },
  },
  member(177, "update_diff.prev", { form: expect.objectContaining({ ref: uuid }) }),
  member(178, "update_diff.cur", { presence: "required", form: expect.objectContaining({ ref: uuid }) }),
  {
    line: 179,
    word: "present in cur, not in prev",
    description: "added is what the newer operation has more",
    check: async ({ samples }) => {
      expect(samples.update_diff).toMatchObject([{ added: [{ name: "CVE-2024-0001" }] }]);
    },
  },
  {
    line: 180,
    word: "present in prev, not in cur",
    description: "removed is what the older operation has more",
    check: async ({ ask, refs }) => {
      const [newest, older] = refs;
      const { json } = await ask(`/matcher/api/v1/internal/update_diff?prev=${newest}&cur=${older}`);
      expect(json).toMatchObject({ added: [], removed: [{ name: "CVE-2024-0001" }] });
    },
  },
  keyedObjects(186, "vulnerabilities", { resource: "vulnerability", report: "affected_manifests" }),
  {
    line: 187,
    word: "array of vulnerability ids keyed by manifest digest",
    description: "each image that is affected names its vulnerabilities",
    check: async ({ samples, digest: known }) => {
      const [{ vulnerabilities, vulnerable_manifests: manifests } = {}] = samples.affected_manifests;
      expect(manifests).toEqual({ [known]: expect.arrayContaining(Object.keys(vulnerabilities as object)) });
    },
  },
  {
    line: 191,
    word: "array of digest",
    description: "bulk_delete is a list of digests",
    check: async ({ ask }) => {
      const headers = { "content-type": typeOf("bulk_delete") };
      expect((await ask(indexReport, { method: "DELETE", body: [unknown], headers })).status).toBe(200);
      expectError(await ask(indexReport, { method: "DELETE", body: ["x"], headers }), 400);
      expectError(await ask(indexReport, { method: "DELETE", body: { digests: [unknown] }, headers }), 400);
    },
  },
  {
    line: 192,
    word: "array of vulnerability summary",
    description: "vulnerability_summaries is a list, published as such",
    check: async ({ ask, published }) => {
      const headers = { "content-type": typeOf("vulnerability_summaries") };
      expect((await ask(affectedManifest, { method: "POST", body: [], headers })).status).toBe(200);
      expectError(await ask(affectedManifest, { method: "POST", body: ["x"], headers }), 400);
      expect(published.components.schemas.vulnerability_summaries).toMatchObject({ type: "array" });
    },
  },
  {
    line: 193,
    word: "`message` (string, required)",
    description: "an error has a message and may have a code",
    check: async ({ published, samples }) => {
      expect(published.components.schemas.error?.required).toEqual(["message"]);
      expect(samples.error).toEqual([{ code: text, message: text }]);
    },
  },
  {
    line: 198,
    word: "opaque `state` token",
    description: "a report has a state and a flag, the indexer a state of its own",
    check: async ({ samples, ask }) => {
      expect(samples.index_report[0]).toMatchObject({ state: "IndexFinished", success: true });
      expect((await ask("/indexer/api/v1/index_state")).headers.etag).toBe(`"${samples.index_state[0]?.state}"`);
    },
  },
  {
    line: 200,
    word: "`vulnerability` or `enrichment`",
    description: "reasons and kinds are of two words each",
    check: async ({ published, ask }) => {
      const { notification: told, update_operation: operation } = published.components.schemas;
      expect(told?.properties.reason).toEqual({ enum: ["added", "removed"] });
      expect(operation?.properties.kind).toEqual({ enum: ["vulnerability", "enrichment"] });
      expectError(await ask(`${updateOperation}?kind=other`), 400);
    },
  },
];

/** In the order of the contract. */
export const statementsOfResources: readonly ScannerStatement[] = [...conventions, ...submissions, ...resources];

/** That internal endpoints have the paths that the contract gives them, and are marked. */
export async function expectInternal({ paths }: StatementsWorld["published"]): Promise<void> {
  const internal = Object.entries(paths).filter(([, methods]) =>
    Object.values(methods).some((operation) => operation["x-internal"] === true),
  );
  const names = internal.map(([path]) => path);
  expect(names).toEqual(Object.keys(paths).filter((path) => path.includes("/internal/")));
  expect(names.filter((path) => !/^\/(indexer|matcher)\/api\/v1\/internal\//.test(path))).toEqual([]);
  expect(names.length).toBeGreaterThan(3);
}

function refusesLayer(
  line: number,
  holds: string,
  { what, incomplete }: { readonly what: string; readonly incomplete: object },
): ScannerStatement {
  return {
    ...{ line, word: holds, description: `${what} is refused` },
    check: async ({ submit }) => expectError(await submit({ hash: unknown, layers: [incomplete] }), 400),
  };
}

type Report = "index_report" | "vulnerability_report" | "affected_manifests";

/** A map of objects of a resource by an identifier, which is the object's `id`. */
function keyedObjects(
  line: number,
  name: string,
  { resource, report = "index_report" }: { readonly resource: string; readonly report?: Report },
): ScannerStatement {
  return {
    ...{ line, word: name, description: `${report} has ${name}: objects of ${resource} by their id` },
    check: async ({ published, samples }) => {
      expect(JSON.stringify(published.components.schemas[report]?.properties[name])).toContain(`schemas/${resource}"`);
      const entries = samples[report].flatMap((each) => Object.entries(each[name] as Record<string, object>));
      expect(entries).not.toEqual([]);
      for (const [id, value] of entries) expect(value).toMatchObject({ id });
    },
  };
}

/** A map of lists by an identifier. */
function keyedLists(
  line: number,
  name: string,
  reports: (world: StatementsWorld) => readonly Readonly<Record<string, unknown>>[],
): ScannerStatement {
  return {
    ...{ line, word: name, description: `${name} are lists by identifier` },
    check: async (world) => {
      const lists = reports(world).flatMap((each) => Object.values(each[name] as object));
      expect(lists).not.toEqual([]);
      for (const each of lists) expect(each).toEqual(list);
    },
  };
}

/** Whether the image of the world is found by a summary of openssl. */
async function isAffected({ ask, digest: known }: StatementsWorld, more: object): Promise<boolean> {
  const summary = {
    ...{ name: "CVE-1", normalized_severity: "High" },
    package: { name: "openssl", version: "", kind: "SOURCE" },
    distribution: { id: "1", did: "debian", version_id: "12" },
  };
  const headers = { "content-type": typeOf("vulnerability_summaries") };
  const { json } = await ask(affectedManifest, { method: "POST", body: [{ ...summary, ...more }], headers });
  return known in (json as { vulnerable_manifests: object }).vulnerable_manifests;
}
