import { dependenciesByName } from "../../index/named-dependencies.ts";
import { fileOf } from "../../index/owned-files.ts";
import type { CoalescedPackage, Coalescer } from "../../plugins/coalescer.ts";
import type { Ecosystem } from "../../plugins/ecosystem.ts";
import { perlVersions } from "../../versions/perl/version.ts";
import { defineLanguage } from "../language/define-language.ts";
import { withStatedDetails } from "../language/stated-details.ts";
import { metadataDetector, packlistDetector, providesDetector } from "./detectors.ts";
import { perlEvidence } from "./evidence.ts";

/** The modules of Perl itself, pragmas included, that distributions mostly need: those of all versions from 5.26 on. @see https://perldoc.perl.org/modules */
const ofPerl: ReadonlySet<string> = new Set(
  [
    "attributes autodie autouse base bigint bignum bigrat bytes charnames constant diagnostics encoding experimental feature fields filetest if integer less lib",
    "locale mro open ops overload overloading parent perlfaq re sigtrap sort strict subs threads threads::shared utf8 vars version warnings warnings::register",
    "Archive::Tar AutoLoader B Benchmark Carp Compress::Zlib Config Cwd Data::Dumper Devel::Peek Digest Digest::MD5 Digest::SHA DirHandle DynaLoader Encode",
    "Encode::Alias Encode::Encoding Encode::Guess English Env Errno Exporter Fcntl File::Basename File::Compare File::Copy File::Fetch File::Find File::Glob",
    "File::Path File::Spec File::Spec::Functions File::Spec::Unix File::Spec::Win32 File::stat File::Temp FileHandle Filter::Simple Filter::Util::Call FindBin",
    "Getopt::Long Getopt::Std HTTP::Tiny Hash::Util I18N::LangTags I18N::Langinfo IPC::Cmd IPC::Open2 IPC::Open3 IPC::SysV JSON::PP List::Util",
    "Locale::Maketext MIME::Base64 MIME::QuotedPrint Memoize Module::CoreList Module::Load Module::Load::Conditional Module::Loaded Module::Metadata NEXT",
    "Net::Cmd Net::Domain Net::FTP Net::Ping Net::SMTP Opcode POSIX Params::Check Parse::CPAN::Meta Perl::OSType Safe Scalar::Util SelectSaver SelfLoader",
    "Socket Storable Sub::Util Symbol Sys::Hostname Sys::Syslog Term::ANSIColor Term::Cap Term::ReadLine Text::Abbrev Text::Balanced Text::ParseWords",
    "Text::Tabs Text::Wrap Thread::Queue Thread::Semaphore Time::HiRes Time::Local Time::Piece Time::Seconds UNIVERSAL User::grent User::pwent XSLoader",
  ].flatMap((names) => names.split(" ")),
);
const ofPerlMostly = /^(?:CPAN|ExtUtils|IO|Math|PerlIO|Pod|TAP|Test2?|Tie|Unicode)::/;

/** The folder of the libraries that programs use together: `app/local/` has those of one project. */
function placeOf({ packageDb }: CoalescedPackage): string {
  return /^(.*?)(?:lib|share)\/perl5?\//.exec(packageDb)?.[1] ?? "";
}

/** A module is in a distribution that says so, or that has its name. */
function namesIn(need: string): readonly string[] {
  return ofPerl.has(need) ? [] : [need, need.replaceAll("::", "-")];
}

const dependencies = dependenciesByName({
  namesIn,
  namesOf: ({ package: { name }, details }) => [name, ...(details?.provides ?? [])],
  accepts: (found, _, from) => placeOf(found) === placeOf(from) || placeOf(found).startsWith("usr/"),
  isUncertain: (need) => ofPerlMostly.test(need),
  // not all modules of a distribution are known, nor those that the packages of the system have
  mayBeElsewhere: (need, { details: { requires = [] } = {} }) => !ofPerlMostly.test(need) && requires.includes(need),
});

const language = defineLanguage({
  name: "perl",
  ecosystem: "CPAN",
  repository: "cpan",
  fileDetectors: [packlistDetector, metadataDetector],
  versions: perlVersions,
  evidence: perlEvidence,
  dependencies,
  runtime: { program: "perl" },
  purl: ["cpan"],
  assesses: ["perl"],
});

/** Installed distributions of Perl modules. */
export const perl: Ecosystem = {
  ...language,
  detailDetectors: [providesDetector],
  coalesce: withVersions(withStatedDetails(language.coalesce ?? (() => []), (finding) => [fileOf(finding)])),
};

/** Wraps a coalescer so that a package without a version is dropped if there is one of the same name with a version. */
function withVersions(coalesce: Coalescer): Coalescer {
  return (layers, image): readonly CoalescedPackage[] => {
    const found = [...coalesce(layers, image)];
    const known = new Set(found.flatMap(({ package: { name, version } }) => (version === "" ? [] : [name])));
    return found.filter(({ package: { name, version } }) => version !== "" || !known.has(name));
  };
}
