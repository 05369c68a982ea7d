import type { VulnerabilityReportJson } from "@plimsoll/core";
import type { ImageRepository } from "../access/queries/image-repositories.ts";
import { listAliveTagsOf } from "../content/queries/tags.ts";
import { type EventContext, emitEvent } from "../events/repository-notifications.ts";
import type { ImageScanner, ScannableImage } from "../ports.ts";

/** The severities of which vulnerabilities are reported when an image is scanned for the first time. */
const notifiedSeverities: ReadonlySet<string> = new Set(["Critical", "High"]);

/** The most tags of an image that an event names. */
const maxTags = 100;

/** A vulnerability, as notifications show it. */
export interface NewVulnerability {
  readonly id: string;
  readonly description: string;
  /** Addresses, separated by blanks. */
  readonly link: string;
  readonly priority: string;
  readonly has_fix: boolean;
}

/** An image that was read, and where it is. */
export interface ReadImage extends ScannableImage {
  readonly manifestId: string;
  readonly repository: Pick<ImageRepository, "id" | "namespace" | "name">;
}

/** Finds the vulnerabilities to report for an image that was just scanned. */
export async function findNewVulnerabilities(
  scanner: ImageScanner,
  image: ReadImage,
  signal: AbortSignal,
): Promise<readonly NewVulnerability[]> {
  const outcome = await scanner.find(image, { signal });
  return outcome.status === "scanned" ? severeOnes(outcome.report) : [];
}

/** Each once, although several packages may have it; fixed where one of them can be. */
function severeOnes({ vulnerabilities }: VulnerabilityReportJson): readonly NewVulnerability[] {
  const severe = Object.values(vulnerabilities).filter(({ normalized_severity }) =>
    notifiedSeverities.has(normalized_severity),
  );
  return [...Map.groupBy(severe, ({ name }) => name)].flatMap(([id, same]) => {
    const [first] = same;
    if (first === undefined) return [];
    const { description = "", links: link = "", normalized_severity: priority } = first;
    return [{ id, description, link, priority, has_fix: same.some(({ fixed_in_version }) => !!fixed_in_version) }];
  });
}

/** Emits an event for each vulnerability of an image that has tags. Must run in a transaction. */
export async function emitVulnerabilities(
  context: EventContext,
  { manifestId, repository }: ReadImage,
  vulnerabilities: readonly NewVulnerability[],
): Promise<void> {
  const { db, ports } = context;
  const alive = { repositoryId: repository.id, manifestId, now: ports.clock.now() };
  const tags = (await listAliveTagsOf(db, alive)).map(({ name }) => name).slice(0, maxTags);
  if (tags.length === 0) return;
  for (const { id, description, link, priority, has_fix } of vulnerabilities) {
    const vulnerability = { id, description, link, priority, has_fix };
    const members = { tags, vulnerability, vulnerable_index_report_created: "true" };
    await emitEvent(context, repository, "vulnerability_found", members);
  }
}
