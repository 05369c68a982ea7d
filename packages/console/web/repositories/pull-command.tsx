import { listRepoTags } from "../api/generated/tag.ts";
import { useOperation } from "../api/use-operation.ts";
import { Command } from "../shared/command.tsx";
import { firstTags } from "./tag-query.ts";

/** The command that pulls `latest` or, without that tag, the newest tag of a repository. Nothing if it has no tag. */
export function PullCommand({ repository }: { readonly repository: string }) {
  const { data } = useOperation(listRepoTags, { params: { repository }, query: firstTags });
  const [newest] = data?.tags ?? [];
  if (data === undefined || newest === undefined) return undefined;
  const suffix = data.tags.some(({ name }) => name === "latest") ? "" : `:${newest.name}`;
  return <Command line={`docker pull ${window.location.host}/${repository}${suffix}`} />;
}
