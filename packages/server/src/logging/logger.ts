import { type Logger, pino } from "pino";
import type { Output } from "../cli/io.ts";

/** JSON lines: an event name and fields with units. Header values, tokens and bodies are never among them. */
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
