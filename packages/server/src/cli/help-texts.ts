/** What stands below the flags in the help of a command. */
export const sourceHelp = `
Sources:
  registry:REF            an image in a registry, for example registry:docker.io/library/nginx:1.27
  docker-archive:FILE     what docker save writes
  oci-archive:FILE        an OCI layout as one tar file
  oci-dir:PATH[:REF]      an OCI layout in a folder
  dir:PATH                a root file system
  -                       an archive on standard input
  a bare word             a file or folder is looked into; anything else is a registry reference

Exit codes:
  0    ok
  1    --fail-on found something
  2    a word or a setting is wrong
  3    the scan failed; or it was incomplete, with --strict, or with --fail-on where nothing was found
  4    the database cannot be used; or, with --fail-on or --strict, its advisory data are missing or too old
  130  it was interrupted with Ctrl-C; by SIGTERM: 143`;

export const reportHelp = `
Reference: registry.example.com/acme/app:1, localhost:5000/acme/app@sha256:…

Exit codes:
  0    ok
  1    --fail-on found something
  2    a word or a setting is wrong
  3    the registry cannot be asked, or has no report; or it is incomplete, with --strict, or with --fail-on
  4    with --fail-on: the advisory data of the registry are too old
  130  it was interrupted with Ctrl-C; by SIGTERM: 143`;

export const updateHelp = `
Exit codes:
  0    every feed is up to date
  2    a word or a setting is wrong
  3    a feed failed; with --strict: or records of a feed could not be read
  4    the database cannot be used
  5    another process is updating a feed, which was skipped
  130  it was interrupted with Ctrl-C; by SIGTERM: 143`;

export const jobsHelp = `
States: waiting, running, dead. Ids are those that "jobs list" prints.

Exit codes:
  0    ok
  2    a word or a setting is wrong
  3    there is no such job, or it is in a state in which that cannot be done
  4    the database cannot be used`;

/** As the store names them: the command line is put together without the store. */
export const jobStates = ["waiting", "running", "dead"] as const;

export const serveHelp = `
Exit codes:
  0    Ctrl-C or SIGTERM told it to stop, and it ended in order: after drainSeconds, and with what it had begun. A second signal ends it at once, and shells call that 130 or 143
  2    a word or a setting is wrong
  3    it could not start, for example because another program has the port
  4    the database cannot be used`;
