// Texts below the flags in the help of each command.

const interrupted = "interrupted with Ctrl-C; 143: ended by SIGTERM";
const wrongWord = "an argument or a setting is wrong";
const noDatabase = "the database cannot be used";

/** What the exit codes of a command mean, in their order. */
function exitCodesHelp(meanings: Readonly<Record<number, string>>): string {
  const lines = Object.entries(meanings).map(([code, meaning]) => `  ${code.padEnd(3)}  ${meaning}`);
  return `\nExit codes:\n${lines.join("\n")}`;
}

const sources = `
Sources:
  registry:REF            an image in a registry, for example registry:docker.io/library/nginx:1.27
  docker:IMAGE            an image in the docker engine of DOCKER_HOST or docker's context
  podman:IMAGE            an image in podman, through its service: CONTAINER_HOST, or podman.socket
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

export const updateHelp = `
Updates the feeds that the images in this database need, and the feeds that are already loaded;
in a new database those of common distributions and languages. It prints their size first.
An interrupted update continues where it ended.

It also updates facts about vulnerabilities: nvd (130 MB the first time, then the years that
changed), epss (2 MB a day), kev (1.5 MB); redhat is about 250 MB the first time, then the files that
changed. With --feed only the named feeds are updated.

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
