import {
  createRepositoryImmutabilityPolicy,
  deleteRepositoryImmutabilityPolicy,
  listRepositoryImmutabilityPolicies,
} from "../api/generated/policy.ts";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { Section } from "../shared/section.tsx";
import { SelectField } from "../shared/select-field.tsx";
import { type Column, Table } from "../shared/table.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

type Policy = ResultOf<typeof listRepositoryImmutabilityPolicies>["policies"][number];

const words = texts.immutability;
const affected = [listRepositoryImmutabilityPolicies];

/** The patterns of the tags of a repository that nothing may change. */
export function ImmutableTags({ repository }: { readonly repository: string }) {
  const policies = useOperation(listRepositoryImmutabilityPolicies, { params: { repository } });
  const change = useChange(createRepositoryImmutabilityPolicy, affected);
  const given = (typed: Typed) => ({
    params: { repository },
    body: { tagPattern: typed("pattern"), tagPatternMatches: typed("matches") === "yes" },
  });
  const actions: Column<Policy> = {
    title: words.columns.actions,
    cell: ({ uuid }) => <Remove repository={repository} uuid={uuid} />,
  };
  return (
    <Section title={words.title} about={words.about}>
      <ChangeForm label={words.add} change={change} given={given}>
        <TextField name="pattern" label={words.pattern} rule={words.patternRule} required maxLength={256} />
        <SelectField name="matches" label={words.matches} options={words.matchesOptions} />
      </ChangeForm>
      <Answered query={policies}>
        {({ policies: list }) => (
          <Table columns={[...columns, actions]} rows={list} keyOf={({ uuid }) => uuid} empty={words.none} />
        )}
      </Answered>
    </Section>
  );
}

function Remove({ repository, uuid }: { readonly repository: string; readonly uuid: string }) {
  const change = useChange(deleteRepositoryImmutabilityPolicy, affected);
  const given = { params: { repository, policy_uuid: uuid } };
  return <ConfirmedButton label={words.remove} consequence={words.removed} change={change} given={given} />;
}

const columns: readonly Column<Policy>[] = [
  {
    title: words.columns.pattern,
    isName: true,
    cell: ({ tagPattern, tagPatternMatches }) =>
      tagPatternMatches ? words.like(tagPattern) : words.unlike(tagPattern),
  },
];
