import { useChange } from "../api/use-change.ts";
import { ChangeForm, type Typed } from "../shared/change-form.tsx";
import { CheckField } from "../shared/check-field.tsx";
import { Failure } from "../shared/failure.tsx";
import { TextField } from "../shared/text-field.tsx";
import { texts } from "../texts/texts.ts";

const words = texts.proxyCaches;

/** Makes an organization a proxy cache. A button checks first whether the other registry answers. */
export function NewProxyCache({ organization }: { readonly organization: string }) {
  const change = useChange("POST /organization/{orgname}/proxycache", ["GET /organization/{orgname}/proxycache"]);
  const check = useChange("POST /organization/{orgname}/validateproxycache", []);
  const params = { orgname: organization };
  return (
    <>
      <ChangeForm
        layout="fields"
        label={words.create}
        change={change}
        given={(typed) => ({ params, body: typedCache(typed) })}
        other={{ label: words.check, act: (typed) => check.mutate({ params, body: typedCache(typed) }) }}
      >
        <TextField name="upstream" label={words.upstream} rule={words.upstreamRule} required maxLength={512} />
        <TextField name="username" label={words.username} autoComplete="off" />
        <TextField name="password" label={words.password} type="password" autoComplete="off" />
        <TextField name="hours" label={words.expiration} type="number" min={0} defaultValue={24} required />
        <CheckField name="insecure" label={words.insecure} />
      </ChangeForm>
      {check.isError && <Failure error={check.error} />}
      {check.data !== undefined && <p role="status">{words.valid[check.data]}</p>}
    </>
  );
}

function typedCache(typed: Typed) {
  return {
    upstream_registry: typed("upstream").trim(),
    upstream_registry_username: typed("username") || null,
    upstream_registry_password: typed("password") || null,
    expiration_s: Number(typed("hours")) * 3600,
    insecure: typed("insecure") === "on",
  };
}
