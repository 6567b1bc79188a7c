// SPDX-License-Identifier: Apache-2.0

/// `offline manual`: prints the manual page, which `make install` installs.
struct ManualCommand: TextCommand {
    static var forms: [CommandForm] {
        Form("manual", Self(), help: "Prints the manual page.")
    }

    var text: String { ManualPage.text }
}
