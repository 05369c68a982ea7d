import type { GitHubJob } from "@plimsoll/scanner/formats";
import { UsageError } from "./exit-code.ts";
import type { CliIo } from "./io.ts";

/**
 * The commit and the run that a snapshot for GitHub is of, as GitHub's workflows name them.
 *
 * @see https://docs.github.com/en/actions/reference/workflows-and-actions/variables
 * @throws UsageError where a variable is missing or is none of its kind
 */
export function gitHubJob({ env }: Pick<CliIo, "env">): GitHubJob {
  const { GITHUB_SHA: sha = "", GITHUB_REF: ref = "", GITHUB_RUN_ID: id = "" } = env;
  const { GITHUB_WORKFLOW: workflow = "", GITHUB_JOB: job = "" } = env;
  if (!/^[0-9a-f]{40}$/.test(sha))
    throw new UsageError(`-o github: GITHUB_SHA: expected the 40 digits of a commit, found "${sha}"`);
  if (!ref.startsWith("refs/"))
    throw new UsageError(`-o github: GITHUB_REF: expected refs/heads/BRANCH, found "${ref}"`);
  return { sha, ref, id: id || "0", correlator: [workflow, job].filter(Boolean).join(" ") || "plimsoll" };
}

/** The same, where any of the outputs needs it. */
export function gitHubJobOf(outputs: readonly { readonly format: string }[], io: Pick<CliIo, "env">): GitHubJob {
  return outputs.some(({ format }) => format === "github") ? gitHubJob(io) : noJob;
}

/** Of documents that name none. */
const noJob: GitHubJob = { sha: "", ref: "", id: "", correlator: "" };
