import { fingerprintText } from "./bytes/fingerprint.ts";
import { defaultLimits, type Limits } from "./bytes/limits.ts";
import { allEvidence, allEvidenceRules } from "./ecosystems/all-evidence.ts";
import { lockedPackages } from "./ecosystems/language/locked-packages.ts";
import { createEvidenceRules, type EvidenceRules } from "./evidence/evidence-rules.ts";
import type { Detector, FileDetector, FileLists, FileOwners, PathDetector } from "./plugins/detector.ts";
import type { Ecosystem } from "./plugins/ecosystem.ts";
import type { Enricher } from "./plugins/enricher.ts";
import type { Lookups } from "./plugins/lookups.ts";
import type { Matcher } from "./plugins/matcher.ts";
import type { Updater } from "./plugins/updater.ts";
import { withoutUndefined } from "./without-undefined.ts";

/** Options of `createEngine`. */
export interface EngineOptions {
  readonly ecosystems: readonly Ecosystem[];
  /** Updaters of advisories. By default, an update takes all that come with the engine (`allUpdaters`): only what updates loads them. */
  readonly updaters?: readonly Updater[];
  /** Enrichers of reports; by default all that come with the engine (`allEnrichers`). Their feeds are updated together with the advisories. */
  readonly enrichers?: readonly Enricher[];
  /** Caps that differ from {@link defaultLimits}. */
  readonly limits?: Partial<Limits>;
  /** Facts that detectors look up outside of images. Absent: none. @internal */
  readonly lookups?: Lookups;
  /**
   * Whether reports say what the records of packages say about them besides: licences, suppliers, home pages ({@link IndexReport.details}). Default: true.
   * Without them, indexing takes less time and memory.
   */
  readonly details?: boolean;
  /**
   * Whether reports list the files of packages, as far as packaging systems list them ({@link IndexReport.files}). Default: false. With them, indexing
   * takes more time and memory, and reports are much larger.
   */
  readonly files?: boolean;
  /**
   * The URL of a module that exports this engine as `engine`: `import.meta.url` in that module. Threads that read layers
   * import it. Needed only for detectors that do not come with `@plimsoll/core`.
   */
  readonly module?: string;
}

/** Everything that an engine is made of. */
export type EngineParts = EngineOptions & Required<Pick<EngineOptions, "enrichers">>;

/**
 * Ecosystems, updaters, enrichers and limits as one value. Engines share no state: several with different plug-ins can exist at once.
 */
export interface Engine {
  readonly ecosystems: readonly Ecosystem[];
  readonly enrichers: readonly Enricher[];
  readonly limits: Limits;
  /** @internal */
  readonly detectors: readonly Detector[];
  /** @internal */
  readonly fileDetectors: readonly FileDetector[];
  /** Also used when the source is a folder of code. @internal */
  readonly lockFileDetectors: readonly FileDetector[];
  /** What shows that packages are there, whether or not the engine reads them. @internal */
  readonly evidence: EvidenceRules;
  /** Also used when the source is not a folder of code: they tell whether the packages of a lock file are installed. @internal */
  readonly lockedPackages: readonly FileDetector[];
  /** @internal */
  readonly pathDetectors: readonly PathDetector[];
  /** @internal */
  readonly fileOwners: readonly FileOwners[];
  /** Empty unless reports list files. @internal */
  readonly fileLists: readonly FileLists[];
  readonly matchers: readonly Matcher[];
  /** See {@link EngineOptions.updaters}. */
  readonly updaters?: readonly Updater[];
  /** Opaque; changes exactly when the same layer could give other findings. */
  readonly state: string;
  /** Opaque; changes exactly when the same package could be looked up under other keys. @internal */
  readonly keysState: string;
  /** See {@link EngineOptions.lookups}. @internal */
  readonly lookups: Lookups;
  /** See {@link EngineOptions.details}. @internal */
  readonly details: boolean;
  /** See {@link EngineOptions.files}. @internal */
  readonly files: boolean;
  /** See {@link EngineOptions.module}. @internal */
  readonly module?: string;
}

/**
 * Makes an engine of its parts. A thread that reads layers makes one without updaters and enrichers, whose modules it does not load.
 * @throws TypeError as `createEngine`
 */
