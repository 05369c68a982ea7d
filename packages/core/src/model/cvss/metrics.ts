/** The versions of CVSS. */
export const cvssVersions = ["2.0", "3.0", "3.1", "4.0"] as const;

/** One of {@link cvssVersions}. */
export type CvssVersion = (typeof cvssVersions)[number];

/** Groups of metrics; only the base ones are mandatory. CVSS 4.0 calls the temporal group threat. */
export type MetricGroup = "base" | "temporal" | "environmental" | "supplemental";

/** A metric of a vector. */
interface Metric {
  readonly group: MetricGroup;
  /**
   * The allowed values with their numbers in the equations; the last one of an optional metric is "not defined". In 4.0, and of a value
   * that equations do not use, the number is its place: the worst value is the first.
   */
  readonly weights: ReadonlyMap<string, number>;
}

const groups: readonly MetricGroup[] = ["base", "temporal", "environmental"];

const base3 =
  "AV:N=.85,A=.62,L=.55,P=.2 AC:L=.77,H=.44 PR:N=.85,L=.62,H=.27 UI:N=.85,R=.62 S:U,C C+I+A:H=.56,L=.22,N=0";

const version3 = metrics(
  base3,
  "E:H=1,F=.97,P=.94,U=.91,X=1 RL:U=1,W=.97,T=.96,O=.95,X=1 RC:C=1,R=.96,U=.92,X=1",
  `CR+IR+AR:H=1.5,M=1,L=.5,X=1 ${modified(base3)}`,
);

const base4 = "AV:N,A,L,P AC:L,H AT:N,P PR:N,L,H UI:N,P,A VC+VI+VA+SC:H,L,N";

/**
 * The metrics of each version by name, in the order of the vector string.
 * @see https://www.first.org/cvss/v2/guide#2-4-Base-Temporal-Environmental-Vectors
 * @see https://www.first.org/cvss/v3.0/specification-document#6-Vector-String
 * @see https://www.first.org/cvss/v3.1/specification-document#Vector-String
 * @see https://www.first.org/cvss/v4.0/specification-document#Vector-String
 */
export const cvssMetrics: Readonly<Record<CvssVersion, ReadonlyMap<string, Metric>>> = {
  "2.0": metrics(
    "AV:N=1,A=.646,L=.395 AC:L=.71,M=.61,H=.35 Au:N=.704,S=.56,M=.45 C+I+A:C=.66,P=.275,N=0",
    "E:U=.85,POC=.9,F=.95,H=1,ND=1 RL:OF=.87,TF=.9,W=.95,U=1,ND=1 RC:UC=.9,UR=.95,C=1,ND=1",
    "CDP:N=0,L=.1,LM=.3,MH=.4,H=.5,ND=0 TD:N=0,L=.25,M=.75,H=1,ND=1 CR+IR+AR:L=.5,M=1,H=1.51,ND=1",
  ),
  "3.0": version3,
  "3.1": version3,
  "4.0": metrics(
    `${base4} SI+SA:H,L,N`,
    "E:A,P,U,X=0",
    `CR+IR+AR:H,M,L,X=0 ${modified(base4)} MSI+MSA:S,H,L,N,X`,
    "S:N,P,X AU:N,Y,X R:A,U,I,X V:D,C,X RE:L,M,H,X U:Clear,Green,Amber,Red,X",
  ),
};

/** The modified form of each base metric, which may be "not defined": `AV:N,A C+I:…` → `MAV:N,A,X MC+MI:…,X`. */
function modified(base: string): string {
  return base.replace(/^|[ +]/g, "$&M").replace(/ |$/g, ",X$&");
}

/** The metrics of each group: `AV:N=1,A=.5 C+I:…`. A value without a number has its place. */
function metrics(...texts: readonly string[]): ReadonlyMap<string, Metric> {
  const found = texts.flatMap((text, at) =>
    text.split(" ").flatMap((line) => {
      const [names = "", ...values] = line.split(/[:,]/);
      const weights = values.map((each, place) => {
        const [value = "", weight = place] = each.split("=");
        return [value, Number(weight)] as const;
      });
      const metric = { group: groups[at] ?? "supplemental", weights: new Map(weights) };
      return names.split("+").map((name) => [name, metric] as const);
    }),
  );
  return new Map(found);
}
