import { type Command, Help, type HelpConfiguration } from "commander";
import type { Output } from "./io.ts";

// Texts below the flags in the help of each command.

const interrupted = "interrupted with Ctrl-C; 143: ended by SIGTERM";
const wrongWord = "an argument or a setting is wrong";
const noDatabase = "the database cannot be used";

const sources = `
Sources:
  registry:REF            an image in a registry, for example registry:docker.io/library/nginx:1.27
  docker:IMAGE            an image in the docker engine of DOCKER_HOST or docker's context
  podman:IMAGE            an image in podman, through its service: CONTAINER_HOST, or podman.socket
  containerd:IMAGE        an image in the store of containerd (nerdctl, Kubernetes), by name or id
  docker-archive:FILE     a file written by docker save
  oci-archive:FILE        an OCI layout as one tar file
  oci-dir:PATH[:REF]      an OCI layout in a folder
  dir:PATH                a root file system
  file:FILE               one archive or program: a jar, a wheel, an ELF program
  sbom:FILE               the packages of an SBOM (CycloneDX, SPDX or Syft); sbom:- reads standard input
  purl:PURL[,PURL]        packages without an image; purl:FILE has one per line
  -                       an archive on standard input
  no prefix               a file or folder that exists, else a registry reference
`;

export const sourceHelp = `${sources}
${exitCodesHelp({
  0: "ok",
  1: "--fail-on found something",
  2: wrongWord,
  3: "the scan failed; with --strict, or with --fail-on and no finding: the scan was incomplete, or something is undecided",
  4: "the database cannot be used; with --fail-on or --strict: its advisory data are missing or too old",
  130: interrupted,
})}`;

export const indexHelp = `${sources}
${exitCodesHelp({
  0: "ok",
  2: wrongWord,
  3: "the image cannot be read; with --strict: not completely",
  4: "the database of indexed layers cannot be used",
  130: interrupted,
})}`;

export const explainHelp = `${sources}
${exitCodesHelp({
  0: "ok, whatever the answer is",
  2: wrongWord,
  3: "the image cannot be read; with --strict: whether it is affected could not be decided",
  4: "the database cannot be used, or has no data of that date; with --strict: its advisory data are missing or too old",
  130: interrupted,
})}`;

export const licensesHelp = `${sources}
${exitCodesHelp({
  0: "ok: without rules, or all packages keep them",
  1: "a package has a licence that is not allowed",
  2: wrongWord,
  3: "the image cannot be read; with rules: a licence is not stated or not known, or the image was not read completely; with --strict the last also without rules",
  4: "the database of indexed layers cannot be used",
  130: interrupted,
})}`;

export const whyHelp = `${sources}
${exitCodesHelp({
  0: "ok",
  2: wrongWord,
  3: "the image cannot be read, or has no such package",
  4: "the database of indexed layers cannot be used",
  130: interrupted,
})}`;

/** What the exit codes of a command mean, in their order. */
function exitCodesHelp(meanings: Readonly<Record<number, string>>): string {
  const lines = Object.entries(meanings).map(([code, meaning]) => `  ${code.padEnd(3)}  ${meaning}`);
  return `\nExit codes:\n${lines.join("\n")}`;
}

export const diffHelp = `
Each side is a source, as for scan, or a file that "scan -o json=FILE" wrote (report:FILE).
  diff app:1 app:2                       two images, with today's advisories
  diff app:1 --as-of 2026-03-31          one image, with the advisories of then and of today
  diff report:last-week.json app:2       the changes since then
--fail-on judges the findings that only the second side has.
${exitCodesHelp({
  0: "ok",
  1: "--fail-on found something new",
  2: wrongWord,
  3: "a side cannot be read; with --strict, or with --fail-on and no new finding: the second side is incomplete",
  4: "the database cannot be used, or has no data of that date; with --fail-on or --strict: its data are missing or too old",
  130: interrupted,
})}`;

