// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline help`: explains the program, or one command.
struct HelpCommand: TextCommand {
    static let version = Library.version

    static var forms: [CommandForm] {
        Form("help", Self(), help: "Explains all commands, or one with its options.")
            .argument(.command, ifGiven: \.name)
    }

    /// The name of a command, or nil for all.
    var name: String?
    /// Whether to print the version instead.
    var showsVersion = false

    var text: String {
        if showsVersion { return "offline \(Self.version)" }
        guard let name else { return HelpText.overview }
        return HelpText.text(of: CommandForm.all.filter { $0.words[0] == name })
    }

    func check() throws(UsageError) {
        guard let name, !CommandForm.names.contains(name) else { return }
        throw UsageError(noCommand: name)
    }
}

extension ValueKind<String> {
    fileprivate static var command: ValueKind {
        var kind = ValueKind.text("COMMAND")
        kind.offered = Offered { _, _ in CommandForm.names.map { Offer(word: $0) } }
        return kind
    }
}
