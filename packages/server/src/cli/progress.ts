import { safeText } from "@plimsoll/core/safe-text";
import type { IndexEvent } from "@plimsoll/scanner";
import { counted } from "../render/counted.ts";
import { cutTo } from "../render/terminal-text.ts";
import type { Output } from "./io.ts";

/** Says what is going on: one changing line on a terminal, plain lines with `--verbose`, nothing anywhere else. */
export interface Progress {
  say(message: string): void;
  /** Says what is worth a line of its own where no terminal is; on a terminal as {@link say}. */
  note(message: string): void;
  onIndexEvent(event: IndexEvent): void;
  /** Takes the changing line away before something else is written. */
  clear(): void;
}

/** Progress goes to standard error only. */
export function createProgress(
  stderr: Output,
  { quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean },
): Progress {
  const say = speaker(stderr, { quiet, verbose });
  return {
    say: say.line,
    note: quiet || stderr.isTTY === true ? say.line : (text) => void stderr.write(`${safeText(text)}\n`),
    clear: say.clear,
    onIndexEvent: (event) => say.line(indexText(event)),
  };
}

function speaker(stderr: Output, { quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean }) {
  if (quiet) return { line: () => {}, clear: () => {} };
  if (verbose) return { line: (text: string) => void stderr.write(`${safeText(text)}\n`), clear: () => {} };
  if (stderr.isTTY !== true) return { line: () => {}, clear: () => {} };
  let shown = false;
  return {
    line(text: string) {
      shown = true;
      stderr.write(`\r\u001b[K${cutTo(safeText(text), (stderr.columns ?? 80) - 1)}`);
    },
    clear() {
      if (shown) stderr.write("\r\u001b[K");
      shown = false;
    },
  };
}

function indexText(event: IndexEvent): string {
  switch (event.kind) {
    case "image-opened":
      return `${event.reference}: ${counted(event.layers, "layer")}`;
    case "layer-known":
      return `${event.digest}: known`;
    case "layer-reading":
      return `${event.digest}: reading${event.sizeBytes === undefined ? "" : ` ${megabytes(event.sizeBytes)}`}`;
    case "layer-read":
      return `${event.digest}: read, ${megabytes(event.uncompressedBytes)} uncompressed`;
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
