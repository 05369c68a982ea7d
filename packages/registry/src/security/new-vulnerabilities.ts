import type { VulnerabilityReportJson } from "@plimsoll/core/report";
import type { ImageRepository } from "../access/queries.ts";
import { type EventDeps, eventJobs } from "../events/emit-event.ts";
import { matchesEventConfig } from "../events/event-config.ts";
import type { MethodConfig } from "../events/notification-methods.ts";
import { insertJobs } from "../events/queries/notifications.ts";
import { listFindingReceivers, listTagsShowing, putNotifiedFindings } from "./queries/findings.ts";

/** The severities for which new images and new feeds cause events if a notification names no level: images have hundreds of others. */
const firstSeverities: ReadonlySet<string> = new Set(["Critical", "High"]);

/** The most tags of an image that an event names. */
const maxTags = 100;

/** The most events that are queued in one statement. */
const jobsAtOnce = 500;

/** A vulnerability, as notifications show it. */
export interface NewVulnerability {
  readonly id: string;
  readonly description: string;
  /** Addresses, separated by blanks. */
  readonly link: string;
  readonly priority: string;
  readonly has_fix: boolean;
}

/** An image and its repository. */
export interface TaggedImage {
  readonly manifestId: string;
  readonly repository: Pick<ImageRepository, "id" | "namespace" | "name">;
}

/** The cause of events: an image was scanned for the first time, a feed is new, or a feed was updated. */
export type FindingCause = "scan" | "feed" | "update";

/** The vulnerabilities of an image for which events are emitted, and the cause. */
export interface EmittedVulnerabilities {
  readonly vulnerabilities: readonly NewVulnerability[];
  readonly cause: FindingCause;
}

/** The worst first. */
const severities = ["Critical", "High", "Medium", "Low", "Negligible", "Unknown"];

/**
 * The vulnerabilities of a report. One that several packages have is listed once, with the worst severity, and with a fix if one of them
 * has a fix. Vulnerabilities that are suppressed in all packages are left out, although the report still describes them.
 */
export function vulnerabilitiesOf({
  vulnerabilities,
  package_vulnerabilities: found,
}: VulnerabilityReportJson): readonly NewVulnerability[] {
  const ids = new Set(Object.values(found).flat());
  const unsuppressed = Object.entries(vulnerabilities).flatMap(([id, each]) => (ids.has(id) ? [each] : []));
  return [...Map.groupBy(unsuppressed, ({ name }) => name)].flatMap(([id, same]) => {
    const [worst] = same.toSorted((one, other) => rankOf(one) - rankOf(other));
    if (worst === undefined) return [];
    const { description = "", links: link = "", normalized_severity: priority } = worst;
    return [{ id, description, link, priority, has_fix: same.some(({ fixed_in_version }) => !!fixed_in_version) }];
  });
}

function rankOf({ normalized_severity }: { readonly normalized_severity: string }): number {
  const rank = severities.indexOf(normalized_severity);
  return rank === -1 ? severities.length : rank;
}

/**
 * Queues an event for each vulnerability of an image and each notification that wants it, once. Queues nothing if neither the image nor an
 * index that lists it has a tag. Must run in a transaction.
 */
export async function emitVulnerabilities(
  deps: EventDeps,
  { manifestId, repository }: TaggedImage,
  { vulnerabilities, cause }: EmittedVulnerabilities,
): Promise<void> {
  const { db, clock } = deps;
  const now = clock.now();
  const tags = await listTagsShowing(db, { repositoryId: repository.id, manifestId, now, limit: maxTags });
  if (tags.length === 0) return;
  const wanted = await findWanted(deps, repository.id, { vulnerabilities, cause });
  const findings = wanted.map(({ vulnerability: { id, priority } }) => ({ name: id, priority }));
  const fresh = new Set((await putNotifiedFindings(db, { manifestId, now }, findings)).map(({ name }) => name));
  const jobs = wanted
    .filter(({ vulnerability }) => fresh.has(vulnerability.id))
    .flatMap(({ vulnerability: { id, description, link, priority, has_fix }, receivers }) => {
      const vulnerability = { id, description, link, priority, has_fix };
      const members = { tags, vulnerability, vulnerable_index_report_created: cause === "scan" ? "true" : undefined };
      return eventJobs(deps, repository, { receivers, members });
    });
  for (let first = 0; first < jobs.length; first += jobsAtOnce)
    await insertJobs(db, jobs.slice(first, first + jobsAtOnce), clock);
}

interface WantedVulnerability {
  readonly vulnerability: NewVulnerability;
  /** The ids of the notifications that want it. */
  readonly receivers: readonly string[];
}

async function findWanted(
  { db }: Pick<EventDeps, "db">,
  repositoryId: string,
  { vulnerabilities, cause }: EmittedVulnerabilities,
): Promise<readonly WantedVulnerability[]> {
  const receivers = (await listFindingReceivers(db, repositoryId)).map(({ id, event_config }) => ({
    id,
    config: JSON.parse(event_config) as MethodConfig,
  }));
  return vulnerabilities.flatMap((vulnerability) => {
    const ids = receivers.filter(({ config }) => wants(config, vulnerability, cause)).map(({ id }) => id);
    return ids.length === 0 ? [] : [{ vulnerability, receivers: ids }];
  });
}

function wants(config: MethodConfig, { priority }: NewVulnerability, cause: FindingCause): boolean {
  const hasLevel = config.level !== undefined && config.level !== null;
  if (cause !== "update" && !hasLevel) return firstSeverities.has(priority);
  return matchesEventConfig("vulnerability_found", config, { vulnerability: { priority } });
}
