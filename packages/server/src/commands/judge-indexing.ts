import type { IndexedImage } from "@plimsoll/scanner";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import type { Session } from "../cli/session.ts";
import { imageName } from "../render/image-header.ts";

/** The exit code for indexed images: with `--strict`, one that could not be read completely fails the command. */
export function judgeIndexing(session: Session, images: readonly IndexedImage[]): ExitCode {
  const partial = images.filter((image) => image.report.coverage.status === "partial");
  if (!session.settings.strict || partial.length === 0) return exitCodes.ok;
  for (const image of partial) session.warn(`--strict: ${imageName(image)} could not be read completely`);
  return exitCodes.scan;
}
