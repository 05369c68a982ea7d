import { styleText } from "node:util";
import type { Severity } from "@plimsoll/scanner";
import type { Output } from "../cli/io.ts";

/** When output is coloured. */
export const colourModes = ["auto", "always", "never"] as const;
export type ColourMode = (typeof colourModes)[number];

/** Styles text; without colours, the text is unchanged. */
export interface Palette {
  severity(text: string, severity: Severity): string;
  quiet(text: string): string;
  strong(text: string): string;
}

const severityStyles = {
  Critical: ["bold", "red"],
  High: ["red"],
  Medium: ["yellow"],
  Low: ["cyan"],
  Negligible: ["gray"],
  Unknown: ["gray"],
} as const satisfies Record<Severity, readonly Parameters<typeof styleText>[0][]>;

/**
 * The palette for an output. `auto` colours terminals unless `NO_COLOR` is set, and everything when `CLICOLOR_FORCE` is.
 * @see https://no-color.org
 */
export function paletteFor(
  mode: ColourMode,
  output: Output,
  env: Readonly<Record<string, string | undefined>>,
): Palette {
  const style = isColoured(mode, output, env)
    ? (formats: Parameters<typeof styleText>[0], text: string) => styleText(formats, text, { validateStream: false })
    : (_formats: unknown, text: string) => text;
  return {
    severity: (text, severity) => style([...severityStyles[severity]], text),
    quiet: (text) => style("gray", text),
    strong: (text) => style("bold", text),
  };
}

function isColoured(mode: ColourMode, output: Output, env: Readonly<Record<string, string | undefined>>): boolean {
  if (mode !== "auto") return mode === "always";
  if ((env.NO_COLOR ?? "") !== "") return false;
  if ((env.CLICOLOR_FORCE ?? "0") !== "0") return true;
  return output.isTTY === true && env.TERM !== "dumb";
}
