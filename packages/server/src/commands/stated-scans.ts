import { readFile, stat } from "node:fs/promises";
import { fileProblem } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { parseVex, type ScanReport, type StatedOptions, type VexStatement, withStatements } from "@plimsoll/scanner";
import { UsageError } from "../cli/exit-code.ts";
import type { Session } from "../cli/session.ts";
import { ignoreStatement } from "../config/ignore-rules.ts";
import { type AttachedStatements, nothingAttached } from "./attached-statements.ts";

/** The size limit of a VEX document. */
const maxVexBytes = 128 * 1024 ** 2;

/**
 * Reads the statements of all VEX files and ignore rules of the settings.
 * @throws UsageError for a file that cannot be read, ScanError `malformed_vex` for one that is no VEX document
 */
export async function readStatements({ settings }: Session): Promise<readonly VexStatement[]> {
  const statements: VexStatement[] = settings.ignore.map(ignoreStatement);
  for (const file of settings.vex) {
    for (const statement of parseVex(await readVexFile(file), safeText(file))) statements.push(statement);
  }
  return statements;
}

async function readVexFile(file: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(file);
    if (size > maxVexBytes) throw new UsageError(`--vex: ${file} has ${size} bytes, more than ${maxVexBytes}`);
    return await readFile(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`--vex: ${fileProblem(file, "read", error)}`, { cause: error });
  }
}

/** Reports after applying statements, and notes about expired and unused statements. */
export interface StatedScans {
  readonly reports: readonly ScanReport[];
  readonly notes: readonly string[];
}

/** Options of {@link stateScans}. */
export interface ScansOptions extends Pick<StatedOptions, "now" | "kernel"> {
  /** The attached statements of each image, in the order of the scans. */
  readonly attached?: readonly AttachedStatements[];
}

/** Whether findings in kernel packages of containers are suppressed. */
export function kernelRule({ settings }: Session): Pick<StatedOptions, "kernel"> {
  return settings.kernelFindings ? {} : { kernel: "set-aside" };
}

/** Applies statements to scans. A statement is unused if it matches nothing in any of them. */
export function stateScans(
  reports: readonly ScanReport[],
  statements: readonly VexStatement[],
  { now, attached = [], kernel }: ScansOptions,
): StatedScans {
  const isNothingStated = statements.length === 0 && attached.every((each) => each.statements.length === 0);
  if (isNothingStated && kernel === undefined) return { reports, notes: [] };
  const stated = reports.map((report, index) => {
    const { statements: own, digests } = attached[index] ?? nothingAttached;
    return withStatements(report, [...own, ...statements], { now, digests, kernel });
  });
  const unused = statements.filter((each) => stated.every((scan) => scan.unused.includes(each)));
  const expired = statements.filter((each) => stated.some((scan) => scan.expired.includes(each)));
  return {
    reports: stated.map(({ report }) => report),
    notes: [
      ...(reports.length === 0 ? [] : unused.map((each) => `${name(each)} matches no finding`)),
      ...expired.map((each) => `${name(each)} has expired and was not applied`),
    ],
  };
}

function name({ place, vulnerability }: VexStatement): string {
  return `the statement on ${safeText(vulnerability[0] ?? "")} (${safeText(place)})`;
}