export const affectedHelp = `
The database keeps every image that scan, index or sbom read, by the name that you gave; also those that a service
on the same database indexed. A name stands for the image that was last scanned under it. The 1,000 names scanned last are kept.
  affected CVE-2021-44228                also finds its alias GHSA-jfh8-c2jp-5v3q
  affected GHSA-jfh8-c2jp-5v3q -o json   the same images
${exitCodesHelp({
  0: "ok",
  1: "--fail-on found something",
  2: wrongWord,
  3: "with --strict or --fail-on: no image, no advisory or no feed is known, or images were read by an earlier version",
  4: "the database cannot be used; with --fail-on or --strict: its advisory data are missing or too old",
  130: interrupted,
})}`;

export const reportHelp = `
Reference: registry.example.com/acme/app:1, localhost:5000/acme/app@sha256:…
${exitCodesHelp({
  0: "ok",
  1: "--fail-on found something",
  2: wrongWord,
  3: "the registry cannot be reached, or has no report; with --strict or --fail-on: the report is incomplete",
  4: "with --fail-on: the advisory data of the registry are too old",
  130: interrupted,
})}`;

/** The names of the feeds, a copy of the engine's, so that the command line is built without loading it. */
export const feedList = (
  "alma alpine amazon arch azurelinux bitnami bottlerocket chainguard cve debian eol epss fedora ghsa govulndb kev nodejs nvd nvd-cpe openeuler " +
  "oracle osv photon photon-cve php pypa redhat redhat-repositories rocky rubysec rustsec suse ubuntu wolfi"
).split(" ");

export const updateHelp = `
Updates the feeds that the images in this database need, and the feeds that are already loaded;
in a new database those of common distributions and languages. It prints their size first.
An interrupted update continues where it ended.

It also updates facts about vulnerabilities: nvd (130 MB the first time, then the years that
changed), epss (2 MB a day), kev (1.5 MB); redhat is about 250 MB the first time, then the files that
changed. With --feed only the named feeds are updated.

The feeds are ${feedList.join(", ")}.

  --feed java-index=registry:REF         the index of published Java archives, by which archives are identified
                                         that do not describe themselves; REF, URL or file of another scanner's
                                         index (about 1 GB), or of one that "db java-index build" made
${exitCodesHelp({
  0: "every feed is up to date",
  2: wrongWord,
  3: "a feed failed; with --strict: or records of a feed could not be read",
  4: noDatabase,
  5: "another process is updating a feed, which was skipped",
  130: interrupted,
})}`;

/** For commands that only read or write the advisory database. */
export const databaseHelp = exitCodesHelp({
  0: "ok",
  2: wrongWord,
  3: "a file cannot be read or written, or has no advisories",
  4: noDatabase,
  130: interrupted,
});

/** For the command that only reads the state of the database. */
export const statusHelp = exitCodesHelp({ 0: "ok", 2: wrongWord, 4: noDatabase, 130: interrupted });

export const javaIndexHelp = exitCodesHelp({
  0: "ok",
  2: wrongWord,
  3: "the folder cannot be read or the file cannot be written, or no archive is identified and the file has some; with --strict: no archive is identified",
  130: interrupted,
});

export const jobsHelp = `
States: waiting, running, dead. Ids are those that "jobs list" prints.
${exitCodesHelp({
  0: "ok",
  2: wrongWord,
  3: "there is no such job, or its state does not allow this",
  4: noDatabase,
})}`;

/** A copy of the store's list, so that the command line is built without loading the store. */
export const jobStates = ["waiting", "running", "dead"] as const;

export const adminHelp = exitCodesHelp({ 0: "ok", 2: wrongWord, 4: noDatabase, 130: interrupted });

export const backupHelp = exitCodesHelp({
  0: "ok",
  1: "blobs are missing or damaged; each is listed, and all others are done",
  2: wrongWord,
  3: "the blob store or the folder cannot be used",
  4: noDatabase,
  130: interrupted,
});

