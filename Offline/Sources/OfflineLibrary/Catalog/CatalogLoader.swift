// SPDX-License-Identifier: Apache-2.0
import Foundation
import OfflineDownloads
import OfflineModel
import OfflineSources
import OfflineStore
import Tidings
import TidingsHTTP
import TidingsLock
import TidingsSQLite

/// Loads the catalog from the chosen address, which the registry stores.
final class CatalogLoader: Sendable {
    private enum Phase {
        case idle, running, stopped
    }

    private struct State {
        var address: CatalogAddress?
        var phase = Phase.idle
    }

    private let preferences: Preferences
    private let clients: HTTPClients
    /// Whether this process may contact private addresses regardless of the chosen address.
    private let allowsPrivateAddresses: Bool
    private let state: Lock<State>

    /// Creates a loader with the address that the opening has read.
    init(_ library: OpenLibrary, _ clients: HTTPClients) {
        self.clients = clients
        preferences = library.journal.preferences
        allowsPrivateAddresses = library.configuration.allowsPrivateAddresses
        state = Lock(State(address: library.catalogAddress))
    }

    /// The address of the catalog, or nil if no catalog is chosen.
    var address: CatalogAddress? { state.withLock { $0.address } }

    /// Permits loads until `stop`, and returns false after `stop`.
    func start() -> Bool {
        state.withLock { state in
            if state.phase == .idle { state.phase = .running }
            return state.phase == .running
        }
    }

    /// Lets the next loads fail.
    func stop() { state.withLock { $0.phase = .stopped } }

    /// Stores another address.
    ///
    /// - Returns: Whether the address changed.
    func setAddress(_ address: CatalogAddress?) throws(SQLiteError) -> Bool {
        // The lock covers the write, so that concurrent calls leave memory and registry equal.
        try state.withLock { state throws(SQLiteError) in
            guard state.address != address else { return false }
            try preferences.setPreference(CatalogPreference(address), for: CatalogPreference.key)
            state.address = address
            return true
        }
    }

    /// Fetches and decodes the catalog.
    ///
    /// - Throws: `CatalogError`, `DownloadError`, or `CancellationError` when the library stops.
    @concurrent
    func load() async throws -> Catalog {
        let (address, phase) = state.withLock { ($0.address, $0.phase) }
        guard let address else { throw CatalogError.noAddress }
        guard phase == .running else {
            throw CatalogError(.unavailable, "The library is not running. Start `offline serve`.")
        }
        let (body, head) = try await fetch(address)
        guard head.status == 200 else { throw DownloadError(status: head.status, head: head) }
        if let refusal = DownloadError(refusingEncodingOf: head) { throw refusal }
        return try CatalogDocument.decode(body, requestedAddress: address.address, at: head.address)
    }

    private func fetch(
        _ address: CatalogAddress
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
