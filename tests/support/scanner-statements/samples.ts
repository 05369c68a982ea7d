import type { Answered, Asked } from "../exchange.ts";

/** An object of an answer. */
export type Sample = Readonly<Record<string, unknown>>;

const sampled = [
  "manifest",
  "layer",
  "index_report",
  "index_state",
  "package",
  "distribution",
  "repository",
  "environment",
  "vulnerability",
  "range",
  "vulnerability_report",
  "notification_page",
  "notification",
  "notification_webhook",
  "update_operation",
  "update_diff",
  "affected_manifests",
  "error",
] as const;

/** A resource of the contract that there are samples of. */
export type SampledResource = (typeof sampled)[number];

/** Objects of a running service by the resource that they are. */
export type Samples = Readonly<Record<SampledResource, readonly Sample[]>>;

interface Known {
  readonly manifest: object;
  readonly submitted: Answered;
  /** Of the images whose index reports are read, the one with vulnerabilities first. */
  readonly digests: readonly string[];
  readonly set: string;
}

/** Asks every operation that reads, and takes the answers apart. */
export async function collectSamples(
  ask: (path: string, asked?: Asked) => Promise<Answered>,
  { manifest, submitted, digests, set }: Known,
): Promise<Samples> {
  const look = async (path: string, asked?: Asked) => (await ask(path, asked)).json as Sample;
  const found = await Promise.all(digests.map((digest) => look(`/indexer/api/v1/index_report/${digest}`)));
  const reports = [submitted.json as Sample, ...found];
  const vulnerabilityReport = await look(`/matcher/api/v1/vulnerability_report/${digests[0]}`);
  const page = await look(`/notifier/api/v1/notification/${set}`);
  const updates = Object.values(await look("/matcher/api/v1/internal/update_operation")).flat() as Sample[];
  const refs = updates.map(({ ref }) => ref);
  const diff = await look(`/matcher/api/v1/internal/update_diff?prev=${refs[1]}&cur=${refs[0]}`);
  const vulnerabilities = Object.values(vulnerabilityReport.vulnerabilities as object) as Sample[];
  const affected = await look("/indexer/api/v1/internal/affected_manifest", { method: "POST", body: vulnerabilities });
  const inventories = [...reports, vulnerabilityReport];
  const listed = (name: string) => inventories.flatMap((each) => Object.values(each[name] ?? {}) as Sample[]);
  return {
    manifest: [manifest as Sample],
    layer: (manifest as { layers: Sample[] }).layers,
    index_report: reports,
    index_state: [await look("/indexer/api/v1/index_state")],
    package: listed("packages"),
    distribution: listed("distributions"),
    repository: listed("repository"),
    environment: listed("environments").flat() as unknown as Sample[],
    vulnerability: [...vulnerabilities, ...(diff.added as Sample[])],
    range: vulnerabilities.flatMap(({ range }) => (range === undefined ? [] : [range as Sample])),
    vulnerability_report: [vulnerabilityReport],
    notification_page: [page],
    notification: page.notifications as Sample[],
    notification_webhook: [],
    update_operation: updates,
    update_diff: [diff],
    affected_manifests: [affected],
    error: [await look("/indexer/api/v1/index_report/x")],
  };
}
