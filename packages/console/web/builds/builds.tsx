import { useEffect, useRef } from "react";
import { useRegistryConfig } from "../api/registry-config.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import type { ShownRepository } from "../repositories/repository-name.ts";
import { ActionButton } from "../shared/action-button.tsx";
import { Answered } from "../shared/answered.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { useSearchParam } from "../shared/search-param.ts";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Parts } from "../shared/tabs.tsx";
import { Time, timeText } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { type Build, isRunning, type LogLine, phaseText, useBuildLog } from "./build-calls.ts";
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
                file={{ name: `${name.replaceAll("/", "-")}-builds` }}
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
    {
      title: words.columns.name,
      isName: true,
      text: ({ display_name: text }) => text,
      cell: mayWrite ? name : ({ display_name: text }) => text,
    },
    { title: words.columns.phase, cell: ({ phase }) => phaseText(phase) },
    {
      title: words.columns.started,
      text: ({ started }) => timeText(Date.parse(started)),
      cell: ({ started }) => <Time at={Date.parse(started)} />,
    },
    { title: words.columns.by, cell: ({ manual_user: user }) => user ?? "–" },
    { title: words.columns.tags, cell: ({ tags }) => tags.join(", ") },
    ...(mayWrite ? [actions] : []),
  ];
}

interface Props {
  readonly repository: string;
  readonly build: Build;
  readonly onAgain: (id: string) => void;
}

/** The actions of a build: a running one can be cancelled, an ended one started again, without its build arguments, which are not stored. */
function BuildActions({ repository, build, onAgain }: Props) {
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

/** The log of a build, updated while it runs. */
function BuildLog({ repository, build }: { readonly repository: string; readonly build: Build }) {
  const log = useBuildLog(repository, build);
  return (
    <section aria-labelledby="build-log">
      <h3 id="build-log">{words.log(build.display_name)}</h3>
      {build.error !== null && <p className="failure">{build.error}</p>}
      <Answered query={log}>
        {({ lines }) =>
          lines.length === 0 ? <p className="empty">{words.noLog}</p> : <Lines text={lines.map(textOf).join("\n")} />
        }
      </Answered>
    </section>
  );
}

/** The lines of the log. While the view is at the end, it scrolls with new lines. */
function Lines({ text }: { readonly text: string }) {
  const place = useRef<HTMLPreElement>(null);
  const isAtEnd = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text may be longer than the visible part
  useEffect(() => {
    if (isAtEnd.current && place.current !== null) place.current.scrollTop = place.current.scrollHeight;
  }, [text]);
  return (
    <pre
      ref={place}
      className="log"
      role="log"
      aria-labelledby="build-log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 8;
      }}
    >
      {text}
    </pre>
  );
}

function textOf({ type, message }: LogLine): string {
  if (type === "phase") return words.phaseLine(phaseText(message));
  return type === "error" ? words.errorLine(message) : message;
}
