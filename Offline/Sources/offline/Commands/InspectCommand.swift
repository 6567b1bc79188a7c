// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineAPI
import OfflineLibrary
import OfflineModel
import OfflineSources

/// `offline inspect`: shows what a download would fetch, without storing anything.
struct InspectCommand: Command {
    static var forms: [CommandForm] {
        Form("inspect", Self(), help: "Shows what `get` would fetch, and stores nothing.")
            .details(
                """
                Takes the options of `get` that decide about the media. Shows the qualities, \
                languages and size, the media of a page, and why something is refused.
                """
            )
            .argument(.webAddress(of: "inspect"), into: \.address)
            .json(into: \.json)
            .options(GetOptions.media, within: \.get)
            .options(RequestArguments.table, within: \.get.requests)
            .options(GetOptions.folder, within: \.get)
    }

    var address = ""
    var get = GetOptions()
    var json = false

    func check() throws(UsageError) { try get.checkMedia() }

    var library: LibraryUse { .optional }
    var showsPreviousCrash: Bool { false }

    func run(in environment: Environment) async throws -> ExitStatus {
        let list = try AddressList(words: [address], files: [])
        guard list.addresses.count == 1, let address = list.addresses.first else {
            throw UsageError("Inspect one address at a time: offline inspect https://…")
        }
        let reader = RequestOptionsReader(variables: ProcessInfo.processInfo.environment)
        let request = try get.request(address, try reader.options(of: get.requests))
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
    /// The running server performs the inspection, because that server may allow private addresses.
    /// Without a server, the inspection needs no library.
    func inspect(_ request: DownloadRequest) async throws -> MediaInspection {
        // The server answers after all requests of the inspection, of which each may take long.
        let patience = Duration.seconds(600)
        if let server = await LibraryAccess.runningServer(of: directory, patience: patience) {
            defer { server.close() }
            return try await server.call(API.items.inspect, InspectionOrder(request))
        }
        let inspector = MediaInspector.standalone()
        defer { inspector.close() }
        return try await inspector.inspect(request)
    }
}
