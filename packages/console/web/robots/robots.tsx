import { Fragment, useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { GrantedRoles, roleLists } from "../permissions/granted-roles.tsx";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm } from "../shared/change-form.tsx";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Credentials } from "../shared/credentials.tsx";
import { Disclosure } from "../shared/disclosure.tsx";
import { TextField } from "../shared/fields.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time, timeText } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { NewRobot, type RobotOwner, type RobotSecret } from "./new-robot.tsx";

const words = texts.robots;

/** The robots of a namespace: accounts for programs. */
export function Robots(owner: RobotOwner) {
  const [secret, setSecret] = useState<RobotSecret>();
  const [chosen, setChosen] = useState<string>();
  const name: Column<Robot> = {
    title: words.columns.name,
    isName: true,
    text: (robot) => robot.name,
    cell: (robot) => (
      <Disclosure
        isOpen={chosen === robot.name}
        onToggle={() => setChosen(chosen === robot.name ? undefined : robot.name)}
      >
        {robot.name}
      </Disclosure>
    ),
  };
  const actions: Column<Robot> = {
    title: words.columns.actions,
    cell: ({ name }) => <RobotActions owner={owner} name={name} onSecret={setSecret} />,
  };
  return (
    <section aria-labelledby="robots">
      <h2 id="robots">{words.title}</h2>
      <p>{words.about}</p>
      <NewRobot owner={owner} onSecret={setSecret} affected={[...robotLists, ...roleLists]} />
      {secret?.token !== undefined && <Credentials username={secret.name} secret={secret.token} />}
      <Answered query={useRobots(owner)}>
        {({ robots }) => (
          <Table
            columns={[name, ...columns, actions]}
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
      {chosen !== undefined && (
        <Fragment key={chosen}>
          <GrantedRoles
            of={{
              kind: owner.isOrganization ? "robot of an organization" : "robot of a user",
              namespace: owner.namespace,
              name: shortName(chosen),
            }}
          />
          <Federation owner={owner} name={chosen} />
        </Fragment>
      )}
    </section>
  );
}

interface FederationProps {
  readonly owner: RobotOwner;
  readonly name: string;
}

/** The issuers whose tokens a robot signs in with, such as those of CI systems: listed, added and removed. */
function Federation({ owner, name }: FederationProps) {
  const path = owner.isOrganization
    ? "/organization/{orgname}/robots/{robot_shortname}/federation"
    : "/user/robots/{robot_shortname}/federation";
  const params = robotParams(owner, name);
  const list = `GET ${path}` as const;
  const replaced = useChange(`POST ${path}` as const, [list]);
  const ended = useChange(`DELETE ${path}` as const, [list]);
  return (
    <Section title={federationWords.title(shortName(name))} about={federationWords.about}>
      <Answered query={useOperation(list, { params })}>
        {(trusted) => (
          <>
            <ChangeForm
              label={federationWords.add}
              change={replaced}
              given={(typed) => ({
                params,
                body: [...trusted, { issuer: typed("issuer").trim(), subject: typed("subject").trim() }],
              })}
            >
              <TextField
                name="issuer"
                label={federationWords.issuer}
                rule={federationWords.issuerRule}
                required
                maxLength={1024}
              />
              <TextField
                name="subject"
                label={federationWords.subject}
                rule={federationWords.subjectRule}
                required
                maxLength={1024}
              />
            </ChangeForm>
            <Table
              columns={[
                ...ofFederation,
                {
                  title: words.columns.actions,
                  cell: (one) => {
                    const shown = {
                      label: federationWords.remove,
                      consequence: federationWords.removed(one.issuer, one.subject),
                    };
                    const left = trusted.filter((each) => each !== one);
                    return left.length === 0 ? (
                      <ConfirmedButton {...shown} change={ended} given={{ params }} />
                    ) : (
                      <ConfirmedButton {...shown} change={replaced} given={{ params, body: left }} />
                    );
                  },
                },
              ]}
              rows={trusted}
              keyOf={({ issuer, subject }) => `${issuer} ${subject}`}
              empty={federationWords.none}
            />
          </>
        )}
      </Answered>
    </Section>
  );
}

const federationWords = texts.robots.federation;

const ofFederation: readonly Column<ResultOf<"GET /user/robots/{robot_shortname}/federation">[number]>[] = [
  { title: federationWords.issuer, isName: true, isText: true, cell: ({ issuer }) => issuer },
  { title: federationWords.subject, isText: true, cell: ({ subject }) => subject },
];

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

/** A robot in a list. */
type Robot = ResultOf<"GET /user/robots">["robots"][number];

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
  return { orgname, robot_shortname: shortName(name) };
}

function shortName(name: string): string {
  return name.slice(name.indexOf("+") + 1);
}

/** Changes of robots. */
function useRobotChanges(owner: RobotOwner) {
  const { isOrganization } = owner;
  const renewed = useChange(
    isOrganization
      ? "POST /organization/{orgname}/robots/{robot_shortname}/regenerate"
      : "POST /user/robots/{robot_shortname}/regenerate",
    robotLists,
  );
  const deleted = useChange(robotDeletion(owner), robotLists);
  return { renewed, deleted };
}
