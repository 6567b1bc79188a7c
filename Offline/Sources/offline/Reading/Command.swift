// SPDX-License-Identifier: Apache-2.0

/// A command with the values of its options and arguments.
///
/// The file of a command declares the forms, and the parser, the help, the completion and the
/// manual read that declaration. To add a command, add a file to `Commands` and the type to
/// `CommandForm.commands`. To add an option, add a line to the form and a property for the value.
protocol Command: Sendable, Equatable {
    /// The forms of the command line, in the order of the help.
    @FormBuilder static var forms: [CommandForm] { get }

    /// The use of the library. The default is `.required`.
    var library: LibraryUse { get }
    /// Whether the program first prints that the previous run crashed. The default is true.
    var showsPreviousCrash: Bool { get }

    /// Checks values that exclude or need each other, after all values are stored.
    mutating func check() throws(UsageError)

    func run(in environment: Environment) async throws -> ExitStatus
}

/// The use of the library by a command.
enum LibraryUse {
    /// The command creates a missing library.
    case created
    /// The command has nothing to do without a library, so that a missing library means a mistake
    /// in the path.
    case required
    /// The command works without a library.
    case optional
}

extension Command {
    var library: LibraryUse { .required }
    var showsPreviousCrash: Bool { true }

    mutating func check() throws(UsageError) {}
}

/// A command that prints a text about the program and needs no library.
protocol TextCommand: Command {
    var text: String { get }
}

extension TextCommand {
    func run(in environment: Environment) async -> ExitStatus {
        Terminal.print(text)
        return .success
    }
}
