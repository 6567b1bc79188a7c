// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

/// `offline get`: keeps what is at an address.
struct GetCommand {
    let get: Arguments.Get
    let surroundings: Surroundings

    func run() async throws -> ExitStatus {
        let address: WebAddress
        do {
            address = try WebAddress(get.address)
        } catch {
            throw UsageError(error.message)
        }
        let request = DownloadRequest(
            .address(address),
            rendition: get.rendition,
            allowsPrivateAddresses: get.allowsPrivateAddresses,
            again: get.again
        )
        let library = try await LibraryAccess.open(surroundings)
        let item = try await library.enqueue(request)
        if item.state == .ready { return end(item) }
        if library.isServed, !get.waits {
            Terminal.note("Item \(item.id) is queued; the running server fetches it.")
            return .success
        }
        let outcome = try await Interruption.race {
            try await library.follow(item.id) { Terminal.show(line: ProgressLine.text($0)) }
        }
        Terminal.show(line: "")
        await library.stop()
        guard let outcome else {
            Terminal.note(
                library.isServed
                    ? "The running server goes on with item \(item.id)."
                    : "Stopped; what was fetched is kept. The same command goes on with it."
            )
            return .interrupted
        }
        return end(outcome)
    }

    private func end(_ item: ItemRepresentation) -> ExitStatus {
        if let note = item.note { Terminal.note(Terminal.clean(note)) }
        guard item.state == .ready, let name = item.fileName else {
            Terminal.note("offline: " + Terminal.clean(item.error?.message ?? "The item failed."))
            return .failure
        }
        Terminal.print(surroundings.directory.mediaFile(name))
        return .success
    }
}
