// SPDX-License-Identifier: Apache-2.0

/// An option or an argument of a command, for the parser, the help, the completion and the manual.
struct Parameter {
    /// The name of an option, such as `--json`, or nil for an argument.
    var name: String?
    /// The word for the value in the help, such as `NUMBER`, or nil for a flag.
    var placeholder: String?
    var help = ""
    /// Whether the command takes several values.
    var isRepeated = false
    /// Whether the argument must be given.
    var isRequired = false
    /// The option without which this option has no effect, or nil for none.
    var needs: String?
    /// Whether the option replaces the arguments of the command.
    var replacesArguments = false
    /// Whether only programs use the option, so that the help omits the option.
    var isHidden = false
    /// The error for a missing argument, or nil for the form of the command.
    var missing: String?
    /// The values that a shell offers, or nil for any text.
    var offered: Offered?

    /// The name and the placeholder, such as `--library DIR`.
    var form: String { [name, placeholder].compactMap(\.self).joined(separator: " ") }

    /// Returns the parameter with an explanation.
    func explained(_ help: String) -> Parameter {
        var parameter = self
        parameter.help = help
        return parameter
    }

    /// The form in a synopsis, such as `[--json]` or `NUMBER...`.
    var synopsis: String {
        let ending = isRepeated ? "..." : ""
        if name != nil { return "[\(form)]\(ending)" }
        return isRequired ? form + ending : "[\(form)\(ending)]"
    }
}
