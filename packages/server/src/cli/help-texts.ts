/** What stands below the flags in the help of a command. */

const interrupted = "it was interrupted with Ctrl-C; by SIGTERM: 143";
const wrongWord = "a word or a setting is wrong";
const noDatabase = "the database cannot be used";

/** What the exit codes of a command mean, in their order. */
function exitCodesHelp(meanings: Readonly<Record<number, string>>): string {
  const lines = Object.entries(meanings).map(([code, meaning]) => `  ${code.padEnd(3)}  ${meaning}`);
  return `\nExit codes:\n${lines.join("\n")}`;
}

const sources = `
Sources:
  registry:REF            an image in a registry, for example registry:docker.io/library/nginx:1.27
  docker:IMAGE            an image of the docker engine that DOCKER_HOST or docker's context names
  podman:IMAGE            an image of podman, by its service: CONTAINER_HOST, or podman.socket
  docker-archive:FILE     what docker save writes
  oci-archive:FILE        an OCI layout as one tar file
  oci-dir:PATH[:REF]      an OCI layout in a folder
  dir:PATH                a root file system
  file:FILE               one archive or program: a jar, a wheel, an ELF program
  sbom:FILE               the packages of an SBOM (CycloneDX, SPDX 2 or Syft, in JSON); sbom:- reads standard input
  purl:PURL[,PURL]        packages without an image; purl:FILE has one a line
  -                       an archive on standard input
  a bare word             a file or folder is looked into; anything else is a registry reference
`;

export const sourceHelp = `${sources}
${exitCodesHelp({
  0: "ok",
  1: "--fail-on found something",
  2: wrongWord,
  3: "the scan failed; or it was incomplete, with --strict, or with --fail-on where nothing was found",
  4: "the database cannot be used; or, with --fail-on or --strict, its advisory data are missing or too old",
  130: interrupted,
})}`;

export const diffHelp = `
Each side is a source, as for scan, or a file that "scan -o json=FILE" wrote (report:FILE).
  diff app:1 app:2                       two images, by what is known now
  diff app:1 --as-of 2026-03-31          one image, by what was known then and is known now
  diff report:last-week.json app:2       what has changed since
--fail-on judges the findings that only the second side has.
${exitCodesHelp({
  0: "ok",
  1: "--fail-on found something new",
  2: wrongWord,
  3: "a side cannot be read; or the second is incomplete, with --strict, or with --fail-on where nothing was found",
  4: "the database cannot be used, or does not know that date; or its data are missing or too old, with --fail-on or --strict",
  130: interrupted,
})}`;

export const affectedHelp = `
Every image that scan, index or sbom reads is remembered in the database by the name it was asked for; so are those that a service
on the same database indexes. A name stands for the image that it named last. The 1,000 names that were scanned last are kept.
  affected CVE-2021-44228                also finds what feeds know as GHSA-jfh8-c2jp-5v3q
  affected GHSA-jfh8-c2jp-5v3q -o json   the same images
${exitCodesHelp({
  0: "ok",
  1: "--fail-on found something",
  2: wrongWord,
  3: "no image, no advisory or no feed to judge by, or images read by an earlier version, with --strict or --fail-on",
  4: "the database cannot be used; or, with --fail-on or --strict, its advisory data are missing or too old",
  130: interrupted,
})}`;

export const reportHelp = `
Reference: registry.example.com/acme/app:1, localhost:5000/acme/app@sha256:…
${exitCodesHelp({
  0: "ok",
  1: "--fail-on found something",
  2: wrongWord,
  3: "the registry cannot be asked, or has no report; or it is incomplete, with --strict, or with --fail-on",
  4: "with --fail-on: the advisory data of the registry are too old",
  130: interrupted,
})}`;

export const updateHelp = `
Updated are the feeds that images need which were scanned with this database, and those that are loaded;
in a new database those of the usual distributions and languages. Their size is said first.
An update that was interrupted goes on where it was.

Facts about vulnerabilities come with the advisories: nvd (130 MB the first time, then the years that
changed), epss (2 MB a day), kev (1.5 MB); redhat is about 250 MB the first time, then the files that
changed. With --feed only the feeds that are named are updated.
${exitCodesHelp({
  0: "every feed is up to date",
  2: wrongWord,
  3: "a feed failed; with --strict: or records of a feed could not be read",
  4: noDatabase,
  5: "another process is updating a feed, which was skipped",
  130: interrupted,
})}`;

/** Of commands that only read or write the advisory database. */
export const databaseHelp = exitCodesHelp({
  0: "ok",
  2: wrongWord,
  3: "a file cannot be read or written, or holds no advisories",
  4: noDatabase,
  130: interrupted,
});

export const jobsHelp = `
States: waiting, running, dead. Ids are those that "jobs list" prints.
${exitCodesHelp({
  0: "ok",
  2: wrongWord,
  3: "there is no such job, or it is in a state in which that cannot be done",
  4: noDatabase,
})}`;

/** As the store names them: the command line is put together without the store. */
export const jobStates = ["waiting", "running", "dead"] as const;

export const adminHelp = exitCodesHelp({ 0: "ok", 2: wrongWord, 4: noDatabase, 130: interrupted });

export const backupHelp = exitCodesHelp({
  0: "ok",
  1: "blobs are missing or damaged; each is a line, and all others are done",
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
  0: "everything was taken, or was here already",
  1: "something could not be taken; the report says what and why, and all else is done",
  2: wrongWord,
  3: "the other registry cannot be asked, or the blob store cannot be used; the command can be repeated",
  4: noDatabase,
  130: interrupted,
});

/** Of commands that need nothing but their words. */
export const wordsHelp = exitCodesHelp({ 0: "ok", 2: wrongWord });

export const serveHelp = exitCodesHelp({
  0: "Ctrl-C or SIGTERM told it to stop, and it ended in order: after drainSeconds, and with what it had begun. A second signal ends it at once, and shells call that 130 or 143",
  2: wrongWord,
  3: "it could not start, for example because another program has the port",
  4: noDatabase,
});
