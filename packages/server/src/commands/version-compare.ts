import { ScanError, versionSchemes } from "@plimsoll/scanner";
import { type ExitCode, exitCodes, UsageError } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";

const signs = { "-1": "<", 0: "=", 1: ">" } as const;

interface ComparedVersions {
  readonly schemeName: string;
  readonly a: string;
  readonly b: string;
}

/** `plimsoll version compare SCHEME A B`: prints `A < B`, `A = B` or `A > B`. */
export function versionCompare(io: CliIo, { schemeName, a, b }: ComparedVersions): ExitCode {
  const scheme = versionSchemes[schemeName];
  if (scheme === undefined) {
    const known = Object.keys(versionSchemes).join(", ");
    throw new UsageError(`"${schemeName}" is not a version scheme; the schemes are ${known}`);
  }
  const order = scheme.compare(parsed(scheme, a), parsed(scheme, b));
  io.stdout.write(`${a} ${signs[order]} ${b}\n`);
  return exitCodes.ok;
}

function parsed(scheme: (typeof versionSchemes)[string], text: string): unknown {
  try {
    return scheme.parse(text);
  } catch (error) {
    if (error instanceof ScanError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}
