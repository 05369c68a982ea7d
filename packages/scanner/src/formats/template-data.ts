import { releaseName } from "@plimsoll/core/internal";
import { formatPlatform } from "@plimsoll/core/platform";
import { severities } from "@plimsoll/core/severity";
import { coverageSentences, isWhollyAssessed } from "./coverage-sentences.ts";
import { percentText, remedyText, webLinks } from "./finding-texts.ts";
import { cvssRatings, type ImageFinding, listImageFindings, listSuppressed } from "./image-findings.ts";
import { type FindingsStamp, type MatchedImage, toolName } from "./reported-image.ts";

/** The data that a template can show. An unknown value is an empty string, which counts as false in Mustache. */
export interface TemplateData {
  readonly tool: { readonly name: string; readonly version: string };
  /** When the document was made, in ISO 8601. */
  readonly created: string;
  readonly image: {
    readonly reference: string;
    readonly source: string;
    /** The digest of its manifest. */
    readonly digest: string;
    /** `linux/amd64` */
    readonly platform: string;
    /** `Debian GNU/Linux 12 (bookworm)` */
    readonly distribution: string;
  };
  /** Whether everything was read and current advisories cover it. Only then does an empty list mean that no vulnerability is known. */
  readonly assessed: boolean;
  /** Sentences about what was not assessed. */
  readonly gaps: readonly string[];
  readonly counts: TemplateCounts;
  /** Greatest risk first. */
  readonly findings: readonly TemplateFinding[];
  /** Findings that statements of users suppress. */
  readonly suppressed: readonly TemplateSuppressed[];
}

/** Counts of findings. */
export interface TemplateCounts {
  readonly packages: number;
  /** Findings that are shown. */
  readonly findings: number;
  /** Findings that are not shown. */
  readonly hidden: number;
  readonly suppressed: number;
  readonly undecided: number;
  /** Shown findings that are known to be exploited. */
  readonly exploited: number;
  /** Shown findings with a known fix. */
  readonly fixable: number;
  readonly critical: number;
  readonly high: number;
  readonly medium: number;
  readonly low: number;
  readonly negligible: number;
  readonly unknown: number;
}

/** A finding in the data of a template. */
export interface TemplateFinding {
  /** `CVE-2024-45491` */
  readonly id: string;
  readonly aliases: readonly string[];
  readonly description: string;
  /** `Critical` */
  readonly severity: string;
  /** The source of the severity. */
  readonly severitySource: string;
  /** `9.8` */
  readonly cvss: string;
  readonly cvssVector: string;
  /** The probability of an exploit within 30 days: `97.2%`. */
  readonly epss: string;
  /** Whether it is known to be exploited. */
  readonly exploited: boolean;
  readonly package: string;
  readonly version: string;
  readonly arch: string;
  readonly purl: string;
  readonly cpe: string;
  readonly fixedIn: string;
  /** A sentence with the remedy. */
  readonly remedy: string;
  /** The first link. */
  readonly link: string;
  readonly links: readonly string[];
  readonly places: readonly { readonly path: string; readonly layer: string }[];
  /** The feed of the advisory. */
  readonly feed: string;
  /** Whether it is the last finding: for commas between findings. */
  readonly last: boolean;
}

/** A suppressed finding in the data of a template. */
export interface TemplateSuppressed {
  readonly id: string;
  readonly package: string;
  readonly version: string;
  /** `not_affected`, `fixed` */
  readonly status: string;
  readonly justification: string;
  readonly detail: string;
  readonly author: string;
}

/** Creates the data of an image for templates. */
export function templateData(image: MatchedImage, stamp: FindingsStamp): TemplateData {
  const { index, vulnerabilities, platform, reference, source } = image;
  const found = listImageFindings(image, stamp);
  const suppressed = listSuppressed(image);
  const bySeverity = Map.groupBy(found.shown, ({ severity }) => severity.toLowerCase());
  const ofSeverities = severities.map((each) => [each.toLowerCase(), bySeverity.get(each.toLowerCase())?.length ?? 0]);
  const distributions = Object.values(index.distributions).map(releaseName);
  return {
    tool: { name: toolName, version: stamp.toolVersion },
    created: new Date(stamp.createdAt).toISOString(),
    image: {
      reference,
      source,
      digest: index.manifestDigest,
      platform: platform === undefined ? "" : formatPlatform(platform),
      distribution: distributions.filter(Boolean).join("; "),
    },
    assessed: isWhollyAssessed(image),
    gaps: coverageSentences(image, stamp.createdAt),
    counts: {
      packages: Object.keys(index.packages).length,
      findings: found.shown.length,
      hidden: found.hidden,
      suppressed: suppressed.length,
      undecided: vulnerabilities.undecided.length,
      exploited: found.shown.filter(({ risk }) => risk.isExploited).length,
      fixable: found.shown.filter(({ fixedIn }) => fixedIn !== undefined).length,
      ...(Object.fromEntries(ofSeverities) as Pick<
        TemplateCounts,
        "critical" | "high" | "medium" | "low" | "negligible" | "unknown"
      >),
    },
    findings: found.shown.map((finding, at) => findingOf(finding, { last: at === found.shown.length - 1 })),
    suppressed: suppressed.map(({ component, vulnerability, statement }) => {
      const { status, justification = "", detail = "", author = "" } = statement;
      const { name, version } = component.package;
      return { id: vulnerability.name, package: name, version, status, justification, detail, author };
    }),
  };
}

function findingOf(finding: ImageFinding, { last }: { readonly last: boolean }): TemplateFinding {
  const { vulnerability, component, risk, severity, severitySource, fixedIn = "" } = finding;
  const { name, version, arch = "" } = finding.package;
  const links = webLinks(vulnerability.links);
  return {
    id: finding.id,
    aliases: vulnerability.aliases,
    description: vulnerability.description ?? "",
    severity,
    severitySource,
    cvss: risk.score?.toFixed(1) ?? "",
    cvssVector: cvssRatings(vulnerability)[0]?.vector ?? "",
    epss: risk.epss === undefined ? "" : percentText(risk.epss.probability),
    exploited: risk.isExploited,
    package: name,
    version,
    arch,
    purl: component.purl ?? "",
    cpe: component.cpe ?? "",
    fixedIn,
    remedy: remedyText(finding),
    link: links[0] ?? "",
    links,
    places: component.locations.map(({ path, layer = "" }) => ({ path, layer })),
    feed: vulnerability.updater,
    last,
  };
}
