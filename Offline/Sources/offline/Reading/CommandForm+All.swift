// SPDX-License-Identifier: Apache-2.0

extension CommandForm {
    /// The commands in the order of the help.
    private static let commands: [any Command.Type] = [
        ServeOptions.self, GetOptions.self, InspectCommand.self, ListOptions.self,
        RefreshCommand.self, VerifyCommand.self, TransferCommand.self, PauseCommand.self,
        StopCommand.self, RetryCommand.self, CancelCommand.self, MoveCommand.self,
        ShowCommand.self, OpenCommand.self, RenameCommand.self, RemoveCommand.self,
        FollowCommand.self, FollowingCommand.self, UnfollowCommand.self, KeepCommand.self,
        SettingsCommand.self, CollectionsCommand.self, DevicesCommand.self, ReportsCommand.self,
        DiagnosticsCommand.self, CompletionCommand.self, ManualCommand.self, HelpCommand.self,
    ]

    /// The forms of all commands.
    static var all: [CommandForm] { commands.flatMap { $0.forms } }

    /// The first words of all commands, without duplicates.
    static var names: [String] {
        var known: Set<String> = []
        return all.map { $0.words[0] }.filter { known.insert($0).inserted }
    }
}
