import { dependenciesByName } from "../../index/named-dependencies.ts";
import { nameOf, parentOf } from "../../layer/paths.ts";
import type { CoalescedPackage, DependencyResolver } from "../../plugins/coalescer.ts";
import { isOrdered } from "../../versions/define-order.ts";
import { compare, valid } from "../../versions/gem/version.ts";

function nameIn(need: string): string {
  return need.split(" (", 1)[0] ?? need;
}

/** Whether a gem has a version that a need asks for. @see https://guides.rubygems.org/patterns/#declaring-dependencies */
function meets({ package: { version } }: CoalescedPackage, need: string): boolean {
  const bounds = need.slice(nameIn(need).length + 2, -1).split(",");
  return bounds.every((each) => {
    const [, relation = "=", bound = ""] = /^([!<=>~]{0,2}) {0,4}(\d.*)$/.exec(each.trim()) ?? [];
    if (bound === "" || !valid(version) || !valid(bound)) return true;
    const order = compare(version, bound);
    switch (relation || "=") {
      case "=":
      case "<":
      case "<=":
      case ">":
        return isOrdered(order, relation || "=");
      case "!=":
        return order !== 0;
      case "~>":
        return order >= 0 && compare(releaseOf(version), nextLine(bound)) < 0;
      default:
        return order >= 0;
    }
  });
}

/** The numbers of a version before its first letter. */
function releaseOf(version: string): string {
  return /^\d+(?:\.\d+)*(?![\da-z])/i.exec(version)?.[0] ?? "0";
}

/** The version that `~> BOUND` is below: 1.5 for 1.4.2, and 2 for 1.4 and for 1. */
function nextLine(bound: string): string {
  const numbers = releaseOf(bound).split(".");
  const line = numbers.length > 1 ? numbers.slice(0, -1) : numbers;
  return [...line.slice(0, -1), BigInt(line.at(-1) ?? "0") + 1n].join(".");
}

/**
 * A folder of gems. Gems of an `installation` of Ruby are there for all programs that it runs; those of a `bundle`, which Bundler makes for one project, see beside each other only
 * the default gems of Ruby; those of any `other` folder (`GEM_HOME`, a user's) also see what Ruby has.
 * @see https://bundler.io/man/bundle-config.1.html#REMEMBERING-OPTIONS
 * @see https://guides.rubygems.org/command-reference/#gem-environment
 */
interface GemHome {
  readonly kind: "application" | "bundle" | "installation" | "other";
  readonly folder: string;
  /** The folder of the installation of Ruby: `usr/local/`. */
  readonly ruby: string;
  /** The version of Ruby's interface: `3.1` of `ruby/3.1.0`. Empty if the path does not say. */
  readonly abi: string;
}

const installed =
  /^(.*?)(?:lib(?:32|64)?(?:\/[a-z0-9_]{1,20}-linux-[a-z]{1,20})?\/(?:ruby(?:\/gems)?|rubygems-integration)|share\/(?:gems|rubygems-integration)|lib\/gems)(?:\/|$)/;
const bundled = /(?:^|\/)(?:vendor\/(?:bundle|cache)|\.bundle)(?:\/|$)|(?:^|\/)j?ruby\/\d[^/]*$/;
const ofUser = /(?:^|\/)(?:\.gem|share\/gem)\/j?ruby\//;
/** Folders of the distribution outside of the one of its Ruby. */
const ofSystem: ReadonlySet<string> = new Set(["var/", "usr/local/share/gems"]);

function homeOf({ packageDb }: CoalescedPackage): GemHome {
  const [, folder] = /^(.*?)\/(?:specifications|bundler\/gems)\//.exec(packageDb) ?? [];
  if (folder === undefined) return { kind: "application", folder: parentOf(packageDb), ruby: "", abi: "" };
  const abi = /^(?:[a-z]{1,20}-)?(\d{1,9}\.\d{1,9})(?![\d])/.exec(nameOf(folder))?.[1] ?? "";
  const [, ruby] = ofUser.test(folder) ? [] : (installed.exec(folder) ?? []);
  if (ruby !== undefined) {
    const isOfSystem = ofSystem.has(ruby) || ofSystem.has(folder);
    return { kind: "installation", folder, ruby: isOfSystem ? "usr/" : ruby, abi };
  }
  const kind = bundled.test(folder) && !ofUser.test(folder) ? "bundle" : "other";
  return { kind, folder, ruby: "", abi };
}

/** The folder of the project that has a bundle; undefined for gems that are not in one. */
function projectOf({ kind, folder }: GemHome): string | undefined {
  const [place, project = ""] = kind === "bundle" ? (inProject.exec(folder) ?? []) : [];
  return place === undefined ? undefined : project;
}

const inProject = /^(?:(.*?)\/)?(?:vendor\/(?:bundle|cache)|\.bundle)(?:\/|$)/;

/** Gems that Ruby itself needs, which every program can load. */
const ofRuby = /\/specifications\/default\//;

/** Whether a gem in one folder can load one in another. */
function canLoad(home: GemHome, { packageDb }: CoalescedPackage, other: GemHome): boolean {
  if (home.folder === other.folder) return true;
  if (home.abi !== "" && other.abi !== "" && home.abi !== other.abi) return false;
  if (other.kind !== "installation") return home.kind === "application" && projectOf(other) === undefined;
  switch (home.kind) {
    case "bundle":
      return ofRuby.test(packageDb);
    case "installation":
      return home.ruby === other.ruby;
    default:
      return true;
  }
}

/** Finds what gems need as RubyGems and Bundler do: the newest of the versions that meet the need and can be loaded, a prerelease only if the need names one or nothing else is there. */
export const gemDependencies: DependencyResolver = (packages, image) => {
  const homes = new Map(packages.map((each) => [each, homeOf(each)]));
  const ofProjects = new Map([...homes.values()].map((home) => [projectOf(home), home]));
  /** The gems of an application are those of its own bundle, if it has one. */
  const usedBy = (from: CoalescedPackage) => {
    const home = homes.get(from) ?? homeOf(from);
    return home.kind === "application" ? (ofProjects.get(home.folder) ?? home) : home;
  };
  return dependenciesByName({
    namesIn: (need) => [nameIn(need)],
    accepts(found, need, from) {
      const other = homes.get(found);
      if (other === undefined || !meets(found, need)) return false;
      // Bundler is there before it looks for gems
      return canLoad(usedBy(from), found, other) || (nameIn(need) === "bundler" && other.kind !== "bundle");
    },
    prefers(one, other, need) {
      const [a, b] = [one.package.version, other.package.version];
      const [isPre, isOtherPre] = [a, b].map(
        (version) => /[a-z]/i.test(version) && !/[ .\d][a-z]/i.test(need.slice(nameIn(need).length)),
      );
      if (isPre !== isOtherPre) return isPre === true ? 1 : -1;
      return valid(a) && valid(b) ? compare(b, a) : 0;
    },
  })(packages, image);
};
