// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineApp
import OfflineModel
import TidingsFiles

/// The program: parses the arguments, runs one command and exits with its status.
@main
struct Offline {
    static func main() async {
        // A closed pipe must not end the downloads.
        signal(SIGPIPE, SIG_IGN)
        Terminal.begin()
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            let status = try await run(arguments)
            if let loss = Terminal.lossOfOutput {
                Terminal.note("offline: The output could not be written: \(loss).")
                exit((status == .success ? .failure : status).rawValue)
            }
            exit(status.rawValue)
        } catch {
            exit(report(error).rawValue)
        }
    }

    private static func run(_ arguments: Arguments) async throws -> ExitStatus {
        if let command = arguments.command as? any TextCommand {
            let text = command.text
            if !text.isEmpty { Terminal.print(text) }
            return .success
        }
        let variables = ProcessInfo.processInfo.environment
        let common = arguments.common
        let directory = common.directory(variables)
        let reporting = try ReportingSettings(environment: variables, sentry: common.sentry)
        let use = arguments.command.library
        if common.library != nil, use == .required { try requireLibrary(directory) }
        return await run(
            arguments,
            in: Environment(directory, createsLibrary: use == .created, reporting)
        )
    }

    /// - Throws: `LibraryError` with `.notFound` if nothing has made a library in this folder.
    private static func requireLibrary(_ directory: LibraryDirectory) throws(LibraryError) {
        guard !SystemFile.exists(directory.data) else { return }
        throw LibraryError(
            .notFound,
            "There is no library in \(Terminal.clean(directory.media)). Check the path after "
                + "--library, or make a library there with `offline get` or `offline serve`."
        )
    }

    /// Runs a command while the environment records failures and crashes.
    private static func run(_ arguments: Arguments, in environment: Environment) async -> ExitStatus
    {
        let status: ExitStatus
        do {
            if arguments.command.showsPreviousCrash, let reports = environment.reports,
                reports.previousRunCrashed
            {
                Terminal.note(ReportText.crash(await reports.previousCrash()))
            }
            status = try await arguments.command.run(in: environment)
        } catch {
            environment.reports?.recordFailure(error, of: arguments.form.name)
            status = report(error)
        }
        await environment.reports?.close()
        return status
    }

    private static func report(_ error: any Error) -> ExitStatus {
        Terminal.note(ExitStatus.explanation(of: error))
        return error is UsageError ? .usage : .failure
    }
}
