import { useState } from "react";
import { Answered } from "../shared/answered.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Credentials } from "../shared/credentials.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { NewRobot } from "./new-robot.tsx";
import { type Robot, type RobotOwner, type RobotSecret, useRobotChanges, useRobots } from "./robot-calls.ts";

const words = texts.robots;

/** The robots of a namespace: accounts for programs. */
export function Robots(owner: RobotOwner) {
  const [secret, setSecret] = useState<RobotSecret>();
  const actions: Column<Robot> = {
    title: words.columns.actions,
    cell: ({ name }) => <RobotActions owner={owner} name={name} onSecret={setSecret} />,
  };
  return (
    <section aria-labelledby="robots">
      <h2 id="robots">{words.title}</h2>
      <p>{words.about}</p>
      <NewRobot owner={owner} onSecret={setSecret} />
      {secret?.token !== undefined && <Credentials username={secret.name} secret={secret.token} />}
      <Answered query={useRobots(owner)}>
        {({ robots }) => (
          <Table columns={[...columns, actions]} rows={robots} keyOf={({ name }) => name} empty={words.none} />
        )}
      </Answered>
    </section>
  );
}

interface ActionsProps {
  readonly owner: RobotOwner;
  readonly name: string;
  readonly onSecret: (secret: RobotSecret) => void;
}

function RobotActions({ owner, name, onSecret }: ActionsProps) {
  const { renewed, deleted, paramsOf } = useRobotChanges(owner);
  const given = { params: paramsOf(name.slice(name.indexOf("+") + 1)) };
  return (
    <>
      <ConfirmedButton
        label={words.renew}
        consequence={words.renewed(name)}
        change={renewed}
        given={given}
        onDone={onSecret}
      />
      <ConfirmedButton label={words.remove} consequence={words.removed(name)} change={deleted} given={given} />
    </>
  );
}

const columns: readonly Column<Robot>[] = [
  { title: words.columns.name, isName: true, cell: ({ name }) => name },
  { title: words.columns.description, cell: ({ description }) => description },
  { title: words.columns.created, cell: ({ created }) => <Time at={Date.parse(created)} /> },
  {
    title: words.columns.used,
    cell: ({ last_accessed: used }) => (used === null ? words.never : <Time at={Date.parse(used)} />),
  },
];
