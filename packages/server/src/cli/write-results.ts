import { constants, createWriteStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileProblem } from "@plimsoll/core";
import { UsageError } from "./exit-code.ts";
import { type CliIo, writeLines } from "./io.ts";
import { type OutputRules, type OutputTarget, parseOutputs } from "./output-format.ts";

/** How one kind of result is written in each format: lines without their line ends. */
export type Renderers<Format extends string> = Readonly<
  Record<Format, (width: number | undefined) => Iterable<string>>
>;

/** The targets of every `-o`. @throws UsageError for what {@link parseOutputs} refuses, and for a file that cannot be written */
export async function openOutputs<Format extends string>(
  texts: readonly string[],
  rules: OutputRules<Format>,
): Promise<readonly OutputTarget<Format>[]> {
  const targets = parseOutputs(texts, rules);
  for (const { file } of targets) if (file !== undefined) await checkWritable(file);
  return targets;
}

/** Says before the work begins what its end would fail by. */
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
  targets: readonly OutputTarget<Format>[],
  renderers: Renderers<Format>,
  io: CliIo,
): Promise<void> {
  for (const { format, file } of targets) {
    if (file === undefined) {
      writeLines(io.stdout, renderers[format](io.stdout.isTTY === true ? io.stdout.columns : undefined));
    } else {
      await pipeline(Readable.from(lineEnded(renderers[format](undefined))), createWriteStream(file));
    }
  }
}

function* lineEnded(lines: Iterable<string>): Iterable<string> {
  for (const line of lines) yield `${line}\n`;
}
