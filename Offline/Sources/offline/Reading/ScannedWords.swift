// SPDX-License-Identifier: Apache-2.0

/// The words of a command line, divided into options and arguments.
struct ScannedWords {
    /// The known options with their values, which are empty for flags, in order.
    private(set) var given: [(name: String, value: String)] = []
    /// The other words, in order.
    private(set) var arguments: [String] = []
    /// The options that are not known.
    private(set) var unknown: [String] = []
    /// The option whose value is missing, or nil for none.
    private(set) var incomplete: Parameter?
    /// The place of the first argument among the words, or nil without arguments.
    private(set) var firstArgument: Int?

    /// Divides words, of which those after `--` are arguments.
    init(_ words: [String], options: [Parameter]) {
        var rest = words[...]
        while let word = rest.popFirst() {
            let name = String(word.prefix { $0 != "=" })
            if word == "--" {
                if arguments.isEmpty, !rest.isEmpty { firstArgument = rest.startIndex }
                arguments += rest
                return
            } else if !word.hasPrefix("-") || word == "-" {
                firstArgument = firstArgument ?? rest.startIndex - 1
                arguments.append(word)
            } else if let option = options.first(where: { $0.name == name }),
                option.placeholder != nil || name == word
            {
                if name != word || option.placeholder == nil {
                    given.append((name, String(word.dropFirst(name.count + 1))))
                } else if let value = rest.first, !value.hasPrefix("--") {
                    given.append((name, value))
                    rest.removeFirst()
                } else {
                    incomplete = incomplete ?? option
                }
            } else {
                unknown.append(word)
            }
        }
    }

    /// Returns whether an option is given.
    func has(_ name: String?) -> Bool { given.contains { $0.name == name } }
}
