// SPDX-License-Identifier: Apache-2.0

/// The declaration of a form of a command: its words, its help, its arguments and its options.
struct Form<Values: Command> {
    let name: String
    /// The values without any option.
    let start: Values
    /// A sentence of one line.
    let summary: String
    private(set) var details = ""
    private(set) var terms: [Offer] = []
    private(set) var fields: [Field<Values>] = []

    init(_ name: String, _ start: Values, help summary: String) {
        (self.name, self.start, self.summary) = (name, start, summary)
    }

    /// Adds further sentences.
    func details(_ details: String) -> Form {
        var form = self
        form.details = details
        return form
    }

    /// Adds words for the arguments, with their meaning.
    func terms(_ terms: [Offer]) -> Form {
        var form = self
        form.terms = terms
        return form
    }

    func argument<Value>(
        _ kind: ValueKind<Value>,
        into path: WritableKeyPath<Values, Value>,
        isRequired: Bool = true
    ) -> Form {
        adding(Field(nil, kind) { $0[keyPath: path] = $1 }, isRequired: isRequired)
    }

    /// Adds an argument without which the value is nil.
    func argument<Value>(
        _ kind: ValueKind<Value>,
        ifGiven path: WritableKeyPath<Values, Value?>,
        isRequired: Bool = false
    ) -> Form {
        adding(Field(nil, kind) { $0[keyPath: path] = $1 }, isRequired: isRequired)
    }

    func arguments<Value>(
        _ kind: ValueKind<Value>,
        into path: WritableKeyPath<Values, [Value]>,
        isRequired: Bool = true
    ) -> Form {
        var field = Field<Values>(nil, kind) { $0[keyPath: path].append($1) }
        field.parameter.isRepeated = true
        return adding(field, isRequired: isRequired)
    }

    func json(into path: WritableKeyPath<Values, Bool>) -> Form {
        options([.flag("--json", into: path): "print JSON, for programs"])
    }

    func options(_ table: OptionTable<Values>) -> Form { options(table, within: \.self) }

    /// Adds options whose values are a part of the command's values.
    func options<Part>(
        _ table: OptionTable<Part>,
        within path: WritableKeyPath<Values, Part>
    ) -> Form {
        var form = self
        form.fields += table.map { field, help in
            Field(parameter: field.parameter.explained(help)) {
                try field.store(&$0[keyPath: path], $1)
            }
        }
        return form
    }

    private func adding(_ field: Field<Values>, isRequired: Bool) -> Form {
        var form = self
        form.fields.append(field)
        form.fields[form.fields.count - 1].parameter.isRequired = isRequired
        return form
    }
}

/// Collects the forms of a command.
@resultBuilder
enum FormBuilder {
    static func buildExpression<Values>(_ form: Form<Values>) -> CommandForm { CommandForm(form) }
    static func buildBlock(_ forms: CommandForm...) -> [CommandForm] { forms }
}
