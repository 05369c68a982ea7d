import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Credentials } from "../shared/credentials.tsx";
import { TextField } from "../shared/fields.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time, timeText } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";

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
          <Table
            columns={[...columns, actions]}
            rows={robots}
            keyOf={({ name }) => name}
            choice={{
              actions: (chosen) => (
                <ChosenButton
                  label={words.removeChosen}
                  consequence={words.removedChosen(chosen.length)}
                  operation={robotDeletion(owner)}
                  affected={robotLists}
                  given={chosen.map(({ name }) => ({ params: robotParams(owner, name) }))}
                />
              ),
            }}
            empty={words.none}
            file={{ name: "robots" }}
          />
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
  const { renewed, deleted } = useRobotChanges(owner);
  const given = { params: robotParams(owner, name) };
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
  {
    title: words.columns.created,
    text: ({ created }) => timeText(Date.parse(created)),
    cell: ({ created }) => <Time at={Date.parse(created)} />,
  },
  {
    title: words.columns.used,
    text: ({ last_accessed: used }) => (used === null ? "" : timeText(Date.parse(used))),
    cell: ({ last_accessed: used }) => (used === null ? words.never : <Time at={Date.parse(used)} />),
  },
];

interface Props {
  readonly owner: RobotOwner;
  readonly onSecret: (secret: RobotSecret) => void;
}

/** Creates a robot. */
function NewRobot({ owner, onSecret }: Props) {
  const { created } = useRobotChanges(owner);
  const given = (typed: Typed) => ({
    params: { orgname: owner.namespace, robot_shortname: typed("name") },
    body: { description: typed("description") },
  });
  return (
    <ChangeForm label={words.create} change={created} given={given} onDone={onSecret}>
      <TextField name="name" label={words.name} required maxLength={255} rule={words.nameRule} />
      <TextField name="description" label={words.description} maxLength={255} />
    </ChangeForm>
  );
}

/** A robot in a list. */
type Robot = ResultOf<"GET /user/robots">["robots"][number];

/** A robot's name with its token, which is shown once. */
interface RobotSecret {
  readonly name: string;
  readonly token?: string;
}

/** The owner of robots: the visitor or an organization. */
interface RobotOwner {
  readonly namespace: string;
  readonly isOrganization: boolean;
}

const query = { token: false, permissions: false };

/** Queries the robots of an owner. */
function useRobots({ namespace, isOrganization }: RobotOwner) {
  const own = useOperation("GET /user/robots", { query }, { enabled: !isOrganization });
  const ofOrganization = useOperation(
    "GET /organization/{orgname}/robots",
    { params: { orgname: namespace }, query },
    { enabled: isOrganization },
  );
  return isOrganization ? ofOrganization : own;
}

const robotLists = ["GET /user/robots", "GET /organization/{orgname}/robots"] as const;

function robotDeletion({ isOrganization }: RobotOwner) {
  return isOrganization
    ? "DELETE /organization/{orgname}/robots/{robot_shortname}"
    : "DELETE /user/robots/{robot_shortname}";
}

/** The parameters that name a robot, without the prefix of its owner. The operations of a user ignore `orgname`. */
function robotParams({ namespace: orgname }: RobotOwner, name: string) {
  return { orgname, robot_shortname: name.slice(name.indexOf("+") + 1) };
}

/** Changes of robots. */
function useRobotChanges(owner: RobotOwner) {
  const { isOrganization } = owner;
  const created = useChange(
    isOrganization ? "PUT /organization/{orgname}/robots/{robot_shortname}" : "PUT /user/robots/{robot_shortname}",
    robotLists,
  );
  const renewed = useChange(
    isOrganization
      ? "POST /organization/{orgname}/robots/{robot_shortname}/regenerate"
      : "POST /user/robots/{robot_shortname}/regenerate",
    robotLists,
  );
  const deleted = useChange(robotDeletion(owner), robotLists);
  return { created, renewed, deleted };
}
