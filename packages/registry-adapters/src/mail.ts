/** Mail by SMTP. */
export { openSmtpMailer, type SmtpOptions } from "./smtp-mailer.ts";
