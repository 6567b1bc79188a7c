// SPDX-License-Identifier: Apache-2.0
import OfflineHousehold
import OfflineModel
import TidingsHTTP

/// Thrown for an invalid command line or environment variable.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) {
        self.message = message
    }

    /// Creates the error for a value that could not be read.
    init(reading error: any Error) {
        switch error {
        case let error as UsageError: self = error
        case let error as LibraryError: message = error.message
        case let error as PlaylistError: message = error.message
        case let error as HTTPError: message = error.message
        case let error as HouseholdAddress.Malformed: message = error.message
        default: message = "The value cannot be read: \(type(of: error))."
        }
    }

    /// Creates the error for an unknown command.
    init(noCommand word: String) {
        let suggestion = Suggestion(for: word, among: CommandForm.names)
        self.init(
            "Unknown command “\(word)”."
                + (suggestion.map { " Did you mean `offline \($0.word)`?" } ?? "")
        )
    }

    /// Creates the error for a missing or unknown second word of a command.
    init(noAction word: String?, of forms: [CommandForm]) {
        let remedy = "Use \(Self.list(forms.compactMap { $0.words.dropFirst().first }))."
        self.init(
            word.map { "Unknown action “\($0)”. \(remedy)" }
                ?? "The action of `offline \(forms[0].words[0])` is missing. \(remedy)"
        )
    }

    /// Creates the error for an option that a form does not take.
    init(noOption word: String, of form: CommandForm) {
        let name = String(word.prefix { $0 != "=" })
        let own = (form.options + CommonOptions.parameters).filter { !$0.isHidden }
        let others = CommandForm.all
            .filter { $0.shownOptions.contains { $0.name == name } }
            .map { "`offline \($0.name)`" }
        let hint =
            if !others.isEmpty {
                " It belongs to \(Self.list(Array(others.prefix(3)), "and"))."
            } else if let suggestion = Suggestion(for: name, among: own.compactMap(\.name)) {
                " Did you mean \(suggestion.word)?"
            } else { "" }
        self.init("Unknown option \(word) for this command.\(hint)")
    }

    /// Checks the options of a command line.
    ///
    /// - Throws: The error for an option without a value, for one that is given twice, and for one
    ///   that lacks another option.
    static func check(_ words: ScannedWords, options: [Parameter]) throws(UsageError) {
        if let option = words.incomplete {
            throw UsageError("The value of \(option.name ?? "") is missing. Use \(option.form).")
        }
        for option in options where words.has(option.name) {
            let name = option.name ?? ""
            let count = words.given.count { $0.name == name }
            if option.placeholder != nil, !option.isRepeated, count > 1 {
                throw UsageError("\(name) is given \(count) times. Use it once.")
            }
            if let other = option.needs, !words.has(other) {
                throw UsageError("\(name) has no effect without \(other). Add \(other).")
            }
        }
    }

    /// Returns words as a list, such as “show, send or delete”.
    static func list(_ words: [String], _ conjunction: String = "or") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
