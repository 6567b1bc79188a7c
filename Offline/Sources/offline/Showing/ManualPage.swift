// SPDX-License-Identifier: Apache-2.0

/// The manual page in the macros of man(7), from the declarations of the commands.
enum ManualPage {
    static var text: String {
        var lines = [
            ".TH OFFLINE 1 \"\" \"offline \(HelpCommand.version)\"", ".SH NAME",
            "offline \\- keep media to play them without a network", ".SH SYNOPSIS",
            ".B offline", ".I COMMAND", ".RI [ OPTION ...]", ".SH DESCRIPTION",
            escaped(HelpText.summary), ".SH COMMANDS",
        ]
        var explained: [String: String] = [:]
        for form in CommandForm.all { lines += section(form, &explained) }
        lines += [".SH OPTIONS", "Every command takes these options."]
        lines += entries(CommonOptions.parameters.filter { !$0.isHidden })
        lines.append(".SH ENVIRONMENT")
        lines += HelpText.variables.flatMap { entry($0.word, $0.note) }
        lines.append(".SH EXIT STATUS")
        lines += ExitStatus.meanings.flatMap { entry("\($0.status.rawValue)", $0.text) }
        return lines.joined(separator: "\n")
    }

    /// Returns the part about a form.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - explained: The command that explains an option, for each option of the parts before.
    /// - Returns: The lines. An option that means the same in an earlier command is only named.
    private static func section(
        _ form: CommandForm,
        _ explained: inout [String: String]
    ) -> [String] {
        var lines = [".SS " + escaped("offline \(form.synopsis)")]
        lines.append(escaped("\(form.summary) \(form.details)"))
        lines += form.terms.flatMap { entry($0.word, $0.note) }
        var repeated: [(command: String, option: String)] = []
        for option in form.shownOptions {
            let key = "\(option.form) \(option.help)"
            if let command = explained[key] {
                repeated.append((command, option.name ?? ""))
            } else {
                explained[key] = form.name
                lines += entries([option])
            }
        }
        for command in Set(repeated.map(\.command)).sorted() {
            let names = repeated.filter { $0.command == command }.map(\.option)
            let verb = names.count == 1 ? "means" : "mean"
            let text =
                "\(UsageError.list(names, "and")) \(verb) the same as for `offline \(command)`."
            lines += [".PP", escaped(text)]
        }
        return lines
    }

    private static func entries(_ options: [Parameter]) -> [String] {
        options.flatMap { entry($0.form, $0.help) }
    }

    private static func entry(_ term: String, _ text: String) -> [String] {
        [".TP", ".B \(escaped(term))", escaped(text)]
    }

    /// Returns text without characters that the formatter would interpret.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("\"", with: "\\(dq").replacing("…", with: "...")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
    }
}
