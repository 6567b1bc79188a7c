// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary

/// The program: reads the arguments, runs one command, ends with its status.
@main
struct Offline {
    static func main() async {
        // A reader that goes away must not end the downloads.
        signal(SIGPIPE, SIG_IGN)
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            exit(try await run(arguments).rawValue)
        } catch {
            Terminal.note(ExitStatus.explanation(of: error))
            exit((error is UsageError ? ExitStatus.usage : .failure).rawValue)
        }
    }

    private static func run(_ arguments: Arguments) async throws -> ExitStatus {
        let directory =
            arguments.library.map { LibraryDirectory(path: absolute($0)) }
            ?? .standard(environment: ProcessInfo.processInfo.environment)
        switch arguments.command {
        case .serve(let serve):
            return try await ServeCommand(serve: serve, directory: directory).run()
        case .get(let get):
            return try await GetCommand(get: get, directory: directory).run()
        case .list(let json):
            return try await ListCommand(json: json, directory: directory).run()
        case .refresh(let options):
            return try await RefreshCommand(options: options, directory: directory).run()
        case .remove(let id, let withFile):
            return try await RemoveCommand(id: id, withFile: withFile, directory: directory).run()
        case .help:
            Terminal.print(Usage.text)
        case .version:
            Terminal.print("offline \(Usage.version)")
        }
        return .success
    }

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }
}
