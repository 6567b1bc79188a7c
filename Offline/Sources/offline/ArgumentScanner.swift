// SPDX-License-Identifier: Apache-2.0

/// Removes words from a command line: options from any position, other words in order.
struct ArgumentScanner {
    private var options: [String]
    /// The words after `--`, which are never options.
    private var literal: [String]

    init(_ words: [String]) {
        let parts = words.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
        options = Array(parts.first ?? [])
        literal = parts.count > 1 ? Array(parts[1]) : []
    }

    /// Removes an option; returns whether it was present.
    mutating func flag(_ name: String) -> Bool {
        let before = options.count
        options.removeAll { $0 == name }
        return options.count < before
    }

    /// Removes an option and returns the word after it or after its `=`; nil without the option.
    mutating func value(of name: String, named meaning: String) throws(UsageError) -> String? {
        guard
            let index = options.firstIndex(where: { $0 == name || $0.hasPrefix(name + "=") })
        else { return nil }
        if options[index] != name {
            return String(options.remove(at: index).dropFirst(name.count + 1))
        }
        guard index + 1 < options.count, !options[index + 1].hasPrefix("--") else {
            throw UsageError("The value of \(name) is missing. Use \(name) \(meaning).")
        }
        let value = options[index + 1]
        options.removeSubrange(index...(index + 1))
        return value
    }

    /// Removes all occurrences of an option and returns their values, in order.
    mutating func values(of name: String, named meaning: String) throws(UsageError) -> [String] {
        var values: [String] = []
        while let value = try value(of: name, named: meaning) { values.append(value) }
        return values
    }

    /// Removes and returns the next word that is not an option; nil if there is none.
    mutating func next() -> String? {
        if let index = options.firstIndex(where: { !$0.hasPrefix("-") }) {
            return options.remove(at: index)
        }
        return literal.isEmpty ? nil : literal.removeFirst()
    }

    /// Expects that no word is left for a command.
    func expectEnd(of command: String) throws(UsageError) {
        if let option = options.first(where: { $0.hasPrefix("-") }) {
            throw UsageError(noOption: option, of: command)
        }
        guard let word = (options + literal).first else { return }
        throw UsageError("Unexpected argument “\(word)”.")
    }
}
