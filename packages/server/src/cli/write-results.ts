import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type CliIo, writeLines } from "./io.ts";
import type { OutputFormat, OutputTarget } from "./output-format.ts";

/** How one kind of result is written in each format: lines without their line ends. */
export type Renderers = Readonly<Record<OutputFormat, (width: number | undefined) => Iterable<string>>>;

/** Writes a result to every target. A file that cannot be written fails the command. */
export async function writeResults(targets: readonly OutputTarget[], renderers: Renderers, io: CliIo): Promise<void> {
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
