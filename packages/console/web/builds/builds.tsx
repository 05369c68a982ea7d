import { useRegistryConfig } from "../api/registry-config.ts";
import { useOperation } from "../api/use-operation.ts";
import type { ShownRepository } from "../repositories/repository-name.ts";
import { Answered } from "../shared/answered.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { Parts } from "../shared/parts.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { BuildActions } from "./build-actions.tsx";
import { type Build, isRunning, phaseText } from "./build-calls.ts";
import { BuildLog } from "./build-log.tsx";
import { NewBuild } from "./new-build.tsx";
import { BuildTriggers } from "./triggers.tsx";

const words = texts.builds;

/** How often builds are fetched again, in milliseconds: while one runs, and otherwise. */
const [busyMs, idleMs] = [1000, 15_000] as const;

/** How many of the newest builds are listed. */
const listed = 100;

/** The builds of a repository, and for those who administer it the triggers that start them. */
export function Builds({ repository }: { readonly repository: ShownRepository }) {
  const hasBuilds = useRegistryConfig().data?.features.BUILD_SUPPORT;
  if (hasBuilds === false) return <p className="empty">{words.off}</p>;
  const { builds, triggers } = words.parts;
  const name = `${repository.namespace}/${repository.name}`;
  return (
    <Parts
      label={words.title}
      parts={{
        builds: { title: builds, show: () => <BuildList repository={repository} /> },
        triggers: repository.can_admin
          ? { title: triggers, show: () => <BuildTriggers repository={name} /> }
          : undefined,
      }}
    />
  );
}

/** The builds; for those who may write, how to start one, and the log of the one that the address names. */
function BuildList({ repository }: { readonly repository: ShownRepository }) {
  const { namespace, can_write: mayWrite } = repository;
  const name = `${namespace}/${repository.name}`;
  const [chosen, choose] = useSearchParam("build");
  const builds = useOperation(
    "GET /repository/{repository}/build/",
    { params: { repository: name }, query: { limit: listed } },
    { refetchInterval: ({ state }) => (state.data?.builds.some(isRunning) ? busyMs : idleMs) },
  );
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
    <Disclosure isOpen={chosen === id} onToggle={() => choose(chosen === id ? "" : id)}>
      {text}
    </Disclosure>
  );
  const actions: Column<Build> = {
    title: words.columns.actions,
    cell: (build) => <BuildActions repository={repository} build={build} onAgain={choose} />,
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
