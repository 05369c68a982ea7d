import type { DocumentStamp } from "@plimsoll/scanner/formats";
import { wrongValue } from "../config/wrong-value.ts";
import type { CliIo } from "./io.ts";
import { productVersion } from "./product-version.ts";

/** The last second of the year 9999, since 1970. */
const latestSeconds = 253_402_300_799;

/**
 * The tool version and time in generated documents. `SOURCE_DATE_EPOCH` replaces the time, so that the same result gives the same
 * bytes.
 *
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 * @throws UsageError if that variable is not a number of seconds
 */
export function documentStamp({ env, now }: Pick<CliIo, "env" | "now">): DocumentStamp {
  const { SOURCE_DATE_EPOCH: epoch = "" } = env;
  if (epoch === "") return { toolVersion: productVersion, createdAt: now() };
  const seconds = Number(epoch);
  if (!/^\d+$/.test(epoch) || seconds > latestSeconds)
    throw wrongValue({ place: "SOURCE_DATE_EPOCH", expected: "seconds since 1970", found: epoch });
  return { toolVersion: productVersion, createdAt: 1000 * seconds };
}
