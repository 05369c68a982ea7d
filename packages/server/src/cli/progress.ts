import { safeText } from "@plimsoll/core/internal/safe-text";
import type { IndexEvent } from "@plimsoll/scanner";
import { counted, cutTo } from "../render/terminal-text.ts";
import type { Output } from "./io.ts";

/** Shows progress: one changing line on a terminal, plain lines with `--verbose`, otherwise nothing. */
export interface Progress {
  show(message: string): void;
  /** As {@link show} on a terminal; elsewhere it prints a line, even without `--verbose`. */
  showLine(message: string): void;
  onIndexEvent(event: IndexEvent): void;
  /** Erases the changing line; call it before writing anything else. */
  clear(): void;
}

/** Creates a progress display on standard error. */
export function createProgress(
  stderr: Output,
  { quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean },
): Progress {
  const say = createLineWriter(stderr, { quiet, verbose });
  return {
    show: say.line,
    showLine: quiet || stderr.isTTY === true ? say.line : (text) => void stderr.write(`${safeText(text)}\n`),
    clear: say.clear,
    onIndexEvent: (event) => say.line(indexText(event)),
  };
}

function createLineWriter(stderr: Output, { quiet, verbose }: { readonly quiet: boolean; readonly verbose: boolean }) {
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
