import { compareSeverity, type Severity } from "@plimsoll/core";
import type { OperationContext } from "../context.ts";
import { nameToFind } from "../security/finding-counts.ts";

/**
 * All names of a vulnerability as they are stored: also those that only advisories of other packages than an image has give it. Where the
 * scanner cannot be asked, the one that was asked for.
 */
export async function namesToAsk(
  { ports }: Pick<OperationContext, "ports">,
  asked: string,
): Promise<readonly string[]> {
  const names = (await ports.imageScanner?.names?.(asked).catch(() => undefined)) ?? [];
  return [...new Set([asked, ...names].map(nameToFind))];
}

/** What an image has of a vulnerability by one of its names. */
interface Found {
  readonly severity: Severity;
  readonly has_fix: 0 | 1 | null;
  readonly is_exploited: 0 | 1 | null;
}

/** What an image has of a vulnerability by two of its names: the worse of both. */
export function worseOf<Named extends Found>(one: Named, other: Named): Named {
  const worse = compareSeverity(one.severity, other.severity) < 0 ? other : one;
  const is = (member: "has_fix" | "is_exploited") => (one[member] === 1 || other[member] === 1 ? 1 : 0);
  return { ...worse, has_fix: is("has_fix"), is_exploited: is("is_exploited") };
}
