import { keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import type { ResultOf } from "../api/operation.ts";
import { useChange } from "../api/use-change.ts";
import { useOperation, useOptional } from "../api/use-operation.ts";
import { Answered } from "../shared/answered.tsx";
import { ChangeForm } from "../shared/change-form.tsx";
import { ConfirmedButton } from "../shared/confirmed-button.tsx";
import { TextField } from "../shared/fields.tsx";
import { OnDemand } from "../shared/on-demand.tsx";
import type { RuleOwner } from "../shared/owner.ts";
import { PageButtons } from "../shared/page-buttons.tsx";
import { Section } from "../shared/section.tsx";
import { Table } from "../shared/table.tsx";
import type { Column } from "../shared/table-row.tsx";
import { Time } from "../shared/time.tsx";
import { texts } from "../texts/texts.ts";
import { type Gate, gateCalls } from "./gate-calls.ts";
import { GateExceptions } from "./gate-exceptions.tsx";
import { GateRulesForm } from "./gate-rules-form.tsx";

const words = texts.pullGate;

/** The pull gate of an owner: its rules, exceptions and keys; for a repository, with a preview. */
export function PullGate({ owner }: { readonly owner: RuleOwner }) {
  const { get, params } = gateCalls(owner);
  const gate = useOptional(get, { params });
  return (
    <Section title={words.title} about={words.about[owner.kind]}>
      <Answered query={gate}>
        {(shown) => (
          <>
            {shown === null && <p className="empty">{words.none}</p>}
            <GateRulesForm owner={owner} gate={shown} />
            {shown !== null && (
              <>
                <Remove owner={owner} />
                <GateExceptions owner={owner} exceptions={shown.exceptions} />
                <GateKeys owner={owner} keys={shown.keys} />
              </>
            )}
          </>
        )}
      </Answered>
      {owner.kind === "repository" && (
        <OnDemand label={words.preview.title}>
          <GatePreview repository={owner.name} />
        </OnDemand>
      )}
    </Section>
  );
}

function Remove({ owner }: { readonly owner: RuleOwner }) {
  const { remove, params, affected } = gateCalls(owner);
  const change = useChange(remove, affected);
  return <ConfirmedButton label={words.remove} consequence={words.removed} change={change} given={{ params }} />;
}

type PreviewedTag = ResultOf<"GET /repository/{repository}/pullgate/preview">["tags"][number];

const gatePreviewWords = texts.pullGate.preview;

/** The current decision of the gates for each tag of a repository. */
function GatePreview({ repository }: { readonly repository: string }) {
  const [page, setPage] = useState(1);
  const preview = useOperation(
    "GET /repository/{repository}/pullgate/preview",
    { params: { repository }, query: { page } },
    { placeholderData: keepPreviousData },
  );
  return (
    <>
      <p>{gatePreviewWords.about}</p>
      <Answered query={preview}>
        {({ tags, has_additional: hasMore }) => (
          <>
            <Table columns={columns} rows={tags} keyOf={({ name }) => name} empty={gatePreviewWords.none} />
            <PageButtons page={page} hasMore={hasMore} onPage={setPage} />
          </>
        )}
      </Answered>
    </>
  );
}

function pullOf({ denied, would_deny: wouldDeny }: PreviewedTag) {
  if (denied) return <strong>{gatePreviewWords.denied}</strong>;
  return wouldDeny ? gatePreviewWords.wouldDeny : gatePreviewWords.allowed;
}

function whyOf({ opinions }: PreviewedTag): string {
  return opinions.map(opinionText).join("; ") || "–";
}

function opinionText(opinion: PreviewedTag["opinions"][number]): string {
  const { gate, verdict, findings, vulnerabilities, missing } = opinion;
  const counted = findings === 0 ? "" : ` (${gatePreviewWords.counted(findings, vulnerabilities.join(", "))})`;
  const stated = (opinion.statements ?? []).map(({ by }) => gatePreviewWords.stated(by));
  const ignored = (opinion.ignored_statements ?? []).map(({ reason }) => gatePreviewWords.ignored(reason));
  return [
    `${gatePreviewWords.gates[gate]}: ${missing ?? gatePreviewWords.verdicts[verdict]}${counted}`,
    ...stated,
    ...ignored,
  ].join(", ");
}

const columns: readonly Column<PreviewedTag>[] = [
  { title: gatePreviewWords.columns.tag, isName: true, cell: ({ name }) => name },
  { title: gatePreviewWords.columns.pull, cell: pullOf },
  { title: gatePreviewWords.columns.why, isText: true, cell: whyOf },
];

type Key = Gate["keys"][number];

const gateKeyWords = texts.pullGate.keys;

interface Props {
  readonly owner: RuleOwner;
  readonly keys: readonly Key[];
}

/** The keys of a gate: VEX documents that they have signed count for it. */
function GateKeys({ owner, keys }: Props) {
  const { addKey, params, affected } = gateCalls(owner);
  const change = useChange(addKey, affected);
  const actions: Column<Key> = {
    title: gateKeyWords.columns.actions,
    cell: ({ uuid }) => <RemoveGateKey owner={owner} uuid={uuid} />,
  };
  return (
    <>
      <h3>{gateKeyWords.title}</h3>
      <p>{gateKeyWords.about}</p>
      <ChangeForm
        label={gateKeyWords.add}
        change={change}
        given={(typed) => ({ params, body: { name: typed("name"), public_key: typed("public_key") } })}
      >
        <TextField name="name" label={gateKeyWords.name} required maxLength={100} />
        <label>
          {gateKeyWords.publicKey}
          <textarea name="public_key" rows={4} required maxLength={4096} spellCheck={false} />
        </label>
      </ChangeForm>
      <Table columns={[...gateKeyColumns, actions]} rows={keys} keyOf={({ uuid }) => uuid} empty={gateKeyWords.none} />
    </>
  );
}

function RemoveGateKey({ owner, uuid }: { readonly owner: RuleOwner; readonly uuid: string }) {
  const { removeKey, params, affected } = gateCalls(owner);
  const change = useChange(removeKey, affected);
  const given = { params: { ...params, key_uuid: uuid } };
  return (
    <ConfirmedButton label={gateKeyWords.remove} consequence={gateKeyWords.removed} change={change} given={given} />
  );
}

const gateKeyColumns: readonly Column<Key>[] = [
  { title: gateKeyWords.columns.name, isName: true, cell: ({ name }) => name },
  { title: gateKeyWords.columns.author, cell: ({ author }) => author },
  { title: gateKeyWords.columns.created, cell: ({ created }) => <Time at={Date.parse(created)} /> },
];
