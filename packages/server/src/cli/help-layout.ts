import { type Command, Help, type HelpConfiguration } from "commander";
import type { Output } from "./io.ts";

/** The width if that of the terminal is unknown. */
const usualWidth = 80;
/** Lines are not wrapped shorter than this, even in a narrower terminal. */
const leastWidth = 50;
/** The greatest width of the column of flags or commands: in characters, and as a share of the width. */
const [mostTermWidth, mostTermShare] = [30, 0.4];

/** The width of help texts, in characters: that of the terminal. */
export function helpWidthOf({ columns }: Output): number {
  return Math.max(columns || usualWidth, leastWidth);
}

/** Wraps help to the width of the terminal. The description of a long term begins on the next line. */
export const helpLayout: HelpConfiguration & ThisType<Help> = {
  minWidthToWrap: 1,
  padWidth(command, helper) {
    const width = Math.floor(mostTermShare * (helper.helpWidth ?? usualWidth));
    return Math.min(Help.prototype.padWidth.call(this, command, helper), mostTermWidth, width);
  },
  formatItem(term, termWidth, description) {
    return wrapEntry(term, description, { indent: 2, termWidth, width: this.helpWidth ?? usualWidth });
  },
  styleUsage(usage) {
    const indent = "Usage: ".length;
    return wrapWords(usage, (this.helpWidth ?? usualWidth) - indent).join(`\n${" ".repeat(indent)}`);
  },
};

/** A text for `addHelpText`, wrapped to the same width as the flags. */
export function helpBelow(text: string) {
  return ({ command }: { readonly command: Command }): string =>
    wrapHelpText(text, command.configureOutput().getOutHelpWidth?.() ?? usualWidth);
}

/** Two or more spaces separate the columns of an indented line; its second column is wrapped. */
function wrapHelpText(text: string, width: number): string {
  const wrapped = text.split("\n").map((line) => {
    const indent = line.length - line.trimStart().length;
    const end = line.indexOf("  ", indent);
    if (indent === 0 || end < 0) return wrapWords(line, width).join("\n");
    const description = line.slice(end).trimStart();
    const termWidth = line.length - description.length - indent - gap;
    return wrapEntry(line.slice(indent, end), description, { indent, termWidth, width });
  });
  return wrapped.join("\n");
}

/** Spaces between a term and what it means. */
const gap = 2;

function wrapEntry(
  term: string,
  description: string,
  { indent, termWidth, width }: { readonly indent: number; readonly termWidth: number; readonly width: number },
): string {
  const margin = " ".repeat(indent);
  if (description === "") return margin + term;
  const longest = Math.max(...description.split(" ").map((word) => word.length));
  const column = Math.min(indent + termWidth + gap, Math.max(indent + gap, width - longest));
  const lines = wrapWords(description, width - column);
  const isBeside = indent + term.length + gap <= column;
  const first = isBeside ? [(margin + term).padEnd(column) + lines.shift()] : [margin + term];
  return [...first, ...lines.map((line) => " ".repeat(column) + line)].join("\n");
}

/** A word that is longer than a line gets its own line. */
function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
