// SPDX-License-Identifier: Apache-2.0

/// An option or an argument, and the place for its value among the values of a command.
struct Field<Values> {
    var parameter: Parameter
    /// Stores the text of a value, which is empty for a flag.
    let store: (inout Values, String) throws -> Void
}

/// Options with their explanations, in the order of the help.
typealias OptionTable<Values> = KeyValuePairs<Field<Values>, String>

extension Field {
    /// An option without a value.
    static func flag(
        _ name: String,
        into path: WritableKeyPath<Values, Bool>,
        replacesArguments: Bool = false,
        isHidden: Bool = false
    ) -> Field {
        var parameter = Parameter(name: name)
        parameter.replacesArguments = replacesArguments
        parameter.isHidden = isHidden
        return Field(parameter: parameter) { values, _ in values[keyPath: path] = true }
    }

    /// An option with a value, which may have no effect without another option.
    static func option<Value>(
        _ name: String,
        _ kind: ValueKind<Value>,
        into path: WritableKeyPath<Values, Value?>,
        with other: String? = nil
    ) -> Field {
        var field = Field(name, kind) { $0[keyPath: path] = $1 }
        field.parameter.needs = other
        return field
    }

    /// An option that may be given several times.
    static func options<Value>(
        _ name: String,
        _ kind: ValueKind<Value>,
        into path: WritableKeyPath<Values, [Value]>,
        with other: String? = nil
    ) -> Field {
        var field = Field(name, kind) { $0[keyPath: path].append($1) }
        field.parameter.needs = other
        field.parameter.isRepeated = true
        return field
    }

    /// Creates a field that reads a value.
    init<Value>(
        _ name: String?,
        _ kind: ValueKind<Value>,
        _ take: @escaping (inout Values, Value) -> Void
    ) {
        parameter = Parameter(
            name: name,
            placeholder: kind.placeholder,
            missing: kind.missing,
            offered: kind.offered
        )
        store = { values, text in take(&values, try kind.read(text)) }
    }
}
