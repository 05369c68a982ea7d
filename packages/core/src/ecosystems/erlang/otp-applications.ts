/**
 * The applications of Erlang/OTP, releases 17 to 28. No package of Hex has one of these names.
 * @see https://www.erlang.org/doc/applications.html
 */
export const otpApplications: ReadonlySet<string> = new Set(
  (
    "asn1 common_test compiler cosEvent cosEventDomain cosFileTransfer cosNotification cosProperty cosTime cosTransactions " +
    "crypto debugger dialyzer diameter edoc eldap erl_docgen erl_interface erts et eunit ftp gs hipe ic inets jinterface " +
    "kernel megaco mnesia observer odbc orber os_mon ose otp_mibs parsetools percept public_key reltool runtime_tools sasl " +
    "snmp ssh ssl stdlib syntax_tools test_server tftp tools typer webtool wx xmerl"
  ).split(" "),
);
