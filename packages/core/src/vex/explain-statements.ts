import { type ExplainedRecord, type Explanation, explanationOf, type StatementOnFinding } from "../match/explain.ts";
import {
  type FindStatement,
  hasExpired,
  purlsOfPackage,
  type StatedPackages,
  statementFinder,
  suppresses,
} from "./find-statement.ts";
import type { StatementContext, VexStatement } from "./statement.ts";

/** The statements and the image of an explanation. */
export interface ExplainedStatements extends StatementContext {
  /** The packages of the image. */
  readonly report: StatedPackages;
  readonly statements: readonly VexStatement[];
}

/**
 * Adds the statements of users to an explanation, each with its author, reason and expiry. A package whose findings are all suppressed has the
 * answer `suppressed`. The same findings are suppressed as by {@link applyStatements}. Expired statements are listed too, but suppress nothing.
 * @example
 * declare const explanation: Explanation;
 * declare const report: IndexReport;
 * declare const statements: readonly VexStatement[];
 * const image = { digests: [report.manifestDigest], now: Date.now() };
 * const { answer } = explainStatements(explanation, { ...image, report, statements });
 */
export function explainStatements(explanation: Explanation, given: ExplainedStatements): Explanation {
  const { report, statements, now } = given;
  const [expired, current] = [
    statements.filter((each) => hasExpired(each, now)),
    statements.filter((each) => !hasExpired(each, now)),
  ];
  const findCurrent = statementFinder(current, given);
  const { kernel: _, ...image } = given;
  const findExpired = statementFinder(expired.filter(suppresses), image);
  const records = explanation.records.map((record): ExplainedRecord => {
    const purls = purlsOfPackage(report, record.record.package.id);
    const statementsFrom = (find: FindStatement, { isExpired }: { readonly isExpired: boolean }) =>
      record.findings.flatMap((finding): readonly StatementOnFinding[] => {
        const statement = find(finding.advisory, purls);
        return statement === undefined ? [] : [{ advisory: finding.advisory, statement, isExpired }];
      });
    const effective = statementsFrom(findCurrent, { isExpired: false });
    const suppressing = effective.filter(({ statement }) => suppresses(statement));
    const isSuppressed = effective.length > 0 && suppressing.length === record.findings.length;
    const answer = record.answer === "affected" && isSuppressed ? "suppressed" : record.answer;
    return { ...record, answer, statements: [...effective, ...statementsFrom(findExpired, { isExpired: true })] };
  });
  return explanationOf(explanation, records);
}
