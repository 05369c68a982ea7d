import { safeText } from "@plimsoll/core/internal/safe-text";
import { type Explanation, withStatementsExplained } from "@plimsoll/scanner";
import { parseAsOf } from "../cli/as-of.ts";
import { databaseProblem } from "../cli/database-age.ts";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import { explainFormats } from "../cli/output-format.ts";
import type { Session } from "../cli/session.ts";
import { openOutputs, writeResults } from "../cli/write-results.ts";
import { explainRenderers } from "../render/explain-results.ts";
import { nothingAttached, readAttachedStatements } from "./attached-statements.ts";
import { indexOptions } from "./scan.ts";
import { kernelRule, readStatements } from "./stated-scans.ts";

/** The vulnerability to explain, and optionally a package and a date. */
export interface ExplainQuestion {
  readonly vulnerability: string;
  readonly packageName?: string;
  /** The day or time of the advisories, in the form of `--as-of`; by default now. */
  readonly asOf?: string;
}

/** `plimsoll explain SOURCE CVE [--package N]`: explains why a vulnerability affects an image, or why not. */
export async function explain(session: Session, word: string, asked: ExplainQuestion): Promise<ExitCode> {
  const { asOf: asOfText, ...question } = asked;
  const { settings, io } = session;
  const platform = session.platform();
  const outputs = await openOutputs(settings.output, { formats: explainFormats, several: platform === "all" });
  const known = asOfText === undefined ? {} : { asOf: parseAsOf(asOfText, io.now()) };
  const source = await session.source(word);
  const given = await readStatements(session);
  await using scanner = await session.openToRead({ indexesAtOnce: true });
  const problem = databaseProblem(await scanner.feeds(), settings.maxDbAgeDays, io.now());
  if (problem !== undefined) session[settings.strict ? "fail" : "warn"](problem);
  if (problem !== undefined && settings.strict) return exitCodes.database;
  const explanations: Explanation[] = [];
  for await (const image of scanner.indexAll(source, indexOptions(session, platform))) {
    const explanation = await scanner.explain(image.report, question, known);
    const [attached = nothingAttached] = await readAttachedStatements(session, source, [image.report.manifestDigest]);
    const statements = [...attached.statements, ...given];
    const context = { digests: attached.digests, now: io.now(), ...kernelRule(session) };
    explanations.push(withStatementsExplained({ explanation, image, statements, ...context }));
  }
  session.progress.clear();
  await writeResults(outputs, explainRenderers(explanations, { several: platform === "all" }), io);
  const open = explanations.filter(({ answer }) => openAnswers.has(answer));
  if (!settings.strict || open.length === 0) return exitCodes.ok;
  const answers = [...new Set(open.map(({ answer }) => answer))].join(", ");
  session.fail(
    `--strict: whether ${safeText(question.vulnerability)} affects ${safeText(word)} could not be decided (${answers})`,
  );
  return exitCodes.scan;
}

/** Answers after which the image may be affected or not. */
const openAnswers: ReadonlySet<Explanation["answer"]> = new Set([
  "undecided",
  "not-covered",
  "no-matcher",
  "database-damaged",
  "not-assessed",
] as const);
