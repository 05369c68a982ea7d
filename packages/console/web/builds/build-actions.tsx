import { useChange } from "../api/use-change.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { texts } from "../texts/texts.ts";
import { type Build, isRunning } from "./build-calls.ts";

const words = texts.builds;

interface Props {
  readonly repository: string;
  readonly build: Build;
  readonly onAgain: (id: string) => void;
}

/** The actions of a build: a running one can be cancelled, an ended one started again, without its build arguments, which are not stored. */
export function BuildActions({ repository, build, onAgain }: Props) {
  const cancel = useChange("DELETE /repository/{repository}/build/{build_uuid}", [
    "GET /repository/{repository}/build/",
  ]);
  const again = useChange("POST /repository/{repository}/build/", ["GET /repository/{repository}/build/"]);
  const { id, dockerfile_path, context, tags, pull_robot: robot } = build;
  if (isRunning(build)) {
    return <ActionButton label={words.cancel} change={cancel} given={{ params: { repository, build_uuid: id } }} />;
  }
  const body = {
    ...sourceOf(build),
    dockerfile_path,
    context,
    docker_tags: tags,
    pull_robot: robot !== null ? robot.name : undefined,
  };
  const given = { params: { repository }, body };
  return <ActionButton label={words.again} change={again} given={given} onDone={(made) => onAgain(made.id)} />;
}

/** The source of a build, as a request names it. */
function sourceOf({ archive_url: archive, file_id: file, git_url: git, git_ref: reference }: Build) {
  return {
    archive_url: archive,
    file_id: file,
    git_url: git,
    git_ref: reference,
  };
}
