import { constants, createWriteStream } from "node:fs";
import { access, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ScanError } from "@plimsoll/core";
import { fileProblem } from "@plimsoll/core/internal";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { checkTemplate } from "@plimsoll/scanner/formats";
import { UsageError } from "./exit-code.ts";
import { type CliIo, writeLines } from "./io.ts";
import { type OutputRules, type OutputTarget, parseOutputs } from "./output-format.ts";

/** The renderers of a kind of result by format; each yields lines without line ends. */
export type Renderers<Format extends string> = Readonly<Record<Format, (place: OutputPlace) => Iterable<string>>>;

/** The output that a result is rendered for. */
export interface OutputPlace {
  /** The columns of the terminal; undefined for other outputs. */
  readonly width: number | undefined;
  /** The text of the template; empty for other formats. */
  readonly template: string;
}

/** An `-o` with the text of its template. */
export interface OpenedOutput<Format extends string> extends OutputTarget<Format> {
  readonly templateText?: string;
}

/** Parses every `-o` and reads its template. @throws UsageError as {@link parseOutputs}, and for a file that cannot be written */
export async function openOutputs<Format extends string>(
  texts: readonly string[],
  rules: OutputRules<Format>,
): Promise<readonly OpenedOutput<Format>[]> {
  const targets = parseOutputs(texts, rules);
  for (const { file } of targets) if (file !== undefined) await checkWritable(file);
  return Promise.all(targets.map(withTemplate));
}

async function withTemplate<Format extends string>(target: OutputTarget<Format>): Promise<OpenedOutput<Format>> {
  if (target.template === undefined) return target;
  return { ...target, templateText: await readTemplate(target.template) };
}

/** The size limit of a template. */
const maxTemplateBytes = 1024 ** 2;

/** @throws UsageError for a file that cannot be read or is not a valid template */
async function readTemplate(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    if (size > maxTemplateBytes) throw new UsageError(`-o: ${file} has ${size} bytes, more than ${maxTemplateBytes}`);
    const text = await readFile(file, "utf8");
    checkTemplate(text, safeText(file));
    return text;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error instanceof ScanError) throw new UsageError(`-o: ${error.message}`, { cause: error });
    throw new UsageError(`-o: ${fileProblem(file, "read", error)}`, { cause: error });
  }
}

/** Checked before the work begins, so that a long scan does not fail at its end. */
async function checkWritable(file: string): Promise<void> {
  try {
    const found = await stat(file).catch(() => undefined);
    if (found?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    if (found === undefined) await stat(`${dirname(file)}/.`);
    await access(found === undefined ? dirname(file) : file, constants.W_OK);
  } catch (error) {
    throw new UsageError(`-o: ${fileProblem(file, "written", error)}`, { cause: error });
  }
}

/** Writes a result to every target. A file that cannot be written fails the command. */
export async function writeResults<Format extends string>(
  targets: readonly OpenedOutput<Format>[],
  renderers: Renderers<Format>,
  io: CliIo,
): Promise<void> {
  for (const { format, file, templateText: template = "" } of targets) {
    if (file === undefined) {
      const width = io.stdout.isTTY === true ? io.stdout.columns : undefined;
      writeLines(io.stdout, renderers[format]({ width, template }));
    } else {
      const lines = renderers[format]({ width: undefined, template });
      await pipeline(Readable.from(lineEnded(lines)), createWriteStream(file));
    }
  }
}

function* lineEnded(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) yield `${line}\n`;
}
