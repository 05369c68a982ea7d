import { formatExplanation } from "@plimsoll/scanner";
import { databaseProblem } from "../cli/database-age.ts";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import type { Session } from "../cli/session.ts";
import { safeText } from "../render/terminal-text.ts";
import { indexOptions } from "./index-options.ts";

/** `plimsoll explain SOURCE CVE [--package N]`: why a vulnerability applies to an image, or why not. */
export async function explain(
  session: Session,
  word: string,
  vulnerability: string,
  packageName: string | undefined,
): Promise<ExitCode> {
  const { settings, io } = session;
  const source = await session.source(word);
  await using scanner = await session.openToRead();
  const problem = databaseProblem(await scanner.feeds(), settings.maxDbAgeDays, io.now());
  if (problem !== undefined) session.warn(problem);
  if (problem !== undefined && settings.strict) return exitCodes.database;
  for await (const image of scanner.indexAll(source, indexOptions(session, session.platform()))) {
    session.progress.clear();
    const question = { vulnerability, ...(packageName === undefined ? {} : { packageName }) };
    const explanation = await scanner.explain(image.report, question);
    for (const line of formatExplanation(explanation).split("\n")) io.stdout.write(`${safeText(line)}\n`);
  }
  return exitCodes.ok;
}
