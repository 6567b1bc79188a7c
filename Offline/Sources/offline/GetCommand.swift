// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineLibrary
import TidingsHTTP

/// `offline get`: downloads a file or a stream.
struct GetCommand {
    let get: Arguments.Get
    let environment: Environment

    func run() async throws -> ExitStatus {
        let address: WebAddress
        do {
            address = try WebAddress(get.address)
        } catch {
            throw UsageError(error.message)
        }
        var request = DownloadRequest(
            .address(address),
            rendition: get.rendition,
            allowsPrivateAddresses: get.allowsPrivateAddresses,
            again: get.again
        )
        request.live = get.live
        let library: any LibraryService
        do throws(LibraryError) {
            library = try LibraryAccess.openHere(environment)
        } catch {
            guard error.code == .inUse else { throw error }
            guard let server = await LibraryAccess.runningServer(of: environment.directory) else {
                return try await handOver(request, after: error)
            }
            library = server
        }
        return try await download(in: library, try await library.enqueue(request))
    }

    /// Stores the request for the command that has the library open, and waits.
    private func handOver(
        _ request: DownloadRequest,
        after error: LibraryError
    ) async throws -> ExitStatus {
        let handover = try RequestHandover(request, environment)
        let outcome = try await Interruption.race {
            try await handover.wait {
                Terminal.note(Terminal.clean(error.message))
                Terminal.note("The address is stored: it downloads now or after that.")
            } show: {
                Terminal.show(line: ProgressLine.text($0))
            }
        }
        Terminal.show(line: "")
        switch outcome {
        case .library(let library, let item): return try await download(in: library, item)
        case .ended(let item): return finish(item)
        case nil:
            Terminal.note("Stopped. The address is kept: run the same command to continue.")
            return .interrupted
        }
    }

    private func download(
        in library: any LibraryService,
        _ item: ItemRepresentation
    ) async throws -> ExitStatus {
        if item.state == .ready { return finish(item) }
        if library.isServed, !get.waits {
            Terminal.note("Item \(item.id) is queued. The running server downloads it.")
            return .success
        }
        let outcome = try await Interruption.race {
            try await library.follow(item.id) { Terminal.show(line: ProgressLine.text($0)) }
        } ending: { signal in
            try await endsCommand(in: library, item, on: signal)
        }
        Terminal.show(line: "")
        await library.stop()
        guard let outcome else {
            Terminal.note(
                library.isServed
                    ? "The running server continues to download item \(item.id)."
                    : "Stopped. The data is kept: run the same command to continue."
            )
            return .interrupted
        }
        return finish(outcome)
    }

    /// Returns false if the signal ends the recording instead of the command.
    private func endsCommand(
        in library: any LibraryService,
        _ item: ItemRepresentation,
        on signal: Int32
    ) async throws -> Bool {
        guard signal == SIGINT, get.live != nil, !library.isServed else { return true }
        do {
            try await library.stopRecording(item.id)
        } catch let error as LibraryError where error.code == .notRecording {
            return true
        }
        Terminal.show(line: "")
        Terminal.note("The recording has stopped. Its file is being made; Ctrl-C again ends that.")
        return false
    }

    private func finish(_ item: ItemRepresentation) -> ExitStatus {
        if let note = item.note { Terminal.note(Terminal.clean(note)) }
        guard item.state == .ready, let name = item.fileName else {
            let message = item.error?.message ?? "The download failed. Run the same command again."
            // A message may list several addresses, each in a line of its own.
            let lines = message.split(whereSeparator: \.isNewline).map {
                Terminal.clean(String($0))
            }
            Terminal.note("offline: " + lines.joined(separator: "\n"))
            if item.state == .paused {
                Terminal.note("The data is kept: run the same command to continue.")
            }
            return .failure
        }
        Terminal.print(environment.directory.mediaFile(name))
        return .success
    }
}
