/** The versions of CVSS. */
export const cvssVersions = ["2.0", "3.0", "3.1", "4.0"] as const;

/** One of {@link cvssVersions}. */
export type CvssVersion = (typeof cvssVersions)[number];

/** Groups of metrics; only the base ones are mandatory. CVSS 4.0 calls the temporal group threat. */
export type MetricGroup = "base" | "temporal" | "environmental" | "supplemental";

/** A metric of a vector. */
export interface Metric {
  readonly name: string;
  readonly group: MetricGroup;
  /** The allowed values, the worst first in 4.0; the last one of an optional metric is "not defined". */
  readonly values: readonly string[];
}

/**
 * The metrics of each version in the order of the vector string.
 * @see https://www.first.org/cvss/v2/guide#2-4-Base-Temporal-Environmental-Vectors
 * @see https://www.first.org/cvss/v3.0/specification-document#6-Vector-String
 * @see https://www.first.org/cvss/v3.1/specification-document#Vector-String
 * @see https://www.first.org/cvss/v4.0/specification-document#Vector-String
 */
export const cvssMetrics: Readonly<Record<CvssVersion, readonly Metric[]>> = {
  "2.0": [
    ...group("base", "AV:N,A,L AC:L,M,H Au:N,S,M C:C,P,N I:C,P,N A:C,P,N"),
    ...group("temporal", "E:U,POC,F,H,ND RL:OF,TF,W,U,ND RC:UC,UR,C,ND"),
    ...group("environmental", "CDP:N,L,LM,MH,H,ND TD:N,L,M,H,ND CR:L,M,H,ND IR:L,M,H,ND AR:L,M,H,ND"),
  ],
  "3.0": version3(),
  "3.1": version3(),
  "4.0": version4(),
};

function version3(): readonly Metric[] {
  const base = "AV:N,A,L,P AC:L,H PR:N,L,H UI:N,R S:U,C C:H,L,N I:H,L,N A:H,L,N";
  return [
    ...group("base", base),
    ...group("temporal", "E:H,F,P,U,X RL:U,W,T,O,X RC:C,R,U,X"),
    ...group("environmental", environmental(base)),
  ];
}

function version4(): readonly Metric[] {
  const base = "AV:N,A,L,P AC:L,H AT:N,P PR:N,L,H UI:N,P,A VC:H,L,N VI:H,L,N VA:H,L,N SC:H,L,N SI:H,L,N SA:H,L,N";
  return [
    ...group("base", base),
    ...group("temporal", "E:A,P,U,X"),
    ...group("environmental", environmental(base).replace(/(?<=MSI:|MSA:)/g, "S,")),
    ...group("supplemental", "S:N,P,X AU:N,Y,X R:A,U,I,X V:D,C,X RE:L,M,H,X U:Clear,Green,Amber,Red,X"),
  ];
}

/** The requirements, and the modified form of each base metric, which may be "not defined": `AV:N,A AC:…` → `MAV:N,A,X MAC:…`. */
function environmental(base: string): string {
  return `CR:H,M,L,X IR:H,M,L,X AR:H,M,L,X ${base.replace(/\S+/g, "M$&,X")}`;
}

/** `AV:N,A,L AC:…` → metrics. */
function group(name: MetricGroup, text: string): readonly Metric[] {
  return text.split(" ").map((metric) => {
    const [metricName = "", values = ""] = metric.split(":");
    return { name: metricName, group: name, values: values.split(",") };
  });
}
