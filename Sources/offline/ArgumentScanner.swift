// SPDX-License-Identifier: Apache-2.0

/// Takes words off a command line: options from anywhere, the rest in order.
struct ArgumentScanner {
    private var options: [String]
    /// What follows `--`, never an option.
    private var literal: [String]

    init(_ words: [String]) {
        let parts = words.split(separator: "--", maxSplits: 1, omittingEmptySubsequences: false)
        options = Array(parts.first ?? [])
        literal = parts.count > 1 ? Array(parts[1]) : []
    }

    /// Whether the option is there.
    mutating func flag(_ name: String) -> Bool {
        let before = options.count
        options.removeAll { $0 == name }
        return options.count < before
    }

    /// The word behind the option or after its `=`; nil when the option is not there.
    mutating func value(of name: String, named meaning: String) throws(UsageError) -> String? {
        if let index = options.firstIndex(where: { $0.hasPrefix(name + "=") }) {
            return String(options.remove(at: index).dropFirst(name.count + 1))
        }
        guard let index = options.firstIndex(of: name) else { return nil }
        guard index + 1 < options.count, !options[index + 1].hasPrefix("--") else {
            throw UsageError("\(name) needs a value: \(name) \(meaning)")
        }
        let value = options[index + 1]
        options.removeSubrange(index...(index + 1))
        return value
    }

    /// The next word that is not an option.
    mutating func next() -> String? {
        if let index = options.firstIndex(where: { !$0.hasPrefix("-") }) {
            return options.remove(at: index)
        }
        return literal.isEmpty ? nil : literal.removeFirst()
    }

    func expectEnd() throws(UsageError) {
        guard let word = (options + literal).first else { return }
        throw UsageError(
            word.hasPrefix("-")
                ? "There is no option \(word) here." : "“\(word)” is one word too many."
        )
    }
}