export const collectHelp = exitCodesHelp({
  0: "ok",
  2: wrongWord,
  3: "the blob store cannot be used",
  4: noDatabase,
  130: interrupted,
});

export const importHelp = exitCodesHelp({
  0: "everything was copied, or was already here",
  1: "something could not be copied; the report says what and why, and everything else is done",
  2: wrongWord,
  3: "the other registry cannot be reached, or the blob store cannot be used; you can repeat the command",
  4: noDatabase,
  130: interrupted,
});

/** For commands that read only their arguments. */
export const wordsHelp = exitCodesHelp({ 0: "ok", 2: wrongWord });

export const serveHelp = exitCodesHelp({
  0: "stopped by Ctrl-C or SIGTERM, after drainSeconds and after all started work. A second signal stops it at once; shells show this as 130 or 143",
  2: wrongWord,
  3: "it could not start, for example because another program has the port",
  4: noDatabase,
  70: "it stopped, after all started work, because of an error that it could not handle: the log has it. Start it again",
});

/** The width if that of the terminal is unknown. */
const usualWidth = 80;

/** Lines are not wrapped shorter than this, even in a narrower terminal. */
const leastWidth = 50;

/** The greatest width of the column of flags or commands: in characters, and as a share of the width. */
const [mostTermWidth, mostTermShare] = [30, 0.4];

/** The width of help texts, in characters: that of the terminal. */
export function helpWidthOf({ columns }: Output): number {
  return Math.max(columns || usualWidth, leastWidth);
}

/** Wraps help to the width of the terminal. The description of a long term begins on the next line. */
export const helpLayout: HelpConfiguration & ThisType<Help> = {
  minWidthToWrap: 1,
  padWidth(command, helper) {
    const width = Math.floor(mostTermShare * (helper.helpWidth ?? usualWidth));
    return Math.min(Help.prototype.padWidth.call(this, command, helper), mostTermWidth, width);
  },
  formatItem(term, termWidth, description) {
    return wrapEntry(term, description, { indent: 2, termWidth, width: this.helpWidth ?? usualWidth });
  },
  styleUsage(usage) {
    const indent = "Usage: ".length;
    return wrapWords(usage, (this.helpWidth ?? usualWidth) - indent).join(`\n${" ".repeat(indent)}`);
  },
};

/** A text for `addHelpText`, wrapped to the same width as the flags. */
export function helpBelow(text: string) {
  return ({ command }: { readonly command: Command }): string =>
    wrapHelpText(text, command.configureOutput().getOutHelpWidth?.() ?? usualWidth);
}

/** Two or more spaces separate the columns of an indented line; its second column is wrapped. */
function wrapHelpText(text: string, width: number): string {
  const wrapped = text.split("\n").map((line) => {
    const indent = line.length - line.trimStart().length;
    const end = line.indexOf("  ", indent);
    if (indent === 0 || end < 0) return wrapWords(line, width).join("\n");
    const description = line.slice(end).trimStart();
    const termWidth = line.length - description.length - indent - gap;
    return wrapEntry(line.slice(indent, end), description, { indent, termWidth, width });
  });
  return wrapped.join("\n");
}

/** Spaces between a term and what it means. */
const gap = 2;

function wrapEntry(
  term: string,
  description: string,
  { indent, termWidth, width }: { readonly indent: number; readonly termWidth: number; readonly width: number },
): string {
  const margin = " ".repeat(indent);
  if (description === "") return margin + term;
  const longest = Math.max(...description.split(" ").map((word) => word.length));
  const column = Math.min(indent + termWidth + gap, Math.max(indent + gap, width - longest));
  const lines = wrapWords(description, width - column);
  const isBeside = indent + term.length + gap <= column;
  const first = isBeside ? [(margin + term).padEnd(column) + lines.shift()] : [margin + term];
  return [...first, ...lines.map((line) => " ".repeat(column) + line)].join("\n");
}

/** A word that is longer than a line gets its own line. */
function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
