import { cancelRepoBuild, getRepoBuilds, requestRepoBuild } from "../api/generated/build.ts";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import type { ShownRepository } from "../repositories/repository-name.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { type Build, isRunning, phaseText } from "./build-calls.ts";
import { BuildLog } from "./build-log.tsx";
import { NewBuild } from "./new-build.tsx";

const words = texts.builds;

/** How often builds are looked at while one runs, and otherwise, in milliseconds. */
const [busyMs, idleMs] = [1000, 15_000] as const;

/** How many builds are listed: the newest. */
const listed = 100;

/** The builds of a repository; for those who may write, how to start one, and the log of the one that the address names. */
export function Builds({ repository }: { readonly repository: ShownRepository }) {
  const { namespace, can_write: mayWrite } = repository;
  const hasBuilds = useRegistryConfig().data?.features.BUILD_SUPPORT;
  const name = `${namespace}/${repository.name}`;
  const [chosen, choose] = useSearchParam("build");
  const builds = useOperation(
    getRepoBuilds,
    { params: { repository: name }, query: { limit: listed } },
    {
      enabled: hasBuilds === true,
      refetchInterval: ({ state }) => (state.data?.builds.some(isRunning) ? busyMs : idleMs),
    },
  );
  if (hasBuilds === false) return <p className="empty">{words.off}</p>;
  return (
    <Section title={words.title} about={words.about}>
      {mayWrite && <NewBuild namespace={namespace} repository={name} onDone={({ id }) => choose(id)} />}
      <Answered query={builds}>
        {({ builds: list }) => {
          const shown = list.find(({ id }) => id === chosen);
          return (
            <>
              <Table
                columns={columnsOf(name, { mayWrite, chosen, choose })}
                rows={list}
                keyOf={({ id }) => id}
                empty={words.none}
              />
              {mayWrite && shown !== undefined && <BuildLog key={shown.id} repository={name} build={shown} />}
            </>
          );
        }}
      </Answered>
    </Section>
  );
}

interface Choice {
  readonly mayWrite: boolean;
  readonly chosen: string;
  readonly choose: (id: string) => void;
}

function columnsOf(repository: string, { mayWrite, chosen, choose }: Choice): readonly Column<Build>[] {
  const name = ({ id, display_name: text }: Build) => (
    <button
      type="button"
      className="disclosure"
      aria-expanded={chosen === id}
      onClick={() => choose(chosen === id ? "" : id)}
    >
      {text}
    </button>
  );
  const actions: Column<Build> = {
    title: words.columns.actions,
    cell: (build) => <Actions repository={repository} build={build} onAgain={choose} />,
  };
  return [
    { title: words.columns.name, isName: true, cell: mayWrite ? name : ({ display_name: text }) => text },
    { title: words.columns.phase, cell: ({ phase }) => phaseText(phase) },
    { title: words.columns.started, cell: ({ started }) => <Time at={Date.parse(started)} /> },
    { title: words.columns.by, cell: ({ manual_user: user }) => user ?? "–" },
    { title: words.columns.tags, cell: ({ tags }) => tags.join(", ") },
    ...(mayWrite ? [actions] : []),
  ];
}

interface ActionsProps {
  readonly repository: string;
  readonly build: Build;
  readonly onAgain: (id: string) => void;
}

/** A build that has not ended is cancelled; one that has is made again, without the values of its arguments, which are not kept. */
function Actions({ repository, build, onAgain }: ActionsProps) {
  const cancel = useChange(cancelRepoBuild, [getRepoBuilds]);
  const again = useChange(requestRepoBuild, [getRepoBuilds]);
  const { id, archive_url: archive, dockerfile_path, context, tags, pull_robot: robot } = build;
  if (isRunning(build)) {
    return <ActionButton label={words.cancel} change={cancel} given={{ params: { repository, build_uuid: id } }} />;
  }
  if (archive === undefined) return undefined;
  const body = {
    archive_url: archive,
    dockerfile_path,
    context,
    docker_tags: tags,
    ...(robot !== null && { pull_robot: robot.name }),
  };
  const given = { params: { repository }, body };
  return <ActionButton label={words.again} change={again} given={given} onDone={(made) => onAgain(made.id)} />;
}
