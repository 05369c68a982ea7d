import type { LockFile } from "./lock-rules.ts";

/** What known vulnerabilities mean for a change. */
export interface AuditResult {
  /** These fail the check. */
  readonly problems: readonly string[];
  /** These are only shown. */
  readonly notes: readonly string[];
}

interface AuditReport {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly range: string; readonly nodes?: readonly string[] }>
  >;
}

/** A vulnerability of a tool reaches no user. From these severities on it fails, since tools see our sources and our releases. */
const failingForTools = ["high", "critical"];

/**
 * Judges the answer of `npm audit --json`. A vulnerability of a published dependency fails with each severity; one of a development
 * dependency from `high` on.
 * @param lock says which packages are development dependencies only
 * @returns undefined if the registry gave no answer: then nothing is known
 */
export function judgeAudit(text: string, lock: LockFile): AuditResult | undefined {
  const { vulnerabilities } = parseReport(text);
  if (vulnerabilities === undefined) return undefined;
  const problems: string[] = [];
  const notes: string[] = [];
  for (const [name, { severity, range, nodes = [] }] of Object.entries(vulnerabilities)) {
    const isTool = nodes.length > 0 && nodes.every((path) => lock.packages[path]?.dev === true);
    const fails = !isTool || failingForTools.includes(severity);
    const where = isTool ? ", in a development dependency" : "";
    (fails ? problems : notes).push(`${name} ${range}: a known vulnerability, ${severity}${where}`);
  }
  return { problems, notes };
}

function parseReport(text: string): AuditReport {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
