import { readShown } from "../api/read-shown.ts";
import { useChange } from "../api/use-change.ts";
import { readAllRows, usePages } from "../api/use-pages.ts";
import type { ShownRepository } from "../repositories/repository-name.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ChosenButton, ConfirmedButton } from "../shared/confirmed-button.tsx";
import { chosenOf, SelectField } from "../shared/fields.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Parts } from "../shared/tabs.tsx";
import { texts } from "../texts/texts.ts";
import { EntityField } from "./entity-field.tsx";
import { type Role, RoleSelect } from "./role-select.tsx";

/** The permissions of users, robots and teams on a repository. */
export function RepositoryPermissions({ repository }: { readonly repository: ShownRepository }) {
  const { namespace, name, is_organization: isOrganization } = repository;
  const shown = { namespace, repository: `${namespace}/${name}` };
  const { users, teams } = texts.permissions.parts;
  return (
    <Parts
      label={texts.permissions.label}
      parts={{
        users: { title: users, show: () => <Grants key="user" kind="user" {...shown} /> },
        teams: isOrganization ? { title: teams, show: () => <Grants key="team" kind="team" {...shown} /> } : undefined,
      }}
    />
  );
}

const words = texts.permissions;

interface Props {
  readonly kind: GrantKind;
  readonly namespace: string;
  /** With its namespace. */
  readonly repository: string;
}

/** The roles of users and robots, or of teams, on a repository. */
function Grants({ kind, namespace, repository }: Props) {
  const { list, change, remove } = grantCalls(kind);
  const all = { params: { repository }, query: {} };
  const grants = usePages(list, all);
  const changed = useChange(change, [list]);
  const given = (typed: Typed) => ({
    params: grantParams(repository, typed("name")),
    body: { role: chosenOf(words.roles, typed("role")) },
    replaces: null,
  });
  const { title, about, name, none } = words[kind];
  return (
    <Section title={title} about={about}>
      <ChangeForm label={words.grant} change={changed} given={given}>
        <EntityField name="name" label={name} namespace={namespace} kind={kind} />
        <SelectField name="role" label={words.role} options={words.roles} />
      </ChangeForm>
      <Paged query={grants}>
        {(pages) => (
          <Table
            columns={columnsOf(kind, repository)}
            rows={pages.flatMap(({ permissions }) => Object.values<Grant>(permissions))}
            keyOf={(grant) => grant.name}
            empty={none}
            choice={{
              actions: (chosen) => (
                <ChosenButton
                  label={words.removeChosen}
                  consequence={words.removedChosen(chosen.length)}
                  operation={remove}
                  affected={[list]}
                  given={chosen.map((grant) => ({ params: grantParams(repository, grant.name) }))}
                />
              ),
            }}
            file={{
              name: `${repository.replaceAll("/", "-")}-permissions`,
              all: () => readAllRows(list, all, ({ permissions }) => Object.values<Grant>(permissions)),
            }}
          />
        )}
      </Paged>
    </Section>
  );
}

interface RowProps {
  readonly kind: GrantKind;
  readonly repository: string;
  readonly grant: Grant;
}

function RoleOf({ kind, repository, grant: { name, role } }: RowProps) {
  const { list, read, change } = grantCalls(kind);
  const params = grantParams(repository, name);
  const replaces = () => readShown(read, { params }, (now) => now.role === role);
  const given = (chosen: typeof role) => ({ params, body: { role: chosen }, replaces });
  return <RoleSelect name={name} role={role} change={useChange(change, [list])} given={given} />;
}

function Remove({ kind, repository, grant: { name } }: RowProps) {
  const { list, remove } = grantCalls(kind);
  const change = useChange(remove, [list]);
  return (
    <ConfirmedButton
      label={words.remove}
      consequence={words[kind].removed(name)}
      change={change}
      given={{ params: grantParams(repository, name) }}
    />
  );
}

function columnsOf(kind: GrantKind, repository: string): readonly Column<Grant>[] {
  const { columns } = words;
  const shown = { kind, repository };
  return [
    { title: columns.name, isName: true, cell: ({ name }) => name },
    ...(kind === "user" ? [{ title: columns.kind, cell: kindOf }] : []),
    {
      title: columns.role,
      text: ({ role }) => words.roles[role],
      cell: (grant) => <RoleOf {...shown} grant={grant} />,
    },
    { title: columns.actions, cell: (grant) => <Remove {...shown} grant={grant} /> },
  ];
}

function kindOf({ is_robot: isRobot, is_org_member: isMember }: Grant): string {
  if (isRobot) return words.kinds.robot;
  return isMember === false ? words.kinds.outside : words.kinds.user;
}

/** The kind of account that is granted a role: a user or robot, or a team. */
type GrantKind = "user" | "team";

/** A role on a repository. */
interface Grant {
  readonly name: string;
  readonly role: Role;
  readonly is_robot?: boolean;
  /** Absent if the repository does not belong to an organization. */
  readonly is_org_member?: boolean;
}

/** The operations on the grants of a kind. */
function grantCalls(kind: GrantKind) {
  const isUser = kind === "user";
  return {
    list: isUser ? "GET /repository/{repository}/permissions/user/" : "GET /repository/{repository}/permissions/team/",
    read: isUser
      ? "GET /repository/{repository}/permissions/user/{username}"
      : "GET /repository/{repository}/permissions/team/{teamname}",
    change: isUser
      ? "PUT /repository/{repository}/permissions/user/{username}"
      : "PUT /repository/{repository}/permissions/team/{teamname}",
    remove: isUser
      ? "DELETE /repository/{repository}/permissions/user/{username}"
      : "DELETE /repository/{repository}/permissions/team/{teamname}",
  } as const;
}

/** The parameters that name a grant. Each operation uses those that its path contains. */
function grantParams(repository: string, name: string) {
  return { repository, username: name, teamname: name };
}
