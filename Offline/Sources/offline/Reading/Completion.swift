// SPDX-License-Identifier: Apache-2.0
import OfflineModel
import OfflineStore

/// The words that can replace the last word of a command line.
struct Completion {
    private let line: CommandLineWords
    private let library: LibraryDirectory
    /// The beginning of the last word.
    private let beginning: String

    /// Reads the words after the program up to the cursor, of which the last one may be empty.
    init(_ words: [String], variables: [String: String]) {
        // Bash divides words at `=`.
        let known = words.dropLast().filter { $0 != "=" }
        line = CommandLineWords(known)
        beginning = words.last == "=" ? "" : words.last ?? ""
        let common = try? CommonOptions(line.common)
        library = common?.directory(variables) ?? .standard(environment: variables)
    }

    /// The words, with the values first.
    var offers: [Offer] {
        if let option = line.common.incomplete ?? line.words.incomplete {
            return values(of: option, startingWith: beginning)
        }
        if beginning.hasPrefix("-") {
            guard let sign = beginning.firstIndex(of: "=") else { return options }
            let name = beginning[..<sign]
            let option = line.options.first { $0.name == String(name) }
            return option.map {
                values(of: $0, startingWith: String(beginning[sign...].dropFirst()))
                    .map { Offer(word: "\(name)=\($0.word)", note: $0.note) }
            } ?? []
        }
        guard line.name != nil else { return matching(Self.commands) }
        let given = line.words.arguments
        let arguments = line.form?.arguments ?? []
        let next = given.count < arguments.count ? arguments[given.count] : arguments.last
        let isOpen = given.count < arguments.count || next?.isRepeated == true
        let actions = given.isEmpty && line.form?.words.count != 2 ? self.actions : []
        guard isOpen, let next, let offered = next.offered else {
            return matching(actions.isEmpty ? options : actions)
        }
        return matching(actions + ((try? offered.values(library, given)) ?? []))
    }

    private static var commands: [Offer] {
        CommandForm.names.map { name in
            Offer(word: name, note: CommandForm.all.first { $0.words[0] == name }?.summary ?? "")
        }
    }

    /// The second words of the command.
    private var actions: [Offer] {
        line.forms.filter { $0.words.count > 1 }.map { Offer(word: $0.words[1], note: $0.summary) }
    }

    /// The options that are not yet given.
    private var options: [Offer] {
        let words = line.words
        return matching(
            line.options
                .filter { !$0.isHidden && ($0.isRepeated || !words.has($0.name)) }
                .map { Offer(word: $0.name ?? "", note: $0.help) }
        )
    }

    private func values(of option: Parameter, startingWith beginning: String) -> [Offer] {
        let values = (try? option.offered?.values(library, line.words.arguments)) ?? []
        return values.filter { $0.word.hasPrefix(beginning) }
    }

    private func matching(_ offers: [Offer]) -> [Offer] {
        offers.filter { $0.word.hasPrefix(beginning) }
    }
}
