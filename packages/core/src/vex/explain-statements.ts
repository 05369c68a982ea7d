import { type ExplainedRecord, type Explanation, explanationOf, type StatementOnFinding } from "../match/explain.ts";
import {
  type FindStatement,
  isOver,
  purlsOfPackage,
  type StatedPackages,
  type StatementContext,
  statementFinder,
  takesOut,
} from "./find-statement.ts";
import type { VexStatement } from "./statement.ts";

/** What an explanation is held against. */
export interface ExplainedStatements extends StatementContext {
  /** The contents of the explained image. */
  readonly report: StatedPackages;
  readonly statements: readonly VexStatement[];
}

/**
 * An explanation with the statements of users on its findings: a package whose findings are all taken out is `suppressed`, and each statement
 * tells who made it, why, and until when. It takes out what {@link applyStatements} takes out of a report. Statements that are over take nothing
 * out, and are told too.
 * @example
 * declare const explanation: Explanation;
 * declare const report: IndexReport;
 * declare const statements: readonly VexStatement[];
 * const image = { digests: [report.manifestDigest], now: Date.now() };
 * const { answer } = explainStatements(explanation, { ...image, report, statements });
 */
export function explainStatements(explanation: Explanation, given: ExplainedStatements): Explanation {
  const { report, statements, now } = given;
  const [over, standing] = [
    statements.filter((each) => isOver(each, now)),
    statements.filter((each) => !isOver(each, now)),
  ];
  const find = statementFinder(standing, given);
  const { kernel: _, ...image } = given;
  const findOver = statementFinder(over.filter(takesOut), image);
  const records = explanation.records.map((record): ExplainedRecord => {
    const purls = purlsOfPackage(report, record.record.package.id);
    const on = (finder: FindStatement, { isExpired }: { readonly isExpired: boolean }) =>
      record.findings.flatMap((finding): readonly StatementOnFinding[] => {
        const statement = finder(finding.advisory, purls);
        return statement === undefined ? [] : [{ advisory: finding.advisory, statement, isExpired }];
      });
    const counting = on(find, { isExpired: false });
    const isTakenOut =
      counting.length > 0 && counting.filter(({ statement }) => takesOut(statement)).length === record.findings.length;
    const answer = record.answer === "affected" && isTakenOut ? "suppressed" : record.answer;
    return { ...record, answer, statements: [...counting, ...on(findOver, { isExpired: true })] };
  });
  return explanationOf(explanation, records);
}
