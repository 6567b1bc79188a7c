// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineApp
import OfflineLibrary
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
        switch arguments.command {
        case .help(let name):
            Terminal.print(name.flatMap { HelpText($0) }?.text ?? Usage.text)
        case .version: Terminal.print("offline \(Usage.version)")
        case .completion(let completion): completion.run()
        case .manual: ManualCommand.run()
        default:
            let variables = ProcessInfo.processInfo.environment
            let chosen = arguments.library.map { LibraryDirectory.chosen(absolute($0)) }
            let reporting = try ReportingSettings(environment: variables, sentry: arguments.sentry)
            if let chosen, arguments.command.needsLibrary { try requireLibrary(chosen) }
            let environment = Environment(
                chosen ?? .standard(environment: variables),
                createsLibrary: arguments.command.createsLibrary,
                reporting
            )
            return await run(arguments.command, reportingTo: environment)
        }
        return .success
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
    private static func run(
        _ command: Arguments.Command,
        reportingTo environment: Environment
    ) async -> ExitStatus {
        let status: ExitStatus
        do {
            if command.showsPreviousCrash, let reports = environment.reports,
                reports.previousRunCrashed
            {
                Terminal.note(ReportText.crash(await reports.previousCrash()))
            }
            status = try await run(command, environment)
        } catch {
            environment.reports?.recordFailure(error, of: command.name)
            status = report(error)
        }
        await environment.reports?.close()
        return status
    }

    private static func run(
        _ command: Arguments.Command,
        _ environment: Environment
    ) async throws -> ExitStatus {
        switch command {
        case .serve(let serve):
            return try await ServeCommand(serve: serve, environment: environment).run()
        case .get(let get):
            return try await GetCommand(get, environment).run()
        case .inspect(let get, let json):
            return try await InspectCommand(get: get, json: json, environment: environment).run()
        case .list(let json, let words, let collection):
            let list = ListCommand(
                json: json,
                words: words,
                collection: collection,
                environment: environment
            )
            return try await list.run()
        case .refresh(let options):
            return try await RefreshCommand(options: options, environment: environment).run()
        case .verify(let ids, let acceptsSubtitles, let json):
            let verify = VerifyCommand(
                ids: ids,
                acceptsSubtitles: acceptsSubtitles,
                json: json,
                environment: environment
            )
            return try await verify.run()
        case .transfer(let way, let path, let allowsPrivate):
            let transfer = TransferCommand(
                way: way,
                path: path,
                allowsPrivate: allowsPrivate,
                environment: environment
            )
            return try await transfer.run()
        case .pause(let ids):
            return try await PauseCommand(ids: ids, environment: environment).run()
        case .stop(let ids):
            return try await StopCommand(ids: ids, environment: environment).run()
        case .resume(let ids):
            let resume = RetryCommand(
                ids: ids,
                address: nil,
                command: command.name,
                environment: environment
            )
            return try await resume.run()
        case .retry(let ids, let address):
            let retry = RetryCommand(ids: ids, address: address, environment: environment)
            return try await retry.run()
        case .remove(let ids, let withFile):
            let remove = RemoveCommand(ids: ids, withFile: withFile, environment: environment)
            return try await remove.run()
        case .cancel(let ids):
            return try await CancelCommand(ids: ids, environment: environment).run()
        case .all(let action):
            return try await CommonActionCommand(action: action, environment: environment).run()
        case .move(let id, let place):
            return try await MoveCommand(id: id, place: place, environment: environment).run()
        case .settings(let change):
            return try await SettingsCommand(change: change, environment: environment).run()
        case .follow(let follow):
            return try await FollowCommand(follow: follow, environment: environment).run()
        case .following(let json, let checks):
            let list = FollowingCommand(json: json, checks: checks, environment: environment)
            return try await list.run()
        case .collections(let action):
            return try await CollectionsCommand(action: action, environment: environment).run()
        case .devices(let action):
            return try await DevicesCommand(action: action, environment: environment).run()
        case .unfollow(let ids):
            return try await UnfollowCommand(ids: ids, environment: environment).run()
        case .keep(let ids):
            return try await KeepCommand(ids: ids, environment: environment).run()
        case .rename(let id, let title):
            return try await RenameCommand(id: id, title: title, environment: environment).run()
        case .show(let id, let json):
            return try await ShowCommand(id: id, json: json, environment: environment).run()
        case .open(let id):
            return try await OpenCommand(id: id, environment: environment).run()
        case .reports(let action):
            return try await ReportsCommand(action: action, environment: environment).run()
        case .crash(let way, let isConfirmed):
            let crash = DiagnosticsCommand(
                way: way,
                isConfirmed: isConfirmed,
                environment: environment
            )
            return try await crash.run()
        case .help, .version, .completion, .manual:
            return .success
        }
    }

    private static func report(_ error: any Error) -> ExitStatus {
        Terminal.note(ExitStatus.explanation(of: error))
        return error is UsageError ? .usage : .failure
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
