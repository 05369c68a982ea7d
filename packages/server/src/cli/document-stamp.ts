import type { DocumentStamp, GitHubJob } from "@plimsoll/scanner/formats";
import { wrongValue } from "../config/wrong-value.ts";
import type { CliIo } from "./io.ts";
import { productVersion } from "./product-version.ts";

/** The last second of the year 9999, since 1970. */
const latestSeconds = 253_402_300_799;

/**
 * The tool version and time in generated documents. `SOURCE_DATE_EPOCH` replaces the time, so that the same result gives the same
 * bytes.
 *
 * @see https://reproducible-builds.org/specs/source-date-epoch/
 * @throws UsageError if that variable is not a number of seconds
 */
export function documentStamp({ env, now }: Pick<CliIo, "env" | "now">): DocumentStamp {
  const { SOURCE_DATE_EPOCH: epoch = "" } = env;
  if (epoch === "") return { toolVersion: productVersion, createdAt: now() };
  const seconds = Number(epoch);
  if (!/^\d+$/.test(epoch) || seconds > latestSeconds)
    throw wrongValue({ place: "SOURCE_DATE_EPOCH", expected: "seconds since 1970", found: epoch });
  return { toolVersion: productVersion, createdAt: 1000 * seconds };
}

/**
 * The commit and the workflow run of a snapshot for GitHub, from the variables of GitHub Actions.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/variables
 * @throws UsageError if a variable is missing or malformed
 */
export function gitHubJob({ env }: Pick<CliIo, "env">): GitHubJob {
  const { GITHUB_SHA: sha = "", GITHUB_REF: ref = "", GITHUB_RUN_ID: id = "" } = env;
  const { GITHUB_WORKFLOW: workflow = "", GITHUB_JOB: job = "" } = env;
  if (!/^[0-9a-f]{40}$/.test(sha))
    throw wrongValue({ place: "-o github: GITHUB_SHA", expected: "the 40 digits of a commit", found: sha });
  if (!ref.startsWith("refs/"))
    throw wrongValue({ place: "-o github: GITHUB_REF", expected: "refs/heads/BRANCH", found: ref });
  return { sha, ref, id: id || "0", correlator: [workflow, job].filter(Boolean).join(" ") || "plimsoll" };
}

/** As {@link gitHubJob} if an output has the format `github`; otherwise an empty job. */
export function gitHubJobOf(outputs: readonly { readonly format: string }[], io: Pick<CliIo, "env">): GitHubJob {
  return outputs.some(({ format }) => format === "github") ? gitHubJob(io) : noJob;
}

/** For outputs in other formats, which do not contain it. */
const noJob: GitHubJob = { sha: "", ref: "", id: "", correlator: "" };
