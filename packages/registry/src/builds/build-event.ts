import { buildName } from "./build-request.ts";
import { storedSource } from "./build-source.ts";
import type { BuildRow } from "./queries.ts";

/** The members that describe a build in each of its events. */
export function buildEvent(build: Pick<BuildRow, "id" | "archive_url" | "source" | "tags" | "trigger_id">) {
  return {
    build_id: build.id,
    build_name: buildName(storedSource(build)),
    docker_tags: JSON.parse(build.tags) as string[],
    trigger_id: build.trigger_id,
    trigger_kind: build.trigger_id === null ? null : "custom-git",
    trigger_metadata: {},
  };
}