export function engineOf(parts: EngineParts): Engine {
  const { ecosystems, enrichers, module, lookups = {}, details = true, files = false } = parts;
  const updaters = parts.updaters && distinct("updater", parts.updaters);
  const limits = { ...defaultLimits, ...withoutUndefined(parts.limits ?? {}) };
  const partsOf = <Part>(pick: (ecosystem: Ecosystem) => readonly Part[]) => ecosystems.flatMap(pick);
  const detectors = distinct(
    "detector",
    partsOf((ecosystem) => ecosystem.detectors),
  );
  const ofDetails = details ? partsOf(({ detailDetectors = [] }) => detailDetectors) : [];
  const fileDetectors = [...new Set([...partsOf(({ fileDetectors = [] }) => fileDetectors), ...ofDetails])].map(
    (detector) => detector.withLookups?.(lookups) ?? detector,
  );
  const fileOwners = partsOf(({ fileOwners = [] }) => fileOwners);
  const fileLists = files ? partsOf(({ fileLists = [] }) => fileLists) : [];
  const lockFileDetectors = partsOf((ecosystem) => ecosystem.lockFileDetectors ?? []);
  const pathDetectors = partsOf((ecosystem) => ecosystem.pathDetectors ?? []);
  const evidence = evidenceOf(ecosystems);
  const locked = lockFileDetectors.length === 0 ? [] : [lockedPackages([...new Set(lockFileDetectors)], evidence)];
  const ofFiles = [...fileDetectors, ...lockFileDetectors, ...locked, ...pathDetectors];
  const readers = distinct<ReaderOfLayers>("detector", [...detectors, ...ofFiles, ...fileOwners, ...fileLists]);
  const matchers = distinct(
    "matcher",
    partsOf((ecosystem) => ecosystem.matchers),
  );
  checkEnrichers(enrichers, updaters);
  checkPurlTypes(ecosystems);
  return {
    ecosystems,
    enrichers,
    limits,
    detectors,
    fileDetectors,
    lockFileDetectors: [...new Set(lockFileDetectors)],
    lockedPackages: locked,
    pathDetectors: [...new Set(pathDetectors)],
    fileOwners: [...new Set(fileOwners)],
    fileLists,
    evidence,
    matchers,
    updaters,
    state: engineState({ readers, evidence }, limits, { lookups, details }),
    keysState: keysState(matchers),
    lookups,
    details,
    files,
    module,
  };
}

/** The rules of all ecosystems that are known, and those of others in the engine. */
function evidenceOf(ecosystems: readonly Ecosystem[]): EvidenceRules {
  const known = new Set(allEvidence);
  const more = ecosystems.flatMap(({ evidence = [] }) => evidence).filter((rule) => !known.has(rule));
  return more.length === 0 ? allEvidenceRules : createEvidenceRules([...allEvidence, ...more]);
}

function checkEnrichers(enrichers: readonly Enricher[], updaters: readonly Updater[] = []): void {
  distinct("enricher", enrichers);
  distinct("updater", [...updaters, ...enrichers.map(({ updater }) => updater as Updater<unknown>)]);
}

function checkPurlTypes(ecosystems: readonly Ecosystem[]): void {
  const owners = new Map<string, Ecosystem>();
  for (const ecosystem of ecosystems) {
    for (const type of ecosystem.purl) {
      const owner = owners.get(type);
      if (owner !== undefined && owner !== ecosystem)
        throw new TypeError(
          `the ecosystems ${owner.name} and ${ecosystem.name} both have package URLs of the type ${type}`,
        );
      owners.set(type, ecosystem);
    }
  }
}

function distinct<Part extends { readonly name: string }>(what: string, parts: readonly Part[]): readonly Part[] {
  const byName = new Map<string, Part>();
  for (const part of parts) {
    const known = byName.get(part.name);
    if (known !== undefined && known !== part) throw new TypeError(`two ${what}s are named ${part.name}`);
    byName.set(part.name, part);
  }
  return [...byName.values()];
}

/** Increased when a change of the engine itself changes the findings of a layer, or the packages of an image that they become. */
const engineRevision = 9;

/** The part of a layer's reader that its findings depend on. */
type ReaderOfLayers = Pick<Detector, "name" | "revision">;

function engineState(
  { readers, evidence }: { readonly readers: readonly ReaderOfLayers[]; readonly evidence: EvidenceRules },
  limits: Limits,
  { lookups: { java }, details }: Pick<Engine, "lookups" | "details">,
): string {
  const names = readers.map((detector) => `${detector.name}@${detector.revision}`).sort();
  const caps = Object.entries(limits).map(([name, value]) => `${name}=${value}`);
  const indexes = java === undefined ? [] : [`java-index ${java.state}`];
  const without = details ? [] : ["without details"];
  return fingerprintText(
    [`engine@${engineRevision}`, `evidence ${evidence.state}`, ...names, ...caps.sort(), ...indexes, ...without].join(
      "\n",
    ),
  );
}

function keysState(matchers: readonly Matcher[]): string {
  const names = matchers.map(({ name, keysRevision }) => `${name}@${keysRevision}`).sort();
  return fingerprintText(["keys@2", ...names].join("\n"));
}
