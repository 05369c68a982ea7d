import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The folder of shared test data (`vectors/`, `data/`) beside the clone, or the one that `PLIMSOLL_CORPUS` names.
 * Undefined where there is none: corpus tests are then skipped, with the reason in their titles.
 */
export function findCorpus(): string | undefined {
  const folder = process.env.PLIMSOLL_CORPUS ?? fileURLToPath(new URL("../../../../shared", import.meta.url));
  return existsSync(`${folder}/vectors`) ? folder : undefined;
}
