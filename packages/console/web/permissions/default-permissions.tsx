import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { readShown } from "../api/read-shown.ts";
import { useChange } from "../api/use-change.ts";
import { usePages } from "../api/use-pages.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { chosenOf, SelectField } from "../shared/fields.tsx";
import { Paged } from "../shared/paged.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { texts } from "../texts/texts.ts";
import { EntityField } from "./entity-field.tsx";
import { RoleSelect } from "./role-select.tsx";

type Prototype = ResultOf<"POST /organization/{orgname}/prototypes">;

const { defaults: words, roles, role } = texts.permissions;

/** The default permissions of an organization: roles that are granted on each new repository. */
export function DefaultPermissions({ organization }: { readonly organization: string }) {
  const prototypes = usePages("GET /organization/{orgname}/prototypes", {
    params: { orgname: organization },
    query: {},
  });
  return (
    <Section title={words.title} about={words.about}>
      <NewDefaultPermission organization={organization} />
      <Paged query={prototypes}>
        {(pages) => (
          <Table
            columns={columnsOf(organization)}
            rows={pages.flatMap((page) => page.prototypes)}
            keyOf={({ id }) => id}
            empty={words.none}
          />
        )}
      </Paged>
    </Section>
  );
}

interface RowProps {
  readonly orgname: string;
  readonly prototype: Prototype;
}

function RoleOf({ orgname, prototype: { id, role, delegate } }: RowProps) {
  const change = useChange("PUT /organization/{orgname}/prototypes/{prototypeid}", [
    "GET /organization/{orgname}/prototypes",
  ]);
  const params = { orgname, prototypeid: id };
  const replaces = () =>
    readShown("GET /organization/{orgname}/prototypes/{prototypeid}", { params }, (now) => now.role === role);
  const given = (chosen: typeof role) => ({ params, body: { role: chosen }, replaces });
  return <RoleSelect name={delegate.name} role={role} change={change} given={given} />;
}

function Remove({ orgname, prototype: { id, delegate } }: RowProps) {
  const change = useChange("DELETE /organization/{orgname}/prototypes/{prototypeid}", [
    "GET /organization/{orgname}/prototypes",
  ]);
  const consequence = words.removed(delegate.name);
  const given = { params: { orgname, prototypeid: id } };
  return <ConfirmedButton label={words.remove} consequence={consequence} change={change} given={given} />;
}

function columnsOf(orgname: string): readonly Column<Prototype>[] {
  const { columns } = words;
  return [
    { title: columns.delegate, isName: true, cell: ({ delegate }) => delegate.name },
    { title: columns.kind, cell: kindOf },
    { title: columns.role, cell: (prototype) => <RoleOf orgname={orgname} prototype={prototype} /> },
    { title: columns.creator, cell: ({ activating_user: creator }) => creator?.name ?? words.anyone },
    { title: columns.actions, cell: (prototype) => <Remove orgname={orgname} prototype={prototype} /> },
  ];
}

function kindOf({ delegate }: Prototype): string {
  const { kinds } = texts.permissions;
  if (delegate.kind === "team") return kinds.team;
  return delegate.is_robot ? kinds.robot : kinds.user;
}

type Kind = keyof typeof words.kindOptions;

/** Grants a user, robot or team a role on each new repository. */
export function NewDefaultPermission({ organization }: { readonly organization: string }) {
  const [kind, setKind] = useState<Kind>("user");
  const change = useChange("POST /organization/{orgname}/prototypes", ["GET /organization/{orgname}/prototypes"]);
  const given = (typed: Typed) => {
    const creator = typed("creator");
    return {
      params: { orgname: organization },
      body: {
        role: chosenOf(roles, typed("role")),
        delegate: { name: typed("name"), kind: chosenOf(words.kindOptions, typed("kind")) },
        activating_user: creator !== "" ? { name: creator } : undefined,
      },
    };
  };
  return (
    <ChangeForm label={words.add} change={change} given={given} onDone={() => setKind("user")}>
      <SelectField name="kind" label={words.kind} options={words.kindOptions} onChoice={setKind} />
      <EntityField name="name" label={words.name} namespace={organization} kind={kind} />
      <SelectField name="role" label={role} options={roles} />
      <EntityField name="creator" label={words.creator} namespace={organization} isOptional />
    </ChangeForm>
  );
}
