// SPDX-License-Identifier: Apache-2.0

/// `offline manual`: prints the manual page, which `make install` installs.
enum ManualCommand {
    static func run() {
        Terminal.print(text)
    }

    /// The page, in the macros of man(7).
    static var text: String {
        let table = CommandTable(Usage.text)
        var lines = [
            ".TH OFFLINE 1 \"\" \"offline \(Usage.version)\"", ".SH NAME",
            "offline \\- keep media to play them without a network", ".SH SYNOPSIS",
        ]
        lines += table.names.flatMap { [".B offline \($0)", ".RI [ options ]", ".br"] }
        lines += [".SH DESCRIPTION", escaped(table.summary), ".SH COMMANDS"]
        for command in table.commands {
            lines += [".TP", ".B \(escaped("offline \(command.synopsis)"))", escaped(command.help)]
        }
        lines.append(".SH OPTIONS")
        for option in table.options {
            lines += [".TP", ".B \(escaped(option.form))", escaped(option.help)]
        }
        lines += [".SH ENVIRONMENT", escaped(table.environment)]
        return lines.joined(separator: "\n")
    }

    /// Returns text that the formatter takes for nothing else.
    private static func escaped(_ text: String) -> String {
        let plain = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
            .replacing("\"", with: "\\(dq").replacing("…", with: "...")
        return plain.hasPrefix(".") || plain.hasPrefix("'") ? "\\&\(plain)" : plain
    }
}
