// SPDX-License-Identifier: Apache-2.0

/// The parsed command line.
struct Arguments {
    let common: CommonOptions
    let form: CommandForm
    let command: any Command

    /// Parses the arguments after the program's name.
    ///
    /// - Throws: `UsageError` with the fault and the correct form.
    init(_ words: [String]) throws(UsageError) {
        let line = CommandLineWords(words)
        common = try CommonOptions(line.common)
        guard let name = line.name, !common.showsHelp, !common.showsVersion else {
            var help = HelpCommand(name: line.name)
            help.showsVersion = common.showsVersion && !common.showsHelp
            try help.check()
            form = HelpCommand.forms[0]
            command = help
            return
        }
        guard !line.forms.isEmpty else { throw UsageError(noCommand: name) }
        let takesName = line.form?.words.count == 2 || line.form?.arguments.isEmpty == false
        guard let form = line.form, takesName || line.forms.count == 1 || line.action == nil else {
            throw UsageError(noAction: line.action, of: line.forms)
        }
        self.form = form
        command = try form.command(line.words)
    }
}

/// The words of a command line, in which a command is found.
struct CommandLineWords {
    /// The words with the common options alone, which are known before the command is.
    let common: ScannedWords
    /// The first word that is neither an option nor the value of one, or nil for none.
    let name: String?
    /// The forms with this name.
    let forms: [CommandForm]
    /// The word after the name, or nil for none.
    let action: String?
    /// The form that name and action choose, or nil for none.
    let form: CommandForm?
    /// The words of the command line without the words of the form.
    let words: ScannedWords

    /// The known options of the form and of every command.
    var options: [Parameter] { (form?.options ?? []) + CommonOptions.parameters }

    init(_ words: [String]) {
        common = ScannedWords(words, options: CommonOptions.parameters)
        let name = common.arguments.first
        let forms = CommandForm.all.filter { $0.words[0] == name }
        (self.name, self.forms) = (name, forms)
        var words = words
        if let index = common.firstArgument { words.remove(at: index) }
        let options = forms.flatMap(\.options) + CommonOptions.parameters
        let rest = ScannedWords(words, options: options)
        let action = rest.arguments.first
        self.action = action
        form =
            forms.first { $0.words.count > 1 && $0.words[1] == action }
            ?? forms.first { $0.words.count == 1 }
        if form?.words.count == 2, let index = rest.firstArgument { words.remove(at: index) }
        self.words = ScannedWords(
            words,
            options: (form?.options ?? []) + CommonOptions.parameters
        )
    }
}
