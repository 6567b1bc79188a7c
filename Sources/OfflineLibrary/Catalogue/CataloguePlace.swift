// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsSQLite

/// Where the catalogue is fetched from, and with what; what loads it asks here each time.
final class CataloguePlace: Sendable {
    private struct State {
        var address: CatalogueAddress?
        var clients: HTTPClients?
    }

    private let registry: Registry
    /// Whether this process may contact private addresses, whatever was asked for.
    private let allowsPrivateAddresses: Bool
    private let state: Lock<State>

    /// Reads the address that the registry remembers.
    init(_ registry: Registry, allowsPrivateAddresses: Bool) throws(SQLiteError) {
        self.registry = registry
        self.allowsPrivateAddresses = allowsPrivateAddresses
        let address = try registry.preference(CataloguePreference.key).address
        state = Lock(State(address: address))
    }

    /// Where the catalogue is; nil if there is none.
    var address: CatalogueAddress? { state.withLock { $0.address } }

    /// Allows or ends the use of the network.
    func use(_ clients: HTTPClients?) {
        state.withLock { $0.clients = clients }
    }

    /// Remembers another address.
    ///
    /// - Returns: Whether it is another one.
    func setAddress(_ address: CatalogueAddress?) throws(SQLiteError) -> Bool {
        // Committed inside, so that memory and registry agree whoever else sets one.
        try state.withLock { state throws(SQLiteError) in
            guard state.address != address else { return false }
            try registry.setPreference(CataloguePreference(address), for: CataloguePreference.key)
            state.address = address
            return true
        }
    }

    /// Fetches and reads the catalogue.
    ///
    /// - Throws: `CatalogueError`, `DownloadError` or, when the library stops, `CancellationError`.
    @concurrent
    func load() async throws -> Catalogue {
        let (place, clients) = state.withLock { ($0.address, $0.clients) }
        guard let place else { throw CatalogueError.noAddress }
        guard let clients else {
            throw CatalogueError(
                .unavailable,
                "The library does not work yet, or no more. Start offline serve."
            )
        }
        let (body, head) = try await fetch(place, clients)
        guard head.status == 200 else { throw DownloadError(status: head.status, head: head) }
        if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
        return try CatalogueDocument.decode(body, asked: place.address, at: head.address)
    }

    private func fetch(
        _ place: CatalogueAddress,
        _ clients: HTTPClients
    ) async throws -> (body: [UInt8], head: HTTPResponseHead) {
        let limits = CatalogueLimits()
        do {
            let isOpen = allowsPrivateAddresses || place.allowsPrivateAddresses
            let client = clients.client(allowingPrivate: isOpen)
            let request = HTTPRequest(place.address)
            let (transfer, body) = try await client.fetch(request, limit: limits.bytes)
            return (body, transfer.head)
        } catch  where error.code == .tooLarge {
            throw CatalogueDocument.tooLong(limits)
        } catch  where error.code == .cancelled || error.code == .closed {
            throw CancellationError()
        } catch {
            throw DownloadError(error)
        }
    }
}

extension CatalogueError {
    static var noAddress: CatalogueError {
        CatalogueError(.noAddress, "No catalogue is chosen. Give the address of one first.")
    }
}
