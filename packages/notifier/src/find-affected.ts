import type { Json, VulnerabilityJson } from "@plimsoll/core";
import type { AffectedChange } from "./find-notifications.ts";
import { summarize } from "./notification.ts";
import type { AffectedSource, Vulnerabilities } from "./ports.ts";

/** Vulnerabilities of one question. */
const perQuestion = 1_000;

/** What finding affected manifests may be given. */
export interface FindAffectedOptions {
  readonly signal?: AbortSignal;
  /** Called before each question. */
  readonly onQuestion?: () => Promise<void>;
}

/** The manifests that vulnerabilities apply to. Vulnerabilities that apply to none are left out. */
export async function findAffected(
  source: AffectedSource,
  vulnerabilities: Vulnerabilities,
  options: FindAffectedOptions = {},
): Promise<readonly AffectedChange[]> {
  const affected: AffectedChange[] = [];
  let batch: VulnerabilityJson[] = [];
  for await (const vulnerability of vulnerabilities) {
    if (batch.push(vulnerability) < perQuestion) continue;
    affected.push(...(await ask(source, batch, options)));
    batch = [];
  }
  if (batch.length > 0) affected.push(...(await ask(source, batch, options)));
  return affected;
}

async function ask(
  source: AffectedSource,
  batch: readonly VulnerabilityJson[],
  { signal, onQuestion }: FindAffectedOptions,
): Promise<readonly AffectedChange[]> {
  signal?.throwIfAborted();
  await onQuestion?.();
  const answer = await source.affectedManifests(batch as unknown as Json, signal === undefined ? {} : { signal });
  const manifests = new Map<string, string[]>();
  for (const [manifest, ids] of Object.entries(answer.vulnerable_manifests)) {
    for (const id of ids) {
      const known = manifests.get(id);
      if (known === undefined) manifests.set(id, [manifest]);
      else known.push(manifest);
    }
  }
  return batch.flatMap((vulnerability) => {
    const found = manifests.get(vulnerability.id);
    return found === undefined ? [] : [{ vulnerability: summarize(vulnerability), manifests: found }];
  });
}
