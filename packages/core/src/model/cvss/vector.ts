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
  const { version, body } = splitVersion(text);
  const known = cvssMetrics[version];
  const found = new Map<string, string>();
  let last = -1;
  for (const part of body.split("/")) {
    const [name = "", value = ""] = splitOnce(part);
    const at = known.findIndex((metric) => metric.name === name);
    const metric = known[at];
    if (!metric?.weights.has(value)) throw malformed(text, `a metric of CVSS ${version}`, part);
    if (found.has(name)) throw malformed(text, `${name} once`, "it twice");
    if (at < last && !isUnordered(version)) throw malformed(text, "the metrics in order", `${name} too late`);
    found.set(name, value);
    last = at;
  }
  const missing = known.find(({ name, group }) => group === "base" && !found.has(name));
  if (missing) throw malformed(text, `the base metric ${missing.name}`, "none");
  return { version, metrics: new Map([...found].filter(([, value]) => value !== "X" && value !== "ND")) };
}

/** The same vector with metrics of these groups only. */
export function withGroups(cvss: Cvss, groups: readonly MetricGroup[]): Cvss {
  const kept = cvssMetrics[cvss.version].filter((metric) => groups.includes(metric.group));
  const names = new Set(kept.map((metric) => metric.name));
  return { version: cvss.version, metrics: new Map([...cvss.metrics].filter(([name]) => names.has(name))) };
}

/** Whether the vector defines a metric of the group. */
export function hasGroup({ version, metrics }: Cvss, group: MetricGroup): boolean {
  return cvssMetrics[version].some((metric) => metric.group === group && metrics.has(metric.name));
}

/** The number of a metric's value in the equations. */
export type Weight = (name: string) => number;

/** The numbers of the values of a vector. With the prefix `M`, modified metrics replace the base metrics that they modify. */
export function weightsOf({ version, metrics }: Cvss, prefix: "" | "M"): Weight {
  const known = new Map(cvssMetrics[version].map((metric) => [metric.name, metric.weights]));
  return (name) => {
    const weights = known.get(`M${name}`) ?? known.get(name) ?? new Map(); // the modified form may have more values
    return weights.get(metrics.get(prefix + name) ?? metrics.get(name) ?? [...weights.keys()].at(-1)) ?? Number.NaN;
  };
}

function splitVersion(text: string): { readonly version: CvssVersion; readonly body: string } {
  const match = /^CVSS:(3\.0|3\.1|4\.0)\//.exec(text);
  if (match) return { version: match[1] as CvssVersion, body: text.slice(match[0].length) };
  if (text.startsWith("AV:")) return { version: "2.0", body: text };
  throw malformed(text, "CVSS:3.0/, CVSS:3.1/, CVSS:4.0/ or AV:", "another beginning");
}

function splitOnce(part: string): readonly [name: string, value: string] {
  const colon = part.indexOf(":");
  return [part.slice(0, Math.max(0, colon)), part.slice(colon + 1)];
}

function isUnordered(version: CvssVersion): boolean {
  return version === "3.0" || version === "3.1";
}

function malformed(text: string, expected: string, found: string): ScanError {
  const [vector, part] = [text, found].map((shown) => (shown.length > 200 ? `${shown.slice(0, 200)}…` : shown));
  return new ScanError("malformed_cvss", `CVSS vector ${JSON.stringify(vector)}: expected ${expected}, found ${part}`);
}
