import { confirmRepositoryEmail } from "@plimsoll/registry/events/queries/notifications";
import { confirmEmail, recoverAccount } from "@plimsoll/registry/identity/users/email-links";
import { acceptInvite, declineInvite, getInvite, mayDecline } from "@plimsoll/registry/organizations/teams/invites";
import type { NamedInvite } from "@plimsoll/registry/organizations/teams/queries/invites";
import type { RegistryDb } from "@plimsoll/registry/store/tables/all";
import { writeUsageLog } from "@plimsoll/registry/store/usage-log";
import type { LogKind } from "@plimsoll/registry/values/log-kinds";
import { checkPassword } from "@plimsoll/registry/values/names";
import { byProof, openToAll } from "../access/public-access.ts";
import type { OperationContext } from "../context.ts";
import { type RepliedRequest, replyOperation } from "../http/reply-operation.ts";
import type { ServedRegistry } from "../http/served-registry.ts";
import { signInPath } from "../page-addresses.ts";
import { html, type Page } from "./html.ts";
import { type Fields, fields, formFields } from "./page-fields.ts";
import { onPageUser, type PageUser } from "./page-session.ts";
import { parseReturnPath } from "./return-path.ts";
import { sendPage } from "./send-page.ts";

const LinkFields = fields("code", "next");

/**
 * The operations of pages that links in e-mail open. Opening a page changes nothing, since programs open links too; its button does.
 * The code in the link proves that the user has received the e-mail.
 */
export const emailPageOperations = [
  replyOperation({
    id: "showConfirmPage",
    method: "GET",
    path: "/confirm",
    summary: "Asks whether an e-mail address is to be confirmed.",
    access: openToAll,
    success: 200,
    needsMail: true,
    withoutHead: true,
    query: LinkFields,
    async handle({ query }, { reply }) {
      const body = html`<form method="post" action="/confirm">${linkFields(query)}<button>Confirm</button></form>`;
      return sendPage(reply, 200, { title: "Confirm your e-mail address", body });
    },
  }),
  replyOperation({
    id: "confirmEmailAddress",
    method: "POST",
    path: "/confirm",
    summary: "Confirm an e-mail address.",
    access: byProof("the code of a link"),
    success: 200,
    needsMail: true,
    body: LinkFields,
    async handle({ body: form }, { registry, request, reply }) {
      const { store, clock } = registry;

      const { code = "" } = form;
      const place = { now: clock.now(), ip: request.ip };
      const { email, isOfUser } = await store.transaction(async (db) => {
        const ofRepository = await confirmRepositoryEmail(db, code, place);
        if (ofRepository !== undefined) return { ...ofRepository, isOfUser: false };
        return { ...(await confirmEmail(db, code, place)), isOfUser: true };
      });
      const link = isOfUser ? html`\n<p>${signInLink(registry, form)}</p>` : "";
      return sendPage(reply, 200, { title: "Confirmed", body: html`<p>${email} is your e-mail address.</p>${link}` });
    },
  }),
  replyOperation({
    id: "showRecoveryPage",
    method: "GET",
    path: "/recovery",
    summary: "Asks for a new password.",
    access: openToAll,
    success: 200,
    needsMail: true,
    withoutHead: true,
    query: LinkFields,
    async handle({ query }, { reply }) {
      const body = html`<form method="post" action="/recovery">${linkFields(query)}
<p><label>New password: <input type="password" name="password" autocomplete="new-password" required minlength="8"></label></p>
<button>Change</button></form>`;
      return sendPage(reply, 200, { title: "Choose a new password", body });
    },
  }),
  replyOperation({
    id: "recoverAccount",
    method: "POST",
    path: "/recovery",
    summary: "Choose a new password.",
    access: byProof("the code of a link"),
    success: 200,
    needsMail: true,
    body: fields("code", "next", "password"),
    async handle({ body: form }, { registry, request, reply }) {
      const { store, clock, passwords } = registry;

      const { code = "", password = "" } = form;
      checkPassword(password);
      const passwordHash = await passwords.of(() => request.ip).hash(password);
      const place = { now: clock.now(), ip: request.ip };
      await store.transaction((db) => recoverAccount(db, code, { ...place, passwordHash }));
      return sendPage(reply, 200, {
        title: "Changed",
        body: html`<p>${signInLink(registry, form)} with the new password.</p>`,
      });
    },
  }),
];

