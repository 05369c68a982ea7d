import { buildName } from "./build-request.ts";
import type { BuildRow } from "./queries.ts";

/** What every event says of its build. */
export function buildEvent({ id, archive_url, tags }: Pick<BuildRow, "id" | "archive_url" | "tags">) {
  return {
    build_id: id,
    build_name: buildName(archive_url),
    docker_tags: JSON.parse(tags) as string[],
    trigger_id: null,
    trigger_kind: null,
    trigger_metadata: {},
  };
}
