/**
 * CVSS vectors.
 *
 *     AV:N/AC:L/Au:N/C:P/I:P/A:P                      2.0, metrics in the order of the guide
 *     CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H    3.0 and 3.1, metrics in any order
 *     CVSS:4.0/AV:N/AC:L/AT:N/…                       4.0, metrics in the order of the specification
 */
import { ScanError } from "../../errors.ts";
import { type CvssVersion, cvssMetrics, type MetricGroup } from "./metrics.ts";

/** A parsed vector. */
export interface Cvss {
  readonly version: "2.0" | "3.0" | "3.1" | "4.0";
  /** By name; those that are "not defined" (`X`, `ND`) are absent, whether the vector lists them or not. */
  readonly metrics: ReadonlyMap<string, string>;
}

/** The scores of a vector, from 0 to 10 with one decimal. */
export interface CvssScores {
  /** Of the base metrics alone. */
  readonly base: number;
  /** With the temporal metrics, where the vector has any; CVSS 4.0 has no such score. */
  readonly temporal?: number;
  /** With the environmental metrics too, where the vector has any; CVSS 4.0 has no such score. */
  readonly environmental?: number;
  /** With all metrics of the vector. */
  readonly overall: number;
}

/**
 * Parses a vector: only known metrics with known values, each at most once, and all base metrics.
 * @throws ScanError `malformed_cvss`
 * @example
 * parseCvss("CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H").version; // "3.1"
 */
export function parseCvss(text: string): Cvss {
  const [prefix, version = "2.0"] = /^(?:CVSS:(3\.[01]|4\.0)\/|(?=AV:))/.exec(text) ?? [];
  if (prefix === undefined) throw malformed(text, "CVSS:3.0/, CVSS:3.1/, CVSS:4.0/ or AV:", "another beginning");
  const known = cvssMetrics[version as CvssVersion];
  const names = [...known.keys()];
  const found = new Map<string, string>();
  let last = -1;
  for (const part of text.slice(prefix.length).split("/")) {
    const [name = ""] = part.split(":", 1);
    const value = part.slice(name.length + 1);
    const at = names.indexOf(name);
    if (!known.get(name)?.weights.has(value)) throw malformed(text, `a metric of CVSS ${version}`, part);
    if (found.has(name)) throw malformed(text, `${name} once`, "it twice");
    if (at < last && !version.startsWith("3")) throw malformed(text, "the metrics in order", `${name} too late`);
    found.set(name, value);
    last = at;
  }
  const missing = names.find((name) => known.get(name)?.group === "base" && !found.has(name));
  if (missing) throw malformed(text, `the base metric ${missing}`, "none");
  const defined = [...found].filter(([, value]) => value !== "X" && value !== "ND");
  return { version: version as CvssVersion, metrics: new Map(defined) };
}

function malformed(text: string, expected: string, found: string): ScanError {
  const [vector, part] = [text, found].map((shown) => (shown.length > 200 ? `${shown.slice(0, 200)}…` : shown));
  return new ScanError("malformed_cvss", `CVSS vector ${JSON.stringify(vector)}: expected ${expected}, found ${part}`);
}

/** The same vector with the metrics of one group only. */
export function withGroup({ version, metrics }: Cvss, group: MetricGroup): Cvss {
  const kept = [...metrics].filter(([name]) => cvssMetrics[version].get(name)?.group === group);
  return { version, metrics: new Map(kept) };
}

/** The number of a metric's value in the equations. */
export type Weight = (name: string) => number;

/** The numbers of the values of a vector, in which modified metrics replace the base metrics that they modify. */
export function weightsOf({ version, metrics }: Cvss): Weight {
  const known = cvssMetrics[version];
  return (name) => {
    const weights = (known.get(`M${name}`) ?? known.get(name))?.weights ?? new Map(); // the modified form may have more values
    return weights.get(metrics.get(`M${name}`) ?? metrics.get(name) ?? [...weights.keys()].at(-1)) ?? Number.NaN;
  };
}
