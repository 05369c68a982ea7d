import { byProof, openToAll } from "../access/public-access.ts";
import { confirmRepositoryEmail } from "../events/queries/repository-emails.ts";
import { replyOperation } from "../http/reply-operation.ts";
import { confirmEmail, recoverAccount } from "../users/email-links.ts";
import { checkPassword } from "../values/names.ts";
import { html } from "./html.ts";
import { fieldsOf } from "./page-session.ts";
import { sendPage } from "./send-page.ts";

/**
 * Serves the pages that links in e-mail lead to. Opening one changes nothing, since programs open links too: a button does, and
 * the code in the link is what shows that it may.
 */
function codeField(code = "") {
  return html`<input type="hidden" name="code" value="${code}">`;
}

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
    async handle(_, { request, reply }) {
      const body = html`<form method="post" action="/confirm">${codeField(fieldsOf(request.query).code)}<button>Confirm</button></form>`;
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
    async handle(_, { registry, request, reply }) {
      const { store, ports } = registry;

      const { code = "" } = fieldsOf(request.body);
      const place = { now: ports.clock.now(), ip: request.ip };
      const { email } = await store.transaction(
        async (db) => (await confirmRepositoryEmail(db, code, place)) ?? confirmEmail(db, code, place),
      );
      return sendPage(reply, 200, { title: "Confirmed", body: html`<p>${email} is your e-mail address.</p>` });
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
    async handle(_, { request, reply }) {
      const body = html`<form method="post" action="/recovery">${codeField(fieldsOf(request.query).code)}
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
    async handle(_, { registry, request, reply }) {
      const { store, ports, passwords } = registry;

      const { code = "", password = "" } = fieldsOf(request.body);
      checkPassword(password);
      const passwordHash = await passwords.of(() => request.ip).hash(password);
      const place = { now: ports.clock.now(), ip: request.ip };
      await store.transaction((db) => recoverAccount(db, code, { ...place, passwordHash }));
      return sendPage(reply, 200, { title: "Changed", body: html`<p>Sign in with the new password.</p>` });
    },
  }),
];
