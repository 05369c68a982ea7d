import { withoutCredentials } from "@plimsoll/core/internal/without-credentials";
import { type Logger, pino } from "pino";
import type { Output } from "../cli/io.ts";

/**
 * Creates a logger of JSON lines: an event name, and fields with units. Never log header values, tokens or bodies. Addresses lose their
 * credentials here, because messages of libraries may contain them.
 */
export function createLogger(output: Output, level: string): Logger {
  return pino(
    {
      level,
      messageKey: "event",
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => bareFields(fields) },
      serializers: { err: (error) => bareFields(pino.stdSerializers.err(error)) },
    },
    { write: (line) => void output.write(line) },
  );
}

/** Fields that are nested deeper are not logged. */
const maxDepth = 5;

function bareFields(fields: object, depth = 0): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, bareField(value, depth)]));
}

/** Errors are left to their serializer. */
function bareField(value: unknown, depth: number): unknown {
  if (typeof value === "string") return withoutCredentials(value);
  if (value instanceof URL) return withoutCredentials(value.href);
  if (typeof value !== "object" || value === null || value instanceof Error) return value;
  if (depth === maxDepth) return undefined;
  return Array.isArray(value) ? value.map((each) => bareField(each, depth + 1)) : bareFields(value, depth + 1);
}

/** The line of the log about lines that were lost. @param at epoch milliseconds */
export function lostLinesLine(lines: number, at: number): string {
  return `${JSON.stringify({ level: "warn", time: new Date(at).toISOString(), lines, event: "log_lines_lost" })}\n`;
}
