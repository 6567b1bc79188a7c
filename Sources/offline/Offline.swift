// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary

/// The program: reads the arguments, runs one command, ends with its status.
@main
struct Offline {
    static func main() async {
        // A reader that goes away must not end the downloads.
        signal(SIGPIPE, SIG_IGN)
        Terminal.begin()
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            exit(try await run(arguments).rawValue)
        } catch {
            exit(tell(error).rawValue)
        }
    }

    private static func run(_ arguments: Arguments) async throws -> ExitStatus {
        switch arguments.command {
        case .help: Terminal.print(Usage.text)
        case .version: Terminal.print("offline \(Usage.version)")
        default:
            let environment = ProcessInfo.processInfo.environment
            let surroundings = Surroundings(
                arguments.library.map { LibraryDirectory(path: absolute($0)) }
                    ?? .standard(environment: environment),
                makes: arguments.command.makesLibrary,
                try ReportingSettings(environment: environment, sentry: arguments.sentry)
            )
            return await run(arguments.command, recordingIn: surroundings)
        }
        return .success
    }

    /// Records what goes wrong, from before the command's first step until after its last.
    private static func run(
        _ command: Arguments.Command,
        recordingIn surroundings: Surroundings
    ) async -> ExitStatus {
        let status: ExitStatus
        do {
            if command.tellsOfCrash, let reports = surroundings.reports,
                reports.previousRunCrashed
            {
                Terminal.note(ReportText.crash(await reports.previousCrash()))
            }
            status = try await run(command, surroundings)
        } catch {
            status = tell(error)
        }
        await surroundings.reports?.close()
        return status
    }

    private static func run(
        _ command: Arguments.Command,
        _ surroundings: Surroundings
    ) async throws -> ExitStatus {
        switch command {
        case .serve(let serve):
            return try await ServeCommand(serve: serve, surroundings: surroundings).run()
        case .get(let get):
            return try await GetCommand(get: get, surroundings: surroundings).run()
        case .list(let json):
            return try await ListCommand(json: json, directory: surroundings.directory).run()
        case .refresh(let options):
            return try await RefreshCommand(options: options, surroundings: surroundings).run()
        case .remove(let id, let withFile):
            let remove = RemoveCommand(id: id, withFile: withFile, surroundings: surroundings)
            return try await remove.run()
        case .reports(let action):
            return try await ReportsCommand(action: action, surroundings: surroundings).run()
        case .crash(let way, let isConfirmed):
            let crash = DiagnosticsCommand(
                way: way,
                isConfirmed: isConfirmed,
                surroundings: surroundings
            )
            return try await crash.run()
        case .help, .version:
            return .success
        }
    }

    private static func tell(_ error: any Error) -> ExitStatus {
        Terminal.note(ExitStatus.explanation(of: error))
        return error is UsageError ? .usage : .failure
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
