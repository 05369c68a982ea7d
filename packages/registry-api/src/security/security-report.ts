import { type Static, Type } from "typebox";
import { packageEvidence, vulnerabilityEvidence } from "./evidence-view.ts";

const Metadata = Type.Object({
  UpdatedBy: Type.String(),
  RepoName: Type.String(),
  RepoLink: Type.String(),
  DistroName: Type.String(),
  DistroVersion: Type.String(),
  NVD: Type.Object({
    CVSSv3: Type.Object({ Vectors: Type.String(), Score: Type.Union([Type.Number(), Type.Literal("")]) }),
  }),
});

/** A vulnerability of a package. */
export const Vulnerability = Type.Object({
  Severity: Type.String({ description: "Unknown, Negligible, Low, Medium, High or Critical" }),
  NamespaceName: Type.String(),
  Link: Type.String({ description: "Addresses separated by blanks" }),
  FixedBy: Type.String({ description: "Empty if no fix is known" }),
  Description: Type.String(),
  Name: Type.String(),
  Aliases: Type.Array(Type.String(), { description: "Other names of the vulnerability" }),
  ...vulnerabilityEvidence,
  Metadata,
});

const Feature = Type.Object({
  Name: Type.String(),
  VersionFormat: Type.String(),
  NamespaceName: Type.String(),
  AddedBy: Type.String({ description: "Digest of the layer that brought it" }),
  Version: Type.String(),
  ...packageEvidence,
  Sbom: Type.Optional(
    Type.String({
      description:
        "The digest of the attached SBOM that alone states the package: it was not seen in a layer. Without `Vulnerabilities` it was not matched with advisories either",
    }),
  ),
  UpgradeTo: Type.Optional(
    Type.String({
      description:
        "The lowest version that has none of those vulnerabilities which a fix is known of, in this package and others of its source; absent where there is none, or the order of versions is not known",
    }),
  ),
  BaseScores: Type.Optional(Type.Array(Type.Number())),
  CVEIds: Type.Optional(Type.Array(Type.String())),
  Vulnerabilities: Type.Optional(Type.Array(Vulnerability, { description: "Absent if the query leaves them out" })),
});
/** A package of an image. */
export type Feature = Static<typeof Feature>;

/** A package without its vulnerabilities. */
export const BareFeature = Type.Omit(Feature, ["BaseScores", "CVEIds", "Vulnerabilities"]);

const Problem = Type.Object({
  At: Type.String({ description: "A path in the image, or the digest of a layer" }),
  Code: Type.String(),
  Message: Type.String(),
});
/** What could not be read or judged. */
export type Problem = Static<typeof Problem>;

const Unassessed = Type.Object({
  Kind: Type.String({ description: "The kind of packages that no detector reads" }),
  Count: Type.Integer(),
  Paths: Type.Array(Type.String(), { description: "Some of the paths where they were seen" }),
});

const Feed = Type.Object({
  Ecosystem: Type.String(),
  Covered: Type.Boolean({ description: "Whether there are advisories for it at all" }),
  Outdated: Type.Boolean({ description: "Whether they were not checked for longer than the settings allow" }),
  CheckedAt: Type.Optional(Type.String({ format: "date-time" })),
});

const Enricher = Type.Object({
  Enricher: Type.String({
    description: "kev: known exploits; epss: probabilities of exploits; others add other facts",
  }),
  Loaded: Type.Boolean({
    description: "Whether its data were loaded. Without them, no finding has its facts, whatever is known elsewhere",
  }),
  CheckedAt: Type.Optional(Type.String({ format: "date-time" })),
});

const Suppressed = Type.Object({
  Name: Type.String({ description: "The vulnerability" }),
  Package: Type.String(),
  Version: Type.String(),
  Status: Type.Enum(["not_affected", "fixed"]),
  Justification: Type.String(),
  Detail: Type.String(),
  Author: Type.String(),
  Source: Type.String({
    description: "The digest of the attached document and where in it the statement stands, or the rule",
  }),
  Rule: Type.Optional(Type.String({ description: "The uuid of the rule; absent for a statement of a document" })),
  Expires: Type.Optional(Type.String({ format: "date-time", description: "When it is a finding again" })),
});

const EndOfLife = Type.Object({
  Name: Type.String({ description: "The distribution, or the product with its release" }),
  Package: Type.Optional(Type.String({ description: "The name of the package; absent for a distribution" })),
  LastDay: Type.String({ format: "date", description: "The last day on which it gets security fixes" }),
});

/** What the report of an image says besides its packages. */
export const securityParts = { Problem, Feed, Suppressed } as const;

/** The packages of an image and their vulnerabilities. */
export const SecurityReport = Type.Object({
  Layer: Type.Object({
    Name: Type.String({ description: "Digest of the manifest" }),
    ParentName: Type.String(),
    NamespaceName: Type.String(),
    IndexedByVersion: Type.Integer(),
    Features: Type.Array(Feature),
    Problems: Type.Array(Problem, {
      description: "What could not be read or judged: there may be more than the features say",
    }),
    Unassessed: Type.Array(Unassessed, { description: "Packages that were seen and that no detector reads" }),
    Feeds: Type.Array(Feed, { description: "The feeds that the packages were matched with" }),
    Enrichers: Type.Array(Enricher, {
      description:
        "The data that facts about vulnerabilities come from; empty if the scanner does not say which it has",
    }),
    Suppressed: Type.Array(Suppressed, {
      description: "Findings that rules take out, or VEX documents which are attached to the image",
    }),
    EndsOfLife: Type.Array(EndOfLife, {
      description: "The last day of security fixes for the distribution and packages, if it is known",
    }),
  }),
});
export type SecurityReport = Static<typeof SecurityReport>;
