// SPDX-License-Identifier: Apache-2.0

/// A form of a command, such as `reports show ID`, for the parser, the help and the manual.
struct CommandForm {
    let words: [String]
    /// A sentence of one line.
    let summary: String
    /// Further sentences.
    let details: String
    /// Words for the arguments, with their meaning.
    let terms: [Offer]
    let options: [Parameter]
    let arguments: [Parameter]
    private let make: (ScannedWords) throws(UsageError) -> any Command

    init<Values>(_ form: Form<Values>) {
        words = form.name.split(separator: " ").map(String.init)
        (summary, details, terms) = (form.summary, form.details, form.terms)
        options = form.fields.map(\.parameter).filter { $0.name != nil }
        arguments = form.fields.map(\.parameter).filter { $0.name == nil }
        make = { words throws(UsageError) in
            var command = form.start
            try words.store(in: &command, form.fields)
            try command.check()
            return command
        }
    }

    /// The words of the command, for reports.
    var name: String { words.joined(separator: " ") }
    /// The options that the help explains.
    var shownOptions: [Parameter] { options.filter { !$0.isHidden } }

    /// The form in the help, such as `list [WORDS...] [--json]`.
    var synopsis: String {
        let replacing = shownOptions.filter(\.replacesArguments).map(\.form)
        let others = shownOptions.filter { !$0.replacesArguments }.map(\.synopsis)
        let choices = [arguments.map(\.synopsis).joined(separator: " ")] + replacing
        return
            ([name, choices.joined(separator: " | ")]
            + (others.count > 3 ? ["[OPTION...]"] : others))
            .filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns the command with the values of the words.
    ///
    /// - Throws: `UsageError` with the fault and the correct form.
    func command(_ words: ScannedWords) throws(UsageError) -> any Command {
        if let option = words.unknown.first { throw UsageError(noOption: option, of: self) }
        try UsageError.check(words, options: options + CommonOptions.parameters)
        let isReplaced = options.contains { $0.replacesArguments && words.has($0.name) }
        let arguments = isReplaced ? [] : arguments
        let given = words.arguments
        for argument in arguments.dropFirst(given.count) where argument.isRequired {
            throw UsageError(
                argument.missing ?? "\(argument.form) is missing. Use: offline \(synopsis)"
            )
        }
        if given.count > arguments.count, !arguments.contains(where: \.isRepeated) {
            throw UsageError("Unexpected argument “\(given[arguments.count])”.")
        }
        return try make(words)
    }
}

extension ScannedWords {
    /// Stores the values of options and arguments.
    ///
    /// - Throws: `UsageError` if a value cannot be read.
    func store<Values>(in values: inout Values, _ fields: [Field<Values>]) throws(UsageError) {
        do {
            for (name, text) in given {
                try fields.first { $0.parameter.name == name }?.store(&values, text)
            }
            var rest = arguments[...]
            for field in fields where field.parameter.name == nil {
                let count = field.parameter.isRepeated ? rest.count : 1
                for text in rest.prefix(count) { try field.store(&values, text) }
                rest = rest.dropFirst(count)
            }
        } catch {
            throw UsageError(reading: error)
        }
    }
}
