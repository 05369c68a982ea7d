import type { Command } from "commander";
import type { LicenseRules } from "../../commands/licenses.ts";
import type { ReportFlags } from "../../commands/report.ts";
import type { SbomFlags } from "../../commands/sbom.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Session } from "../session.ts";

/** The flags of single commands. */
export interface OwnOptions extends ReportFlags, LicenseRules, SbomFlags {
  readonly package?: string;
  readonly feed?: readonly string[];
  readonly all?: boolean;
  readonly from?: string;
  readonly outputFile?: string;
  readonly output?: readonly string[];
  readonly format?: readonly string[];
  /** As the user wrote them; a list where the flag may be repeated. */
  readonly asOf?: string | readonly string[];
}

/** Sets the action of a command. The action loads its modules when it runs, so that help and usage errors are fast. */
export type Run = (
  command: Command,
  act: (session: Session, words: readonly string[], options: OwnOptions) => Promise<ExitCode>,
) => void;
