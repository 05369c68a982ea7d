import { UsageError } from "./exit-code.ts";

/** The formats a result is written in. */
export const outputFormats = ["table", "json", "ndjson"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** One `-o FORMAT[=FILE]`; without a file it goes to standard output. */
export interface OutputTarget {
  readonly format: OutputFormat;
  readonly file?: string;
}

/**
 * Parses every `-o`; none means the table on standard output.
 * @throws UsageError for an unknown format, and when two results would share standard output
 */
export function parseOutputs(texts: readonly string[]): readonly OutputTarget[] {
  const targets = (texts.length === 0 ? ["table"] : texts).map(parseOutput);
  const onStdout = targets.filter((target) => target.file === undefined);
  if (onStdout.length > 1) {
    throw new UsageError(
      `-o: ${onStdout.map(({ format }) => format).join(" and ")} would both go to standard output; give one a file: -o json=FILE`,
    );
  }
  return targets;
}

function parseOutput(text: string): OutputTarget {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  const format = outputFormats.find((known) => known === name);
  if (format === undefined) {
    throw new UsageError(`-o: "${name}" is no format; the formats are ${outputFormats.join(", ")}`);
  }
  if (equals < 0) return { format };
  const file = text.slice(equals + 1);
  if (file === "") throw new UsageError(`-o: a file name is missing after "${text}"`);
  return { format, file };
}
