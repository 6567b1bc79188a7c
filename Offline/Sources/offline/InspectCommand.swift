// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary

/// `offline inspect`: shows what a download would fetch, without storing anything.
struct InspectCommand {
    let get: Arguments.Get
    let json: Bool
    let environment: Environment

    func run() async throws -> ExitStatus {
        let list = try AddressList(words: get.addresses, files: [])
        guard list.addresses.count == 1, let address = list.addresses.first else {
            throw UsageError("Inspect one address at a time: offline inspect https://…")
        }
        let reader = RequestOptionsReader(variables: ProcessInfo.processInfo.environment)
        let request = try get.request(address, try reader.options(of: get))
        let outcome = try await Interruption.race { try await environment.inspect(request) }
        guard let inspection = outcome else { return .interrupted }
        if json {
            Terminal.print(String(decoding: try JSONFormat.encode(inspection), as: UTF8.self))
        } else {
            var command = SuggestedCommand(request)
            command.output = get.output
            for line in InspectionText(inspection, command).lines { Terminal.print(line) }
        }
        guard let refusal = inspection.refusal else { return .success }
        let message = Terminal.clean(refusal.message)
        Terminal.note("offline: " + message)
        return .failure
    }
}

extension Environment {
    /// Inspects what a request would fetch.
    ///
    /// Asks the running server, which may allow private addresses; without one, needs no library.
    func inspect(_ request: DownloadRequest) async throws -> MediaInspection {
        if let server = await LibraryAccess.runningServer(of: directory) {
            return try await server.inspect(request)
        }
        let inspector = MediaInspector.standalone()
        defer { inspector.close() }
        return try await inspector.inspect(request)
    }
}
