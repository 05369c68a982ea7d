import { Command } from "../shared/command.tsx";
import type { ShownRepository } from "./repository-name.ts";

/** The command that pulls from a repository; nothing where there is no tag. */
export function PullCommand({
  repository: { namespace, name, pull_tag: tag },
}: {
  readonly repository: ShownRepository;
}) {
  if (tag == null) return undefined;
  const suffix = tag === "latest" ? "" : `:${tag}`;
  return <Command line={`docker pull ${window.location.host}/${namespace}/${name}${suffix}`} />;
}
