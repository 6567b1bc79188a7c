// SPDX-License-Identifier: Apache-2.0

/// The output of `offline help`, from the declarations of the commands.
enum HelpText {
    /// The sentence about the program.
    static let summary = """
        offline downloads files, streams (HLS, DASH) and the media of web pages, to play them \
        without a network.
        """
    /// The environment variables that no option replaces.
    static let variables = [
        Offer(
            word: "OFFLINE_DIAGNOSTICS",
            note: """
                on, off or errors: records everything, nothing, or errors only, for the reports \
                of this machine
                """
        ),
        Offer(word: "OFFLINE_SENTRY_DSN", note: "the destination of reports, as --sentry"),
        Offer(word: "NO_COLOR", note: "1: prints QR codes without colors"),
    ]

    /// The commands, the options of every command and the environment variables.
    static var overview: String {
        let commands = CommandForm.all.map { (term: $0.name, text: $0.summary) }
        return
            (HelpColumns.wrapped(summary, indent: 0)
            + section("Commands", HelpColumns.lines(commands))
            + section("Options of every command", lines(of: CommonOptions.parameters))
            + section("Environment", HelpColumns.lines(variables.map { ($0.word, $0.note) }))
            + ["", "`offline help COMMAND` explains a command and its options."])
            .joined(separator: "\n")
    }

    /// Returns the text about the forms of a command.
    static func text(of forms: [CommandForm]) -> String {
        var known: Set<String> = []
        let options = forms.flatMap(\.shownOptions).filter {
            known.insert($0.form + $0.help).inserted
        }
        return
            (forms.flatMap(lines) + (options.isEmpty ? [] : section("Options", lines(of: options)))
            + section("Options of every command", lines(of: CommonOptions.parameters)))
            .joined(separator: "\n")
    }

    private static func lines(of form: CommandForm) -> [String] {
        ["offline " + form.synopsis]
            + HelpColumns.wrapped("\(form.summary) \(form.details)", indent: 4)
            + HelpColumns.lines(form.terms.map { ($0.word, $0.note) })
    }

    private static func lines(of options: [Parameter]) -> [String] {
        HelpColumns.lines(options.filter { !$0.isHidden }.map { ($0.form, $0.help) })
    }

    private static func section(_ title: String, _ lines: [String]) -> [String] {
        ["", "\(title):"] + lines
    }
}
