import { type Logger, pino } from "pino";
import type { Output } from "../cli/io.ts";

/** Creates a logger of JSON lines: an event name, and fields with units. Never log header values, tokens or bodies. */
export function createLogger(output: Output, level: string): Logger {
  return pino(
    {
      level,
      messageKey: "event",
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: pino.stdSerializers.err },
    },
    { write: (line) => void output.write(line) },
  );
}

/** The line of the log about lines that were lost. @param at epoch milliseconds */
export function lostLinesLine(lines: number, at: number): string {
  return `${JSON.stringify({ level: "warn", time: new Date(at).toISOString(), lines, event: "log_lines_lost" })}\n`;
}
