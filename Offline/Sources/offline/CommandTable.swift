// SPDX-License-Identifier: Apache-2.0

/// The commands and options of the program, read from the text of `offline help`.
///
/// The completions of shells and the manual page come from this table, so that none of them lacks
/// a command.
struct CommandTable {
    /// A form of a command.
    struct Command: Equatable {
        /// The words of the command, such as `reports show`.
        var words: [String]
        /// The complete form, such as `list [--json]`.
        var synopsis: String
        /// The sentences about it.
        var help = ""

        /// The options in the form.
        var options: [String] {
            synopsis.matches(of: /(?:^|[\s\[|])(--?[a-z][a-z\-]*)/).map { String($0.1) }
        }
    }

    /// An option.
    struct Option: Equatable {
        /// The name, such as `--library`.
        var name: String
        /// The name with its value, such as `--library DIR`.
        var form: String
        /// The sentences about it.
        var help = ""
    }

    /// The sentences about the program.
    private(set) var summary = ""
    /// The commands in the order of the text.
    private(set) var commands: [Command] = []
    /// The options in the order of the text.
    private(set) var options: [Option] = []
    /// The lines about the environment.
    private(set) var environment = ""

    /// Reads a text: paragraphs about the program, its commands, its options and its environment.
    init(_ text: String) {
        let paragraphs = text.split(separator: "\n\n")
        guard paragraphs.count == 4 else { return }
        summary = Self.joined(paragraphs[0].split(separator: "\n"))
        for line in paragraphs[1].split(separator: "\n") { addCommand(line) }
        for line in paragraphs[2].split(separator: "\n") { addOption(line) }
        environment = Self.joined(paragraphs[3].split(separator: "\n"))
    }

    /// The first words of all commands, each once.
    var names: [String] {
        var known: Set<String> = []
        return commands.map { $0.words[0] }.filter { known.insert($0).inserted }
    }

    /// The options that every command takes: those in no form of a command.
    var commonOptions: [Option] {
        let own = Set(commands.flatMap(\.options))
        return options.filter { !own.contains($0.name) }
    }

    /// Returns the forms of a command.
    func forms(of name: String) -> [Command] { commands.filter { $0.words[0] == name } }

    /// Returns the words and options that may follow a command.
    func words(after name: String) -> [String] {
        let forms = forms(of: name)
        let words = forms.flatMap { form -> [String] in
            if form.words.count > 1 { return [form.words[1]] }
            // Such as `bash|zsh|fish`.
            return form.synopsis.split(separator: " ").dropFirst().prefix(1)
                .filter { $0.contains("|") && !$0.contains("[") && !$0.contains("-") }
                .flatMap { $0.split(separator: "|").map(String.init) }
        }
        var known: Set<String> = []
        return (words + forms.flatMap(\.options) + commonOptions.map(\.name))
            .filter { known.insert($0).inserted }
    }

    private mutating func addCommand(_ line: Substring) {
        let text = line.drop { $0 == " " }
        let indent = line.count - text.count
        if indent == 0 {
            let form = text.dropFirst("offline ".count)
            let words = form.split(separator: " ")
                .prefix { $0.wholeMatch(of: /[a-z]+/) != nil }
            guard !words.isEmpty else { return }
            commands.append(Command(words: words.map(String.init), synopsis: String(form)))
        } else if let last = commands.indices.last {
            if indent == 4 {
                commands[last].help += (commands[last].help.isEmpty ? "" : " ") + text
            } else {
                commands[last].synopsis += " \(text)"
            }
        }
    }

    private mutating func addOption(_ line: Substring) {
        if let match = line.wholeMatch(of: /\ ?\ ?(--?[a-z][a-z\-]*)(.*?)(?:\ {2,}(.*))?/) {
            let form = "\(match.1)\(match.2)"
            options.append(
                Option(name: "\(match.1)", form: form, help: match.3.map { "\($0)" } ?? "")
            )
        } else if let last = options.indices.last {
            let text = line.drop { $0 == " " }
            options[last].help += (options[last].help.isEmpty ? "" : " ") + text
        }
    }

    private static func joined(_ lines: [Substring]) -> String {
        lines.map { $0.drop { $0 == " " } }.joined(separator: " ")
    }
}