/** The hidden fields that a form takes from the link: the code, and the page to return to. */
function linkFields({ code = "", next }: Fields) {
  const nextField = next === undefined ? "" : html`<input type="hidden" name="next" value="${next}">`;
  return html`<input type="hidden" name="code" value="${code}">${nextField}`;
}

/** A link to the sign-in page, which then returns to the page that the user wanted. */
function signInLink({ settings }: ServedRegistry, { next }: Fields) {
  const returnPath = parseReturnPath(next, settings);
  const query = returnPath === undefined ? "" : `?${new URLSearchParams({ next: returnPath })}`;
  return html`<a href="${signInPath}${query}">Sign in</a>`;
}

/** The operations of the page that the link in an invite opens. Opening it changes nothing: its buttons join the team or decline. */
export const invitePageOperations = [
  replyOperation({
    id: "showInvitePage",
    method: "GET",
    path: "/confirminvite",
    summary: "The page that the mail of an invite leads to.",
    access: onPageUser,
    success: 200,
    withoutHead: true,
    query: fields("code"),
    async handle({ subject: user, query: { code = "" } }, { registry, reply }) {
      const { store, clock } = registry;
      const context = { db: store.db, now: clock.now() };
      return sendPage(reply, 200, questionPage(await getInvite(context, user.account, code), { user, code }));
    },
  }),
  replyOperation({
    id: "answerInvitePage",
    method: "POST",
    path: "/confirminvite",
    summary: "Join the team, or decline.",
    access: onPageUser,
    success: 200,
    audit: ["org_team_member_invite_accepted", "org_team_member_invite_declined"],
    body: formFields("code", "answer"),
    async handle({ subject: user, body: form }, { registry, request, reply }) {
      const { store, clock } = registry;
      const answered = await store.transaction((db) => {
        const context = { db, now: clock.now(), log: logOf(db, registry, { request, user }) };
        return answerInvite(context, user, form);
      });
      return sendPage(reply, 200, { ...answered, user });
    },
  }),
];

function questionPage(invite: NamedInvite, { user, code }: { readonly user: PageUser; readonly code: string }): Page {
  const { team, organization, inviter } = invite;
  const decline = mayDecline(invite, user.account) ? html` <button name="answer" value="decline">Decline</button>` : "";
  return {
    title: `Join ${team} of ${organization}?`,
    user,
    body: html`<p>${inviter} invites you, ${user.account.username}, to the team ${team} of the organization ${organization}.</p>
<form method="post" action="/confirminvite">
<input type="hidden" name="_csrf_token" value="${user.csrfToken}"><input type="hidden" name="code" value="${code}">
<button name="answer" value="accept">Join</button>${decline}
</form>`,
  };
}

async function answerInvite(
  context: Pick<
    OperationContext<"org_team_member_invite_accepted" | "org_team_member_invite_declined">,
    "db" | "log" | "now"
  >,
  { account }: PageUser,
  { code = "", answer }: Fields,
): Promise<Page> {
  if (answer === "decline") {
    await declineInvite(context, account, code);
    return { title: "Declined", body: html`<p>You have not joined the team.</p>` };
  }
  const { team, organization } = await acceptInvite(context, account, code);
  return { title: "Joined", body: html`<p>You are in the team ${team} of ${organization}.</p>` };
}

function logOf(
  db: RegistryDb,
  { clock }: ServedRegistry,
  { request, user }: { readonly request: RepliedRequest; readonly user: PageUser },
): OperationContext<LogKind>["log"] {
  const principal = { kind: "user", account: user.account, via: { kind: "password" } } as const;
  const by = { principal, ip: request.ip, at: clock.now() };
  return (kind, metadata, place) => writeUsageLog(db, { kind, metadata, ...place, ...by });
}
