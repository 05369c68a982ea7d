import { UsageError } from "../cli/exit-code.ts";

/** The value of a setting that another one needs. @throws UsageError if it is missing */
export function required(name: string, value: string | undefined, because: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`${name} is missing: ${because} needs it`);
}
