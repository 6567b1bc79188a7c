// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

/// Loads the catalog from the chosen address, which it reads from and writes to the registry.
final class CatalogLoader: Sendable {
    private struct State {
        var address: CatalogAddress?
        var clients: HTTPClients?
    }

    private let registry: Registry
    /// Whether this process may contact private addresses regardless of the chosen address.
    private let allowsPrivateAddresses: Bool
    private let state: Lock<State>

    /// Creates a loader with the address from the registry.
    init(_ registry: Registry, allowsPrivateAddresses: Bool) throws(SQLiteError) {
        self.registry = registry
        self.allowsPrivateAddresses = allowsPrivateAddresses
        let address = try registry.preference(CatalogPreference.key).address
        state = Lock(State(address: address))
    }

    /// The address of the catalog; nil if none is chosen.
    var address: CatalogAddress? { state.withLock { $0.address } }

    /// Sets the clients for the next loads; nil disables loading.
    func setClients(_ clients: HTTPClients?) {
        state.withLock { $0.clients = clients }
    }

    /// Stores another address.
    ///
    /// - Returns: Whether the address changed.
    func setAddress(_ address: CatalogAddress?) throws(SQLiteError) -> Bool {
        // Written under the lock, so that concurrent calls leave memory and registry equal.
        try state.withLock { state throws(SQLiteError) in
            guard state.address != address else { return false }
            try registry.setPreference(CatalogPreference(address), for: CatalogPreference.key)
            state.address = address
            return true
        }
    }

    /// Fetches and decodes the catalog.
    ///
    /// - Throws: `CatalogError`, `DownloadError`, or `CancellationError` when the library stops.
    @concurrent
    func load() async throws -> Catalog {
        let (address, clients) = state.withLock { ($0.address, $0.clients) }
        guard let address else { throw CatalogError.noAddress }
        guard let clients else {
            throw CatalogError(
                .unavailable,
                "The library is not running. Start `offline serve`."
            )
        }
        let (body, head) = try await fetch(address, clients)
        guard head.status == 200 else { throw DownloadError(status: head.status, head: head) }
        if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
        return try CatalogDocument.decode(
            body,
            requestedAddress: address.address,
            at: head.address
        )
    }

    private func fetch(
        _ address: CatalogAddress,
        _ clients: HTTPClients
    ) async throws -> (body: [UInt8], head: HTTPResponseHead) {
        let limits = CatalogLimits()
        do {
            let allowsPrivate = allowsPrivateAddresses || address.allowsPrivateAddresses
            let client = clients.client(allowingPrivate: allowsPrivate)
            let request = HTTPRequest(address.address)
            let (transfer, body) = try await client.fetch(request, limit: limits.bytes)
            return (body, transfer.head)
        } catch  where error.code == .tooLarge {
            throw CatalogDocument.tooLong(limits)
        } catch  where error.code == .cancelled || error.code == .closed {
            throw CancellationError()
        } catch {
            throw DownloadError(error)
        }
    }
}

extension CatalogError {
    /// The error for a request without a chosen catalog.
    static var noAddress: CatalogError {
        CatalogError(.noAddress, "No catalog is chosen. Enter the address of a catalog first.")
    }
}
