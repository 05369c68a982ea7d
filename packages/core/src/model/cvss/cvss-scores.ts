import { type Cvss, hasGroup } from "./vector.ts";

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

/** The scores of a vector of CVSS 2 or 3: those for which it has metrics. */
export function definedScores(
  cvss: Cvss,
  { base, temporal, environmental }: Readonly<Record<"base" | "temporal" | "environmental", number>>,
): CvssScores {
  const hasEnvironmental = hasGroup(cvss, "environmental");
  return {
    base,
    temporal: hasGroup(cvss, "temporal") ? temporal : undefined,
    environmental: hasEnvironmental ? environmental : undefined,
    overall: hasEnvironmental ? environmental : temporal,
  };
}
